package import SystemPackage

/// Bytes for a file descriptor, written in blocks of 64 KiB.
///
/// A failed write is remembered: later bytes are dropped, and the next ``writeOut()`` throws.
package struct OutputBuffer: ~Copyable {
    static let blockSize = 65_536

    /// The descriptor; nil collects everything in memory.
    private let descriptor: FileDescriptor?
    /// The columns of the terminal that shows the text; nil if the text goes elsewhere.
    package let columns: Int?
    @usableFromInline var bytes: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0
    private var failure: Errno?
    private var beforeFirstWrite: (() -> Void)?
    private let afterFailure: ((Errno) -> Void)?

    /// A buffer in front of `descriptor`, or one that only collects if it is nil.
    package init(
        _ descriptor: FileDescriptor?, columns: Int? = nil, beforeFirstWrite: (() -> Void)? = nil,
        afterFailure: ((Errno) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.columns = columns
        self.beforeFirstWrite = beforeFirstWrite
        self.afterFailure = afterFailure
        self.capacity = Self.blockSize
        self.bytes = .allocate(capacity: Self.blockSize)
    }

    /// Writes the remaining bytes. Errors are lost here; call ``writeOut()`` first.
    deinit {
        if let descriptor, failure == nil, used > 0 {
            // try?: nothing can report it
            _ = try? descriptor.writeAll(UnsafeRawBufferPointer(start: bytes, count: used))
        }
        bytes.deallocate()
    }

    /// The bytes that were collected and not yet written.
    package var collected: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: used)) }

    /// Appends the collected bytes of another buffer.
    package mutating func append(_ other: borrowing OutputBuffer) {
        append(UnsafeRawBufferPointer(start: other.bytes, count: other.used))
    }

    /// The number of bytes that were collected and not yet written.
    package var count: Int { used }

    /// Drops the collected bytes after the first `count`.
    package mutating func cut(to count: Int) { used = min(used, count) }

    /// Writes all bytes so far.
    /// - Throws: the error of this write or an earlier one.
    package mutating func writeOut() throws(Errno) {
        writeBlock()
        if let failure { throw failure }
    }

    /// Appends text as it is.
    package mutating func append(raw text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends text of the program as it is.
    package mutating func append(literal text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends any number of bytes.
    package mutating func append(_ source: UnsafeRawBufferPointer) {
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
    @inlinable
    @inline(__always)
    package mutating func append(byte: UInt8) {
        if used == capacity { reserve(1) }
        bytes[used] = byte
        used += 1
    }

    /// Gives `body` space for `count` bytes (at most 64 KiB); it returns the number of bytes that it has written.
    @inlinable
    @inline(__always)
    package mutating func fill(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(count)
        used += body(bytes + used)
    }

    @inlinable
    @inline(__always)
    mutating func reserve(_ count: Int) {
        if capacity - used < count { makeRoom() }
    }

    @usableFromInline
    mutating func makeRoom() {
        guard descriptor == nil else { return writeBlock() }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: bytes, count: used)
        bytes.deallocate()
        bytes = larger
        capacity *= 2
    }

    private mutating func writeBlock() {
        guard let descriptor else { return }
        defer { used = 0 }
        guard failure == nil, used > 0 else { return }
        beforeFirstWrite?()
        beforeFirstWrite = nil
        do {
            _ = try descriptor.writeAll(UnsafeRawBufferPointer(start: bytes, count: used))
        } catch {
            let error = error as? Errno ?? .ioError
            failure = error
            afterFailure?(error)
        }
    }
}
