public import Base

/// A binary property list, read in place. Opening reads the trailer; each object is decoded when a caller requests it.
///
/// The list checks every offset and count before use. Errors give offsets from the start of the file.
public struct BinaryPropertyList: Sendable {
    /// The bytes of the list, with header and trailer.
    public let bytes: SharedBytes
    /// The number of objects in the offset table.
    public let objectCount: Int
    /// The index of the top object.
    public let top: Int
    let baseOffset: Int
    let offsetTable: Int
    let offsetWidth: Int
    let referenceWidth: Int

    static let headerSize = 8
    static let trailerSize = 32
    static let magic = Array("bplist0".utf8)

    /// Opens a list. `baseOffset` is its offset in the file, which only errors use.
    public init(_ bytes: SharedBytes, baseOffset: Int = 0) throws(PropertyListError) {
        func failure(_ offset: Int, _ expected: String, _ found: String) -> PropertyListError {
            PropertyListError(offset: baseOffset + offset, expected: expected, found: found)
        }
        guard bytes.count >= Self.magic.count + 1 + Self.trailerSize else {
            throw failure(0, "a binary property list of at least 40 bytes", "\(bytes.count) bytes")
        }
        guard bytes.starts(with: Self.magic) else {
            throw failure(0, "the magic \"bplist0\"", bytes.array(0..<8).hexadecimalText)
        }
        let trailer = bytes.count - Self.trailerSize
        func number(_ offset: Int, width: Int = 8) -> UInt64 {
            bytes.bigEndian(at: trailer + offset, width: width)
        }
        offsetWidth = Int(number(6, width: 1))
        referenceWidth = Int(number(7, width: 1))
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
            throw failure(
                trailer + 6, "integer widths of 1 to 8 bytes", "\(offsetWidth) and \(referenceWidth)")
        }
        guard let table = Int(exactly: number(24)), table >= 9, table <= trailer else {
            throw failure(trailer + 24, "an offset table before the trailer at \(trailer)", "\(number(24))")
        }
        let capacity = (trailer - table) / offsetWidth
        guard let count = Int(exactly: number(8)), count >= 1, count <= capacity else {
            throw failure(trailer + 8, "1 to \(capacity) objects", "\(number(8))")
        }
        guard let top = Int(exactly: number(16)), top < count else {
            throw failure(trailer + 16, "a top object below \(count)", "\(number(16))")
        }
        self.bytes = bytes
        self.baseOffset = baseOffset
        self.objectCount = count
        self.top = top
        self.offsetTable = table
    }

    /// The offset of the object `index`, from the offset table.
    @inline(__always)
    func offset(of index: Int) throws(PropertyListError) -> Int {
        guard index >= 0, index < objectCount else {
            throw failure(at: offsetTable, "an object below \(objectCount)", "object \(index)")
        }
        let entry = offsetTable + index * offsetWidth
        let offset = bytes.bigEndian(at: entry, width: offsetWidth)
        guard offset >= 8, offset < UInt64(offsetTable) else {
            throw failure(at: entry, "an object offset from 8 to \(offsetTable - 1)", "\(offset)")
        }
        return Int(offset)
    }

    /// The object index at `position` of a run of references.
    @inline(__always)
    public func reference(_ references: PropertyListReferences, _ position: Int) throws(PropertyListError)
        -> Int
    {
        guard position >= 0, position < references.count else {
            throw failure(at: references.offset, "a position below \(references.count)", "\(position)")
        }
        let place = references.offset + position * referenceWidth
        let index = bytes.bigEndian(at: place, width: referenceWidth)
        guard index < UInt64(objectCount) else {
            throw failure(at: place, "an object below \(objectCount)", "object \(index)")
        }
        return Int(index)
    }

    /// Makes an error. It is not inlined, and has autoclosures, so that the hot path contains no code that makes texts.
    @inline(never)
    func failure(
        at offset: Int, _ expected: @autoclosure () -> String, _ found: @autoclosure () -> String
    ) -> PropertyListError {
        PropertyListError(offset: baseOffset + offset, expected: expected(), found: found())
    }
}

/// A run of contiguous object references in an array, set or dictionary.
public struct PropertyListReferences: Sendable {
    let offset: Int
    /// The number of references.
    public let count: Int
}
