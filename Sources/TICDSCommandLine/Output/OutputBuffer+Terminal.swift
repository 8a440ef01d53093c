package import Base
package import SystemCalls
package import SystemPackage

extension FilePath {
    /// The name of standard output in an error.
    package static let standardOutput: FilePath = "standard output"
}

extension OutputBuffer {
    /// A buffer in front of standard output for long lines that fit the terminal already, which go through the pager.
    package static func paged() -> OutputBuffer {
        OutputBuffer(.standardOutput, startsPager: Terminal.isTerminal(.standardOutput))
    }

    /// A buffer for what the user must read before a question.
    package static func preface() -> OutputBuffer { OutputBuffer(nil, columns: Terminal.controllingWidth) }

    /// - Parameters:
    ///   - columns: the width at which lines of text are broken; nil for no limit.
    ///   - startsPager: whether the first write starts the pager, through which all output then goes.
    init(_ descriptor: FileDescriptor?, columns: Int? = nil, startsPager: Bool) {
        self.init(
            descriptor, columns: columns, beforeFirstWrite: startsPager ? { Pager.start() } : nil,
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

    /// Appends a line of text; on a terminal that is too narrow for it several, broken between words. A command stays
    /// whole, so that it can be copied.
    /// - Parameters:
    ///   - hanging: the columns by which the lines after the first are indented further than the first.
    ///   - most: the columns after which a line is broken wherever it goes; nil for no limit.
    package mutating func line(_ text: TerminalText = "", hanging: Int = 2, most: Int? = nil) {
        for part in text.lines(width: min(columns ?? .max, most ?? .max), hanging: hanging) {
            append(part)
            append(byte: 0x0A)
        }
    }

    /// Appends a row of a table, which stays one line on every terminal.
    package mutating func row(_ text: TerminalText) {
        append(text)
        append(byte: 0x0A)
    }

    /// Appends a line of text from outside, escaped.
    @_disfavoredOverload
    package mutating func line(_ text: String, hanging: Int = 2, most: Int? = nil) {
        line(TerminalText(text), hanging: hanging, most: most)
    }
}

extension JSONWriter {
    /// Writes the remaining bytes.
    /// - Throws: `FileProblem` of kind `writeFailed` if this write or an earlier one failed.
    package mutating func flush() throws(FileProblem) { try output.flush() }
}
