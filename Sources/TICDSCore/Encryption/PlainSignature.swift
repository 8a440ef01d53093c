import CoreDataStore
public import KeyedArchive

/// What the first bytes of a file say that it is. Encrypted files have no signature (ticds-protocol(7), 6.2), so
/// that a file without any of these in an encrypted remote is taken for an encrypted one. Names and extensions say
/// nothing.
public enum PlainSignature: String, Sendable, Hashable, CaseIterable {
    /// A Core Data binary store.
    case binaryStore
    /// An SQLite database: a store or a register.
    case sqlite
    /// A zip, in which some variants upload whole stores.
    case zip
    /// A binary property list.
    case binaryPropertyList
    /// An XML property list, or a store of Core Data's XML type (core-data-xml-store(5), 1-1).
    case xml

    /// Number of bytes that suffice to tell.
    public static let headSize = XMLKind.signatureSize

    /// nil where the bytes begin like none of these.
    public init?(_ head: SharedBytes) {
        if let known = Self.magics.first(where: { head.starts(with: $0.bytes) }) {
            self = known.signature
        } else if XMLKind.isXML(head) {
            self = .xml
        } else {
            return nil
        }
    }

    private static let magics: [(signature: PlainSignature, bytes: [UInt8])] = [
        (.binaryStore, Array("CoreData".utf8)),
        (.sqlite, Array("SQLite format 3\0".utf8)),
        (.zip, [0x50, 0x4B, 0x03, 0x04]),
        (.zip, [0x50, 0x4B, 0x05, 0x06]),
        (.binaryPropertyList, Array("bplist00".utf8)),
    ]
}
