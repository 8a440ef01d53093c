public import Base
import KeyedArchive

/// The content of the file whose name is the integrity key. No client reads it (ticds-remote-format(5), 1.4).
public enum IntegrityKeyContent: Hashable, Sendable {
    /// The client that created the document, as the framework writes it.
    case device(String)
    /// No bytes. Tools make such keys.
    case empty
    /// Any other content, and its difference.
    case other(String)
    /// The reason why the content could not be read.
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

    /// The client that created the document, if the content names it.
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
