/// A fault of a property list or a keyed archive.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in bytes from the start of the file that contains the archive.
    public var offset: Int
    /// The content of an intact file at the offset.
    public var expected: String
    /// The content of this file at the offset.
    public var found: String

    /// An error at `offset`, in bytes from the start of the file.
    public init(offset: Int, expected: String, found: String) {
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    public var description: String { "offset \(offset): expected \(expected), found \(found)" }
}
