import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// The file that is being checked, and the findings about it.
struct CheckedFile {
    let file: ExaminedFile
    let context: VerificationContext
    var place: FilePath { file.path.filePath(under: context.root) }
    var role: FileRole { file.role }

    func beginning() throws(FileProblem) -> (head: SharedBytes, size: Int64) {
        let opened = try context.storage.open(file.path)
        return (try opened.head(count: PlainSignature.headSize), try opened.status().size)
    }

    /// The finding for a file whose content is not local although the file has blocks; nil for all other files.
    func contentNotHere(_ head: SharedBytes) throws(FileProblem) -> Finding? {
        guard CloudPlaceholder.isRead(role), head.withUnsafeBytes({ CloudPlaceholder.of($0) }) != nil,
            let absence = try CloudPlaceholder.of(try context.storage.open(file.path))
        else { return nil }
        return finding(
            .contentNotHere, found: absence.text, bytes: file.size,
            effects: context.effects(ofLost: file.path))
    }

    /// Reads the file to its end without checking its contents; returns a finding if that fails, or if it is too large.
    func unread() -> [Finding] {
        do throws(FileProblem) {
            try ReadLimit.anyFile.check(file.size, place)
            let opened = try context.storage.open(file.path)
            let count = min(256 << 10, Int(clamping: file.size) +| 1)
            let piece = try PrivateBytes(count: count, path: place)
            var offset = 0
            while offset <= Int(clamping: file.size) {
                let read = try opened.read(into: piece.memory, at: offset)
                if read < count { return [] }
                offset += read  // bounded: an offset in a file
            }
            throw .changing(place)
        } catch { return findings(error, .cannotBeRead) }
    }

    func finding(
        _ kind: FindingKind, subject: String? = nil, offset: Int? = nil, expected: String? = nil,
        found: String? = nil, bytes: Int64? = nil, effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            kind, at: file.path, document: file.document, client: file.client, subject: subject,
            offset: offset, expected: expected, found: found, bytes: bytes, effects: effects)
    }

    /// The findings for an error: `kind` if the file itself is faulty; otherwise a finding that the file could not be
    /// read, has changed, or is too large. No findings if only the password is missing, or if the process lacks
    /// something, which is recorded in `unread`.
    func findings(_ problem: FileProblem, _ kind: FindingKind, effects: [Effect]? = nil) -> [Finding] {
        if problem.isScarcity {
            context.unread.note(problem, at: file.path)
            return []
        }
        switch problem.kind {
        case .encrypted: return []
        case .missing: return [finding(.changedMeanwhile, found: problem.text)]
        case .changedWhileReading:
            return [
                finding(.changedMeanwhile, found: problem.text, effects: [Effect(.notChecked, .everyone)])
            ]
        case .unreadable, .refused, .interrupted:
            let roles = [role, FileRole(of: file.path, kind: .file)]
            let effects = roles.contains(where: CloudPlaceholder.isRead) ? nil : [Effect(.harmless, .nobody)]
            return [finding(.cannotBeRead, found: problem.text, effects: effects)]
        case .limit, .writeFailed:
            return [finding(.tooLarge, expected: problem.expected, found: problem.text)]
        case .damaged, .unsupported, .wrongPassword, .notARemote, .ambiguous, .unknownName:
            return [
                finding(
                    kind, offset: problem.offset, expected: problem.expected, found: problem.text,
                    effects: effects)
            ]
        }
    }
}

protocol RemoteCheck: SendableMetatype {
    /// The faults of the remote; at the level `names` only those that `context.snapshot` shows.
    static func findings(_ context: VerificationContext) -> [Finding]
}

protocol FileCheck<Content>: SendableMetatype {
    /// `SharedBytes` for files read into memory; `FilePath` for whole stores and registers, which stay on the disk.
    associatedtype Content

    static func findings(_ checked: CheckedFile, _ content: Content) -> [Finding]
}

protocol DocumentCheck: SendableMetatype {
    /// The faults of the document.
    /// - Parameter damaged: files that are known to be damaged; they get no further findings.
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding]
}
