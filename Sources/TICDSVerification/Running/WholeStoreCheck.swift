import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Decrypts and unzips a whole store into private files if necessary, and runs the checks of the store.
enum WholeStoreCheck {
    static func findings(_ checked: CheckedFile, _ head: SharedBytes) -> [Finding] {
        let isEncrypted = checked.context.keyring.needsDecryption(head)
        if isEncrypted, checked.context.keyring.key == nil { return [] }
        do throws(FileProblem) {
            guard isEncrypted else {
                let file = try checked.context.storage.onDisk(checked.file.path)
                defer { withExtendedLifetime(file) {} }
                return layer(checked, file.path)
            }
            let file = try UnnamedFile()
            let plain = file.path
            do throws(FileProblem) {
                let reader = RangeReader(checked.context.storage, checked.file.path)
                try PrivateFile.write(plain) { (output) throws(FileProblem) in
                    try checked.context.keyring.decryptPrivately(reader) { (bytes) throws(FileProblem) in
                        try output.write(bytes)
                    }
                }
            } catch  where error.kind != .writeFailed { return DecryptionFindings.of(error, checked) }
            defer { withExtendedLifetime(file) {} }
            return layer(checked, plain)
        } catch { return checked.findings(error, .cannotBeRead) }
    }

    private static func layer(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        do throws(FileProblem) {
            guard try WholeStoreKind(ofPlain: place) == .zip else { return store(checked, place) }
            let zip = ZipCheck(checked: checked, place: place)
            let findings = zip.findings()
            guard !findings.contains(where: { $0.kind.severity == .error }) else { return findings }
            let file = try UnnamedFile()
            defer { withExtendedLifetime(file) {} }
            do throws(FileProblem) {
                try zip.extract(to: file.path)
            } catch  where error.kind != .writeFailed {
                return checked.findings(error, .zipDamaged)
            }
            return findings + store(checked, file.path)
        } catch { return checked.findings(error, .wholeStoreDamaged) }
    }

    private static func store(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        Checks.run(Checks.ofFilesOnDisk[.wholeStore], checked, place)
    }
}
