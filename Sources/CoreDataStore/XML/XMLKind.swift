public import Base

/// The kind of an XML file, by its first bytes. `<?xml` alone can begin a store or a property list
/// (core-data-xml-store(5), 1-1).
public enum XMLKind: Sendable, Hashable {
    /// A store of Core Data's XML type: its DOCTYPE or root element is `database`.
    case store
    /// A property list.
    case propertyList
    /// Other XML, or XML without a root element in the first `headSize` bytes.
    case other

    /// The number of bytes that show whether a file is XML.
    public static let signatureSize = 64
    /// The number of bytes that show the kind, for files that Core Data or Core Foundation wrote.
    public static let headSize = 1024

    /// The kind of a file; nil if the bytes do not begin like XML.
    /// - Parameter head: the first `headSize` bytes of a file, fewer if the file is shorter.
    public init?(_ head: SharedBytes) {
        guard Self.isXML(head) else { return nil }
        var rest = Self.withoutMark(head.array(0..<Self.headSize)[...])
        while let end = Self.endOfMarkup(rest) { rest = Self.withoutSpace(Self.dropping(rest, past: end)) }
        let doctype = "<!DOCTYPE"
        if rest.starts(with: doctype.utf8) {
            rest = Self.withoutSpace(rest.dropFirst(doctype.utf8.count))
        } else if rest.first == UInt8(ascii: "<") {
            rest = rest.dropFirst()
        } else {
            rest = []
        }
        if rest.starts(with: "database".utf8) {
            self = .store
        } else if rest.starts(with: "plist".utf8) {
            self = .propertyList
        } else {
            self = .other
        }
    }

    /// Whether a file begins like XML, perhaps after a byte order mark and white space.
    /// - Parameter head: the first `signatureSize` bytes of a file, fewer if the file is shorter.
    public static func isXML(_ head: SharedBytes) -> Bool {
        let rest = withoutMark(head.array(0..<signatureSize)[...])
        return beginnings.contains { rest.starts(with: $0.utf8) }
    }

    private static let beginnings = [
        "<?xml", "<plist", "<!DOCTYPE plist", "<database", "<!DOCTYPE database",
    ]

    private static func withoutMark(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        withoutSpace(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes)
    }

    private static func withoutSpace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The end mark of the declaration, processing instruction or comment that begins here; otherwise nil.
    private static func endOfMarkup(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        if bytes.starts(with: "<?".utf8) { return Array("?>".utf8) }
        return bytes.starts(with: "<!--".utf8) ? Array("-->".utf8) : nil
    }

    /// The bytes after `end`; no bytes if it does not occur.
    private static func dropping(_ bytes: ArraySlice<UInt8>, past end: [UInt8]) -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
        return rest.dropFirst(end.count)
    }
}
