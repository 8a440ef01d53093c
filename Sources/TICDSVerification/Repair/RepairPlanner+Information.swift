import SystemCalls
import TICDSCore

/// Property lists and the test file, made anew.
extension RepairPlanner {
    mutating func information(_ finding: Finding) -> Verdict {
        let path =
            finding.kind == .deviceMissing
            ? finding.path.appending(RemoteLayout.deviceInfo) : finding.path
        return makeInformation(path, for: finding.kind) ? .repaired : .left(Self.needsPassword)
    }

    mutating func encryptionTest(_ finding: Finding) -> Verdict {
        let path: RemotePath = [RemoteLayout.encryption, RemoteLayout.encryptionTest]
        return makeInformation(path, for: finding.kind) ? .repaired : .left(Self.needsPassword)
    }

    private static let needsPassword =
        "the remote is encrypted, and there is no password that opens one of its files"

    /// Writes what belongs at `path`. False where that cannot be made.
    mutating func makeInformation(_ path: RemotePath, for kind: FindingKind) -> Bool {
        guard let made = known.information(at: path) else { return false }
        actions.write(path, made.bytes, modified: made.modified, for: kind)
        notes.add(.reason, "\(path) is written \(made.origin)")
        return true
    }

    // MARK: Damaged files

    mutating func quarantine(_ finding: Finding) throws(FileProblem) -> Verdict {
        if let cause = evidence.commonCause(of: finding) { return .left(cause) }
        switch FileRole(of: finding.path, kind: .file) {
        case .changeSet: return try changeSet(finding)
        case .wholeStore: return try wholeStore(finding)
        case .deviceInfo, .documentInfo, .tombstone, .encryptionTest: return try remake(finding)
        case .register: return .left("only the client that uploaded it can upload it again")
        case .salt:
            return .left("without the salt no password opens the remote: restore the salt from a back-up")
        default: return .left(nil)
        }
    }

    private mutating func remake(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let made = known.information(at: finding.path) else { return .left(Self.needsPassword) }
        try actions.replace(
            finding.path, .bytes(PlannedBytes(made.bytes)), modified: made.modified, for: finding.kind)
        notes.add(.reason, "\(finding.path) is written anew \(made.origin)")
        return .repaired
    }

    private mutating func changeSet(_ finding: Finding) throws(FileProblem) -> Verdict {
        let folder = finding.path.parent
        let hasCopy = snapshot.strays.contains {
            $0.kind == .conflictedCopy && $0.path.parent == folder && $0.twin == finding.path.last
        }
        if hasCopy { return .left("there is a copy beside it, which may be the sound one") }
        try actions.trash(finding.path, for: finding.kind)
        notes.loses(finding)
        return .repaired
    }

    // MARK: Encryption

    mutating func recode(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard case .checked = context.keyring.state else { return .left(Self.needsPassword) }
        if let cause = evidence.commonCause(of: finding) { return .left(cause) }
        guard let entry = snapshot.tree[finding.path], entry.kind == .file else {
            return .left("it is not a file")
        }
        guard entry.size <= RepairRecoder.sizeLimit else {
            return .left("it is too large to be encrypted or decrypted in memory")
        }
        if finding.kind.repair == .decrypt {
            do throws(FileProblem) {
                _ = try context.keyring.read(context.storage, finding.path, limit: .recodedFile)
            } catch {
                return .left("it does not open with the key of the remote")
            }
        }
        let content = PlannedContent.recoded(
            from: finding.path, seen: try snapshot.tree.state(of: finding.path))
        try actions.replace(finding.path, content, for: finding.kind)
        return .repaired
    }
}
