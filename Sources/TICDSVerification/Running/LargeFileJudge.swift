import SystemCalls
import TICDSCore

/// A file that is larger than what may be held in memory. If it is encrypted it is authenticated in pieces.
enum LargeFileJudge {
    static func findings(_ judged: JudgedFile) -> [Finding] {
        let context = judged.context
        do throws(FileProblem) {
            let (head, size) = try judged.beginning()
            let verdict = HeaderVerdict(judged, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if context.vault.needsDecryption(head), context.vault.key != nil {
                do throws(FileProblem) {
                    let reader = RangeReader(context.storage, judged.file.path)
                    try context.vault.decryptPrivately(reader) { _ in }
                } catch {
                    return verdict.findings + DecryptionFindings.of(error, judged)
                }
            }
            let expected = "at most \(context.memoryLimit) bytes"
            return verdict.findings
                + [judged.finding(.tooLarge, expected: expected, found: "\(size) bytes")]
        } catch {
            return judged.findings(error, .cannotBeRead)
        }
    }
}
