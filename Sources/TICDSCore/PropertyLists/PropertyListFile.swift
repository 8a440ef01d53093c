public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Property lists as files: XML or binary, told apart by the bytes.
public enum PropertyListFile {
    /// Lists above this size in bytes are refused: the framework's own have a few hundred.
    public static let sizeLimit = ReadLimit.propertyList.bytes

    /// The value that a list holds. Integers, reals, booleans, dates and data stay what they are; pairs keep their
    /// order.
    /// - Parameters:
    ///   - bytes: the plain bytes of the file.
    ///   - path: the file, for errors.
    /// - Throws: `.damaged` with the offset, or `.limit`.
    public static func value(of bytes: SharedBytes, path: FilePath) throws(FileProblem) -> ArchivedValue {
        guard bytes.count <= sizeLimit else {
            throw FileProblem(
                .limit, path: path, "too large for a property list", expected: "at most \(sizeLimit) bytes",
                found: "\(bytes.count)")
        }
        guard bytes.count > 0 else {
            throw FileProblem(.damaged, path: path, offset: 0, "the property list is empty")
        }
        do throws(PropertyListError) {
            return try PropertyList.value(of: bytes)
        } catch {
            throw FileProblem(error, path: path)
        }
    }
}
