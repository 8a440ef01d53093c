import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Judges a whole store: takes its layers off, in a private file where that is needed, and opens it.
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
                return try StoreJudge.findings(judged, at: place)
            }
            let zip = ZipJudge(judged, place)
            var findings = zip.findings()
            guard !findings.contains(where: { $0.kind.severity == .error }) else { return findings }
            let file = try UnnamedFile()
            defer { withExtendedLifetime(file) {} }
            let store = file.path
            do throws(FileProblem) {
                try zip.extract(to: store)
            } catch  where error.kind != .writeFailed {
                return judged.findings(error, .zipDamaged)
            }
            findings += try StoreJudge.findings(judged, at: store)
            return findings
        } catch {
            return judged.findings(error, .wholeStoreDamaged)
        }
    }
}
