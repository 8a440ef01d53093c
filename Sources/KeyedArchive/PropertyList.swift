public import Base

/// Reads property lists of both forms.
public enum PropertyList {
    /// The value of a property list, binary if it begins with `bplist`, otherwise XML. Integers, reals, booleans, dates
    /// and data keep their types; the keys of a dictionary keep their order.
    public static func value(of bytes: SharedBytes) throws(PropertyListError) -> ArchivedValue {
        let mark = Array("bplist".utf8)
        return bytes.array(0..<mark.count) == mark
            ? try BinaryPropertyList(bytes).value() : try XMLPropertyList.value(of: bytes)
    }
}
