import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

/// Documents with more than one integrity key.
extension RepairPlanner {
    mutating func integrityKey(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let document = finding.document.flatMap(snapshot.document),
            let kept = IntegrityKeys.likeliest(of: document, context, known), let name = kept.file.path.last
        else { return .left("no file there is a key") }
        for file in document.integrityKeys where file.path != kept.file.path {
            try actions.trash(file.path, for: finding.kind)
        }
        notes.add(.reason, "The repair keeps the key \(name) of \(document.identifier): \(kept.reason)")
        notes.add(
            .warning,
            "The remote does not show which key a client remembers. At its next synchronisation, each client of "
                + "\(document.identifier) that remembers another key throws away the edits that it has not sent, "
                + "and must download the whole store; to keep another key, use ticds-integrity reset --key")
        return .repaired
    }
}

/// The files in `IntegrityKey` of one document.
enum IntegrityKeys {
    struct Key {
        var file: RemoteFile
        /// The client in its content; nil if the framework did not write the content.
        var originalDevice: String?
        var reason = ""
    }

    /// The keys with names that clients list.
    private static func keys(of document: DocumentSnapshot, _ context: VerificationContext) -> [Key] {
        document.integrityKeys.filter { $0.path.last.map(FrameworkLists.isLongEnough) ?? false }.map { file in
            Key(file: file, originalDevice: originalDevice(in: file, context))
        }
    }

    static func oldest(of document: DocumentSnapshot, _ context: VerificationContext) -> Key? {
        keys(of: document, context).min(by: isOlder)
    }

    /// The key that clients most likely remember: one that names the client that created the document, otherwise one
    /// that names any client, as the framework's keys do; the oldest of several.
    static func likeliest(
        of document: DocumentSnapshot, _ context: VerificationContext, _ known: KnownInformation
    ) -> Key? {
        let all = keys(of: document, context)
        let creator = document.documentInfo.part.flatMap { known.documentInfo(in: $0.path) }?
            .originalDeviceIdentifier
        let creators = all.filter { $0.originalDevice != nil && $0.originalDevice == creator }
        let wellFormed = all.filter { $0.originalDevice != nil }
        let (best, reason) =
            if !creators.isEmpty {
                (creators, "it names the client that created the document")
            } else if !wellFormed.isEmpty {
                (wellFormed, "it has the content that the framework writes")
            } else {
                (all, "none has the content that the framework writes")
            }
        var kept = best.min(by: isOlder)
        kept?.reason = reason + (best.count > 1 ? ", and it is the oldest of these" : "")
        return kept
    }

    private static func isOlder(_ one: Key, _ other: Key) -> Bool {
        (one.file.modified, one.file.path) < (other.file.modified, other.file.path)
    }

    private static func originalDevice(in file: RemoteFile, _ context: VerificationContext) -> String? {
        let bytes = context.attempt(file.path) { () throws(FileProblem) in
            try context.storage.read(file.path, limit: .integrityKey)
        }
        guard let bytes else { return nil }
        return IntegrityKeyContent(bytes).originalDevice
    }
}
