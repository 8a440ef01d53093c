public import Base
import KeyedArchive

/// The content of the file whose name is the integrity key. No client reads it (ticds-remote-format(5), 1.4).
public enum IntegrityKeyContent: Hashable, Sendable {
    /// As the framework writes it: the client that created the document.
    case device(String)
    /// Not a single byte. Tools make such keys.
    case empty
    /// Anything else, and how it differs.
    case other(String)
    /// The reason why it could not be read.
    case unreadable(String)

    /// The content of a file with these bytes.
    public init(_ bytes: SharedBytes) {
        guard bytes.count > 0 else {
            self = .empty
            return
        }
        do throws(PropertyListError) {
            let reader = try KeyedArchiveReader(bytes)
            let value = try reader.value(of: try reader.root())
            self = Self.classify(value)
        } catch {
            self = .other("not a keyed archive: \(error.expected) was expected, \(error.found) was found")
        }
    }

    /// The client that created the document, where the content tells.
    public var originalDevice: String? {
        if case .device(let client) = self { client } else { nil }
    }

    private static func classify(_ value: ArchivedValue) -> IntegrityKeyContent {
        guard let pairs = value.pairs else { return .other("an archive of something else than a dictionary") }
        guard pairs.count == 1, let device = value[DocumentInfo.originalDeviceIdentifierKey]?.stringValue
        else {
            return .other("not a dictionary with \(DocumentInfo.originalDeviceIdentifierKey) alone")
        }
        return .device(device)
    }
}
