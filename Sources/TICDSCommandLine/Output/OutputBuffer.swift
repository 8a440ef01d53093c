package import SystemCalls
package import SystemPackage

/// Bytes on their way to a file descriptor, written in blocks of 64 KiB.
///
/// A write that fails is remembered: what follows is dropped, and the next ``flush()`` throws.
package struct OutputBuffer: ~Copyable {
    static let blockSize = 65_536

    /// Nil collects everything in memory.
    private let descriptor: FileDescriptor?
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0
    private var failure: Errno?
    /// Whether the first write starts the pager.
    private var startsPager: Bool

    /// A buffer in front of `descriptor`, or one that only collects when it is nil.
    package init(_ descriptor: FileDescriptor?) { self.init(descriptor, startsPager: false) }

    /// A buffer in front of standard output for long text, which goes through the pager on a terminal.
    package static func paged() -> OutputBuffer {
        OutputBuffer(.standardOutput, startsPager: Terminal.isTerminal(.standardOutput))
    }

    /// - Parameter startsPager: whether the first write starts the pager, through which everything then goes.
    init(_ descriptor: FileDescriptor?, startsPager: Bool) {
        self.descriptor = descriptor
        self.startsPager = startsPager
        self.capacity = Self.blockSize
        self.bytes = .allocate(capacity: Self.blockSize)
    }

    /// Writes what is left. Nobody learns of an error here, so call ``flush()`` before.
    deinit {
        if let descriptor, failure == nil, used > 0 {
            // try?: there is nobody to tell
            _ = try? descriptor.writeAll(UnsafeRawBufferPointer(start: bytes, count: used))
        }
        bytes.deallocate()
    }

    /// What was collected and not yet written.
    package var collected: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: used)) }

    /// What was collected, as text.
    package var collectedText: TerminalText { TerminalText(raw: String(decoding: collected, as: UTF8.self)) }

    /// Appends what another buffer has collected.
    package mutating func append(_ other: borrowing OutputBuffer) {
        append(UnsafeRawBufferPointer(start: other.bytes, count: other.used))
    }

    /// The number of bytes that were collected and not yet written.
    package var count: Int { used }

    /// Drops what was collected behind the first `count` bytes.
    package mutating func cut(to count: Int) { used = min(used, count) }

    /// Writes everything so far.
    /// - Throws: `FileProblem` of kind `writeFailed` when this write or an earlier one failed.
    package mutating func flush() throws(FileProblem) {
        writeOut()
        guard let failure else { return }
        throw FileProblem(
            .writeFailed, path: "-", "the output cannot be written", found: "\(failure)",
            advice: "Make room, or keep the reader of the pipe alive")
    }

    /// Appends text for a terminal.
    package mutating func append(_ text: TerminalText) { append(raw: text.raw) }

    /// Appends text as it is.
    package mutating func append(raw text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends text of the program as it is.
    package mutating func append(literal text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends text and ends the line.
    package mutating func line(_ text: TerminalText = "") {
        append(text)
        append(byte: 0x0A)
    }

    /// Appends text from outside, escaped, and ends the line.
    @_disfavoredOverload
    package mutating func line(_ text: String) { line(TerminalText(text)) }

    /// Appends any number of bytes.
    mutating func append(_ source: UnsafeRawBufferPointer) {
        if source.count <= capacity - used {
            UnsafeMutableRawBufferPointer(start: bytes + used, count: source.count).copyMemory(from: source)
            used += source.count
            return
        }
        var rest = source[...]
        while !rest.isEmpty {
            reserve(Swift.min(rest.count, Self.blockSize))
            let part = rest.prefix(capacity - used)
            UnsafeMutableRawBufferPointer(start: bytes + used, count: part.count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            used += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(byte: UInt8) {
        if used == capacity { reserve(1) }
        bytes[used] = byte
        used += 1
    }

    /// Gives `body` room for `count` bytes (at most 64 KiB); it returns how many it has written.
    @inline(__always)
    mutating func fill(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(count)
        used += body(bytes + used)
    }

    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if capacity - used < count { makeRoom() }
    }

    private mutating func makeRoom() {
        guard descriptor == nil else { return writeOut() }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: bytes, count: used)
        bytes.deallocate()
        bytes = larger
        capacity *= 2
    }

    private mutating func writeOut() {
        guard let descriptor else { return }
        defer { used = 0 }
        guard failure == nil, used > 0 else { return }
        if startsPager {
            Pager.start()
            startsPager = false
        }
        do {
            _ = try descriptor.writeAll(UnsafeRawBufferPointer(start: bytes, count: used))
        } catch {
            failure = error as? Errno ?? .ioError
            Pager.endIfLeft(failure)
        }
    }
}
