import KeyedArchive
import SystemCalls
import SystemPackage

@testable import Base
@testable import TICDSCommandLine
@testable import TICDSCore
@testable import TICDSDataCommands

private let place = ChangePlace(document: "a", client: nil, changeSet: "fuzz")

/// The lines that `dump --json` writes from the bytes of a set must be those of its decoded changes.
@Sendable func writeLines(_ bytes: SharedBytes) {
    guard let transcript = ChangeTranscript(bytes, place, workers: 2) else { return }
    var written = JSONWriter(nil)
    let count = transcript.write(to: &written)
    var decoded = JSONWriter(nil)
    do throws(FileProblem) {
        try ChangeSetReader(bytes, path: "fuzz").forEachRecord(
            at: place,
            onDamage: { problem throws(FileProblem) in
                if count == nil { throw problem }
            },
            { record throws(FileProblem) in
                if record.sequence > count ?? .max { return }
                ChangeLines.write(record, to: &decoded)
            })
    } catch {
        if count != 0 { finding("lines of a set that cannot be read: \(error)") }
    }
    guard written.text.utf8.elementsEqual(decoded.text.utf8) else {
        finding("written \(written.text)\ndecoded \(decoded.text)")
    }
}
