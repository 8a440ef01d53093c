import SystemCalls
import TICDSCore

/// A file that is larger than what may be held in memory. If it is encrypted it is authenticated in pieces.
enum LargeFileCheck {
    static func findings(_ checked: CheckedFile) -> [Finding] {
        let context = checked.context
        do throws(FileProblem) {
            let (head, size) = try checked.beginning()
            let verdict = HeaderVerdict(checked, head, size: size)
            guard verdict.goesOn else { return verdict.findings }
            if context.keyring.needsDecryption(head), context.keyring.key != nil {
                do throws(FileProblem) {
                    let reader = RangeReader(context.storage, checked.file.path)
                    try context.keyring.decryptPrivately(reader) { _ in }
                } catch {
                    return verdict.findings + DecryptionFindings.of(error, checked)
                }
            }
            let expected = "at most \(context.memoryLimit) bytes"
            return verdict.findings
                + [checked.finding(.tooLarge, expected: expected, found: "\(size) bytes")]
        } catch {
            return checked.findings(error, .cannotBeRead)
        }
    }
}
