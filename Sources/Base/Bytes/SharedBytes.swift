/// Immutable bytes that several readers share without copying. A slice keeps the memory of its parent alive.
///
/// The bytes never change, so that a checked value stays valid.
public struct SharedBytes: @unchecked Sendable {
    @usableFromInline let storage: Storage
    /// The first byte, in the memory of `storage`.
    @usableFromInline let start: UnsafeRawPointer?
    /// The number of bytes.
    public let count: Int

    /// Copies the bytes of an array.
    public init(_ array: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: array.count, alignment: 16)
        copy.copyBytes(from: array)
        self.init(adopting: UnsafeRawBufferPointer(copy)) { $0.deallocate() }
    }

    /// Adopts memory that no other code changes; calls `release` once, when the last slice is freed.
    public init(
        adopting memory: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        storage = Storage(memory: memory, release: release)
        start = memory.baseAddress
        count = memory.count
    }

    @usableFromInline
    init(storage: Storage, start: UnsafeRawPointer?, count: Int) {
        self.storage = storage
        self.start = start
        self.count = count
    }

    /// The byte at `offset`; nil if it is out of range.
    @inlinable
    public func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < count else { return nil }
        return withUnsafeBytes { $0[offset] }
    }

    /// The bytes of `range` without copying; nil if it is out of range.
    @inlinable
    public func slice(_ range: Range<Int>) -> SharedBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return SharedBytes(storage: storage, start: start.map { $0 + range.lowerBound }, count: range.count)
    }

    /// A copy of the bytes of `range`, clamped to the bytes that exist.
    @inlinable
    public func array(_ range: Range<Int>) -> [UInt8] {
        let inside = range.clamped(to: 0..<count)
        return withUnsafeBytes { Array($0[inside]) }
    }

    /// A copy of all bytes.
    @inlinable
    public var array: [UInt8] { array(0..<count) }

    /// Calls `body` with the bytes, which are valid during the call only.
    @inlinable
    @inline(__always)
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The unsigned big-endian number in the `width` bytes (1 to 8) at `offset`; nil if they are out of range.
    @inlinable
    public func number(at offset: Int, width: Int) -> UInt64? {
        guard (1...8).contains(width), offset >= 0, offset <= count - width else { return nil }
        return bigEndian(at: offset, width: width)
    }

    /// The unsigned big-endian number in the `width` bytes (1 to 8) at `offset`, which must be in range.
    @inlinable
    @inline(__always)
    package func bigEndian(at offset: Int, width: Int) -> UInt64 {
        guard let start, offset >= 0, offset <= count &- 8 else {
            return bigEndianNearEnd(at: offset, width: width)
        }
        defer { withExtendedLifetime(storage) {} }
        let bits = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(bigEndian: bits) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    /// The number at `offset` near the end, where an eight-byte load is not possible.
    @usableFromInline
    @inline(never)
    func bigEndianNearEnd(at offset: Int, width: Int) -> UInt64 {
        array(offset..<offset + width).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the bytes begin with `prefix`.
    @inlinable
    public func starts(with prefix: [UInt8]) -> Bool {
        count >= prefix.count && withUnsafeBytes { $0.starts(with: prefix) }
    }

    @usableFromInline
    final class Storage: @unchecked Sendable {
        let memory: UnsafeRawBufferPointer
        let release: @Sendable (UnsafeRawBufferPointer) -> Void

        init(memory: UnsafeRawBufferPointer, release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
            self.memory = memory
            self.release = release
        }

        deinit { release(memory) }
    }
}
