/// What is wrong with a binary property list or a keyed archive, and where.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Offset in bytes from the start of the file that holds the archive.
    public var offset: Int
    /// What a sound file has there.
    public var expected: String
    /// What this file has there.
    public var found: String

    /// An error at `offset`, in bytes from the start of the file.
    public init(offset: Int, expected: String, found: String) {
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    public var description: String { "offset \(offset): expected \(expected), found \(found)" }
}
