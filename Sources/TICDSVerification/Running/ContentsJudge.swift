import KeyedArchive
import SystemCalls
import TICDSCore

/// Opens a file, reads it to its end, and runs the checks of what is in it.
///
/// What uploads leave in `TemporaryFiles` is read as the files that it copies; since no client reads it again, whatever
/// is wrong there makes one note. Of integrity keys clients use the names only, and of files without a form that is known
/// it only counts that they can be read.
enum ContentsJudge {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        guard file.size > 0 else { return [] }
        let judged = JudgedFile(file: file, context: context)
        if file.role == .temporaryFile { return leftover(judged) }
        guard judged.isJudged else { return judged.unread() }
        switch file.role {
        case .salt, .integrityKey:
            let found = HeaderJudge.findings(of: file, context)
            return found.isEmpty ? judged.unread() : found
        case .wholeStore, .register: return store(judged)
        default: return small(judged)
        }
    }

    private static func leftover(_ judged: JudgedFile) -> [Finding] {
        var copy = judged.file
        switch copy.path.last {
        case RemoteLayout.wholeStoreFile: copy.role = .wholeStore
        case RemoteLayout.appliedSyncChangeSets: copy.role = .register
        default: return judged.unread()
        }
        let found = store(JudgedFile(file: copy, context: judged.context))
        if var unread = found.first(where: { $0.kind.isUnread }) {
            unread.affected = [Affected(.harmless, clients: [])]
            return [unread]
        }
        let damage = found.first { $0.kind.severity == .error || $0.kind == .storeAltered }
        return damage.map { bad in
            [
                judged.finding(
                    .leftoverDamaged, offset: bad.offset, expected: bad.expected,
                    found: bad.found ?? bad.kind.title)
            ]
        } ?? []
    }

    /// Stores of the application and registers, which may be of any size.
    private static func store(_ judged: JudgedFile) -> [Finding] {
        do throws(FileProblem) {
            let (head, size) = try judged.beginning()
            if let finding = try judged.contentNotHere(head) { return [finding] }
            let verdict = HeaderVerdict(judged, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if judged.role == .wholeStore { return verdict.findings + WholeStoreJudge.findings(judged, head) }
            return verdict.findings + Checks.run(Checks.ofFilesOnDisk[judged.role], judged, judged.place)
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
    }

    /// Files that are opened in memory.
    private static func small(_ judged: JudgedFile) -> [Finding] {
        let context = judged.context
        let bytes: PrivateBytes
        do throws(FileProblem) {
            bytes = try context.storage.readPrivately(judged.file.path, limit: context.readLimit)
        } catch  where error.kind == .limit {
            return LargeFileJudge.findings(judged)
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
        let head = SharedBytes(Array(bytes.memory.prefix(PlainSignature.headSize)))
        do throws(FileProblem) {
            if let finding = try judged.contentNotHere(head) { return [finding] }
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
        let verdict = HeaderVerdict(judged, head, size: Int64(bytes.memory.count))
        guard verdict.goesOn else { return verdict.findings }
        // What clients never encrypt is plain in an encrypted remote, too.
        guard judged.role.isEncryptedByClients else {
            return verdict.findings + contents(judged, bytes.shared(0..<bytes.memory.count))
        }
        do throws(FileProblem) {
            let plain = try context.vault.plainBytes(bytes, path: judged.place)
            return verdict.findings + contents(judged, plain)
        } catch {
            return verdict.findings + DecryptionFindings.of(error, judged)
        }
    }

    private static func contents(_ judged: JudgedFile, _ bytes: SharedBytes) -> [Finding] {
        Checks.run(Checks.ofFilesInMemory[judged.role], judged, bytes)
    }
}
