import Base
package import SystemCalls
package import TICDSCore

/// Opens a file, reads it to its end, and runs the checks of its contents.
///
/// Leftovers in `TemporaryFiles` are checked like the files of the upload, but make at most one note, since no client
/// reads them. Integrity keys, and files without a known form, only have to be readable.
package enum ContentsCheck {
    package static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        let checked = CheckedFile(file: file, context: context)
        guard file.size > 0 else { return HeaderCheck.ofEmpty(checked) }
        if file.role == .temporaryFile { return leftover(checked) }
        guard checked.isChecked else { return checked.unread() }
        switch file.role {
        case .salt, .integrityKey:
            let found = HeaderCheck.findings(of: file, context)
            return found.isEmpty ? checked.unread() : found
        case .wholeStore, .register: return store(checked)
        default: return checked.context.inMemory(file.size) { small(checked) }
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

    /// Checks whole stores and registers, which may have any size and stay on disk.
    private static func store(_ checked: CheckedFile) -> [Finding] {
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            if let finding = try checked.contentNotHere(head) { return [finding] }
            let verdict = HeaderOutcome(checked, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if checked.role == .wholeStore {
                return verdict.findings + WholeStoreCheck.findings(checked, head)
            }
            let file = try checked.context.storage.onDisk(checked.file.path)
            defer { withExtendedLifetime(file) {} }
            return verdict.findings + Checks.run(Checks.ofFilesOnDisk[checked.role], checked, file.path)
        } catch { return checked.findings(error, .cannotBeRead) }
    }

    private static func small(_ checked: CheckedFile) -> [Finding] {
        let context = checked.context
        let bytes: PrivateBytes
        do throws(FileProblem) {
            let isSet = checked.role == .changeSet || checked.role == .commandSet
            let limit = isSet ? context.readLimit : context.smallLimit
            bytes = try context.storage.readPrivately(checked.file.path, limit: limit)
        } catch  where error.kind == .limit && !error.isScarcity {
            return LargeFileCheck.findings(checked, error)
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
        let head = SharedBytes(Array(bytes.memory.prefix(PlainSignature.headSize)))
        do throws(FileProblem) {
            if let finding = try checked.contentNotHere(head) { return [finding] }
        } catch { return checked.findings(error, .cannotBeRead) }
        let verdict = HeaderOutcome(checked, head, size: Int64(bytes.memory.count))
        guard verdict.goesOn else { return verdict.findings }
        // Some files are unencrypted even in an encrypted remote.
        guard checked.role.isEncryptedByClients else {
            return verdict.findings + contents(checked, bytes.shared(0..<bytes.memory.count))
        }
        do throws(FileProblem) {
            let plain = try context.keyring.plainBytes(bytes, path: checked.place)
            return verdict.findings + contents(checked, plain)
        } catch { return verdict.findings + DecryptionFindings.of(error, checked) }
    }

    private static func contents(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        Checks.run(Checks.ofFilesInMemory[checked.role], checked, bytes)
    }
}

extension VerificationContext {
    /// The findings about the contents of one file.
    /// - Throws: what the process lacked for the file, such as memory.
    package func contentsFindings(of file: ExaminedFile) throws(FileProblem) -> [Finding] {
        let findings = ContentsCheck.findings(of: file, self)
        if let scarcity = unread.scarcity(at: file.path) { throw scarcity }
        return findings
    }
}

/// Checks a file that is too large for the memory limit. An encrypted file is authenticated in pieces.
enum LargeFileCheck {
    static func findings(_ checked: CheckedFile, _ problem: FileProblem) -> [Finding] {
        let context = checked.context
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            let verdict = HeaderOutcome(checked, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if context.keyring.needsDecryption(head), context.keyring.key != nil {
                do throws(FileProblem) {
                    let reader = RangeReader(context.storage, checked.file.path)
                    try context.keyring.decryptPrivately(reader) { _ in }
                } catch { return verdict.findings + DecryptionFindings.of(error, checked) }
            }
            let found = checked.finding(.tooLarge, expected: problem.expected, found: "\(size) bytes")
            return verdict.findings + [found]
        } catch { return checked.findings(error, .cannotBeRead) }
    }
}
