import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Takes the layers off a whole store, in a private file where that is needed, and runs the checks of the store inside.
enum WholeStoreJudge {
    /// - Parameter head: the first bytes of the file.
    static func findings(_ judged: JudgedFile, _ head: SharedBytes) -> [Finding] {
        guard judged.context.vault.needsDecryption(head) else {
            return layer(judged, judged.place)
        }
        guard judged.context.vault.key != nil else { return [] }
        do throws(FileProblem) {
            let file = try UnnamedFile()
            let plain = file.path
            do throws(FileProblem) {
                let reader = RangeReader(judged.context.storage, judged.file.path)
                try PrivateFile.write(plain) { (output) throws(FileProblem) in
                    try judged.context.vault.decryptPrivately(reader) { (bytes) throws(FileProblem) in
                        try output.write(bytes)
                    }
                }
            } catch  where error.kind != .writeFailed {
                return DecryptionFindings.of(error, judged)
            }
            defer { withExtendedLifetime(file) {} }
            return layer(judged, plain)
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
    }

    /// Judges a plain file: a zip, or the store itself.
    private static func layer(_ judged: JudgedFile, _ place: FilePath) -> [Finding] {
        do throws(FileProblem) {
            guard try WholeStoreKind(ofPlain: place) == .zip else {
                return store(judged, place)
            }
            let zip = ZipJudge(judged, place)
            let findings = zip.findings()
            guard !findings.contains(where: { $0.kind.severity == .error }) else { return findings }
            let file = try UnnamedFile()
            defer { withExtendedLifetime(file) {} }
            do throws(FileProblem) {
                try zip.extract(to: file.path)
            } catch  where error.kind != .writeFailed {
                return judged.findings(error, .zipDamaged)
            }
            return findings + store(judged, file.path)
        } catch {
            return judged.findings(error, .wholeStoreDamaged)
        }
    }

    private static func store(_ judged: JudgedFile, _ place: FilePath) -> [Finding] {
        Checks.run(Checks.ofFilesOnDisk[.wholeStore], judged, place)
    }
}
