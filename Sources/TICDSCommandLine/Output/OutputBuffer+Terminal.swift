package import Base
package import SystemCalls
package import SystemPackage

extension FilePath {
    /// The name of standard output in an error.
    package static let standardOutput: FilePath = "standard output"
}

extension OutputBuffer {
    /// A buffer in front of standard output for long text, which goes through the pager on a terminal.
    package static func paged() -> OutputBuffer {
        OutputBuffer(.standardOutput, startsPager: Terminal.isTerminal(.standardOutput))
    }

    /// - Parameter startsPager: whether the first write starts the pager, through which all output then goes.
    init(_ descriptor: FileDescriptor?, startsPager: Bool) {
        self.init(
            descriptor, beforeFirstWrite: startsPager ? { Pager.start() } : nil,
            afterFailure: { Pager.endIfLeft($0) })
    }

    /// Collected bytes as text.
    package var collectedText: TerminalText { TerminalText(raw: String(decoding: collected, as: UTF8.self)) }

    /// Writes all bytes so far.
    /// - Throws: `FileProblem` of kind `writeFailed` if this write or an earlier one failed.
    package mutating func flush() throws(FileProblem) {
        do throws(Errno) {
            try writeOut()
        } catch {
            Pager.endIfLeft(error)
            throw FileProblem(
                .writeFailed, path: FilePath.standardOutput, "the output cannot be written",
                found: "\(error)",
                advice: "Make room, or keep the reader of the pipe alive")
        }
    }

    /// Appends text for a terminal.
    package mutating func append(_ text: TerminalText) { append(raw: text.raw) }

    /// Appends text and ends the line.
    package mutating func line(_ text: TerminalText = "") {
        append(text)
        append(byte: 0x0A)
    }

    /// Appends text from outside, escaped, and ends the line.
    @_disfavoredOverload
    package mutating func line(_ text: String) { line(TerminalText(text)) }
}

extension JSONWriter {
    /// Writes the remaining bytes.
    /// - Throws: `FileProblem` of kind `writeFailed` if this write or an earlier one failed.
    package mutating func flush() throws(FileProblem) { try output.flush() }
}
