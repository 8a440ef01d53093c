package import TICDSCore

/// The line that a child process writes before its command begins.
package struct ChildHeader: Sendable, Hashable {
    /// The digest of the listing; nil if a part could not be listed.
    package var digest: String?
    /// The totals of the files; nil if a part could not be listed.
    package var files: FileTotals?
    /// Whether the digest equals the one that the parent knows, so that the command did not run.
    package var isUnchanged = false

    package init() {}

    /// The line as bytes.
    package var line: [UInt8] {
        let files = files.map { "\($0.count) \($0.bytes)" } ?? "- -"
        return Array("fleet \(digest ?? "-") \(files) \(isUnchanged ? "unchanged" : "runs")\n".utf8)
    }

    /// Separates the line from the output of the command.
    static func split(_ output: [UInt8]) -> (header: ChildHeader, output: [UInt8]) {
        var header = ChildHeader()
        guard let end = output.prefix(200).firstIndex(of: 0x0A) else { return (header, output) }
        let words = String(decoding: output[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 5, words[0] == "fleet" else { return (header, output) }
        header.digest = words[1] == "-" ? nil : String(words[1])
        if let count = Int(words[2]), let bytes = Int64(words[3]) {
            header.files = FileTotals(count: count, bytes: bytes)
        }
        header.isUnchanged = words[4] == "unchanged"
        return (header, Array(output[(end + 1)...]))
    }
}
