import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The file that is being checked, and the findings about it.
struct CheckedFile {
    let file: ExaminedFile
    let context: VerificationContext

    init(file: ExaminedFile, context: VerificationContext) {
        self.file = file
        self.context = context
    }

    /// Where the file lies on this machine.
    var place: FilePath { file.path.filePath(under: context.root) }

    var role: FileRole { file.role }

    /// The first bytes of the file as it is now, and its size.
    func beginning() throws(FileProblem) -> (head: SharedBytes, size: Int64) {
        let opened = try context.storage.open(file.path)
        return (try opened.head(count: PlainSignature.headSize), try opened.status().size)
    }

    /// The finding for a file that has blocks but no content: told by its bytes, of which `head` are the first.
    func contentNotHere(_ head: SharedBytes) throws(FileProblem) -> Finding? {
        guard AbsentContent.isRead(role), head.withUnsafeBytes({ AbsentContent.of($0) }) != nil,
            let absence = try AbsentContent.of(try context.storage.open(file.path))
        else { return nil }
        return finding(
            .contentNotHere, found: absence.text, bytes: file.size,
            effects: context.effects(ofLost: file.path))
    }

    /// Reads the file to its end, whatever is in it; a finding where that fails, or where it is too large to be read.
    func unread() -> [Finding] {
        do throws(FileProblem) {
            try ReadLimit.anyFile.check(file.size, place)
            let opened = try context.storage.open(file.path)
            let count = min(256 << 10, Int(clamping: file.size) +| 1)
            let piece = try PrivateBytes(count: count, path: place)
            var offset = 0
            while true {
                let read = try opened.read(into: piece.memory, at: offset)
                if read < count { return [] }
                offset += read  // bounded: an offset in a file
            }
        } catch {
            return findings(error, .cannotBeRead)
        }
    }

    func finding(
        _ kind: FindingKind, subject: String? = nil, offset: Int? = nil, expected: String? = nil,
        found: String? = nil, bytes: Int64? = nil, effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            kind, at: file.path, document: file.document, client: file.client, subject: subject,
            offset: offset, expected: expected, found: found, bytes: bytes, effects: effects)
    }

    /// What a problem of the file amounts to: `kind` where the file itself is to blame, and else the finding for files
    /// that cannot be read, have changed, or find no room to be opened in. None for what only lacks a password.
    func findings(_ problem: FileProblem, _ kind: FindingKind, effects: [Effect]? = nil) -> [Finding] {
        switch problem.kind {
        case .encrypted: return []
        case .missing, .changedWhileReading: return [finding(.changedMeanwhile, found: problem.text)]
        case .unreadable, .refused, .interrupted:
            let roles = [role, FileRole(of: file.path, kind: .file)]
            let effects = roles.contains(where: AbsentContent.isRead) ? nil : [Effect(.harmless, .nobody)]
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
