import KeyedArchive
import SystemCalls
import TICDSCore

/// Opens a file, reads it to its end, and runs the checks of what is in it.
///
/// What uploads leave in `TemporaryFiles` is read as the files that it copies; since no client reads it again, whatever
/// is wrong there makes one note. Of integrity keys clients use the names only, and of files without a form that is known
/// it only counts that they can be read.
enum ContentsCheck {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        guard file.size > 0 else { return [] }
        let checked = CheckedFile(file: file, context: context)
        if file.role == .temporaryFile { return leftover(checked) }
        guard checked.isChecked else { return checked.unread() }
        switch file.role {
        case .salt, .integrityKey:
            let found = HeaderCheck.findings(of: file, context)
            return found.isEmpty ? checked.unread() : found
        case .wholeStore, .register: return store(checked)
        default: return small(checked)
        }
    }

    private static func leftover(_ checked: CheckedFile) -> [Finding] {
        var copy = checked.file
        switch copy.path.last {
        case RemoteLayout.wholeStoreFile: copy.role = .wholeStore
        case RemoteLayout.appliedSyncChangeSets: copy.role = .register
        default: return checked.unread()
        }
        let found = store(CheckedFile(file: copy, context: checked.context))
        if var unread = found.first(where: { $0.kind.isUnread }) {
            unread.affected = [Affected(.harmless, clients: [])]
            return [unread]
        }
        let damage = found.first { $0.kind.severity == .error || $0.kind == .storeAltered }
        return damage.map { bad in
            [
                checked.finding(
                    .leftoverDamaged, offset: bad.offset, expected: bad.expected,
                    found: bad.found ?? bad.kind.title)
            ]
        } ?? []
    }

    /// Stores of the application and registers, which may be of any size.
    private static func store(_ checked: CheckedFile) -> [Finding] {
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            if let finding = try checked.contentNotHere(head) { return [finding] }
            let verdict = HeaderVerdict(checked, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if checked.role == .wholeStore {
                return verdict.findings + WholeStoreCheck.findings(checked, head)
            }
            return verdict.findings + Checks.run(Checks.ofFilesOnDisk[checked.role], checked, checked.place)
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
    }

    /// Files that are opened in memory.
    private static func small(_ checked: CheckedFile) -> [Finding] {
        let context = checked.context
        let bytes: PrivateBytes
        do throws(FileProblem) {
            bytes = try context.storage.readPrivately(checked.file.path, limit: context.readLimit)
        } catch  where error.kind == .limit {
            return LargeFileCheck.findings(checked)
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
        let head = SharedBytes(Array(bytes.memory.prefix(PlainSignature.headSize)))
        do throws(FileProblem) {
            if let finding = try checked.contentNotHere(head) { return [finding] }
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
        let verdict = HeaderVerdict(checked, head, size: Int64(bytes.memory.count))
        guard verdict.goesOn else { return verdict.findings }
        // What clients never encrypt is plain in an encrypted remote, too.
        guard checked.role.isEncryptedByClients else {
            return verdict.findings + contents(checked, bytes.shared(0..<bytes.memory.count))
        }
        do throws(FileProblem) {
            let plain = try context.keyring.plainBytes(bytes, path: checked.place)
            return verdict.findings + contents(checked, plain)
        } catch {
            return verdict.findings + DecryptionFindings.of(error, checked)
        }
    }

    private static func contents(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        Checks.run(Checks.ofFilesInMemory[checked.role], checked, bytes)
    }
}
