/// Property lists of either form.
public enum PropertyList {
    /// The value that a list holds, XML or binary by its first bytes. Integers, reals, booleans, dates and data stay
    /// what they are; pairs keep their order.
    public static func value(of bytes: SharedBytes) throws(PropertyListError) -> ArchivedValue {
        let mark = Array("bplist".utf8)
        return bytes.array(0..<mark.count) == mark
            ? try BinaryPropertyList(bytes).value() : try XMLPropertyList.value(of: bytes)
    }
}
