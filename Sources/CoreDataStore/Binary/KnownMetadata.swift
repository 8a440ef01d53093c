import Base
import Glibc
import KeyedArchive
import Synchronization

/// The facts that a validator finds in the keyed archive of the metadata of a binary store.
struct CheckedMetadata: Sendable {
    /// Whether the keyed archive has the form that Core Data writes and no unknown classes.
    let isInUsualForm: Bool
    /// The version hash of one entity; nil if there is none.
    let versionHash: [UInt8]?
    /// The range of the store's UUID in the keyed archive; empty if it does not occur exactly once as ASCII.
    fileprivate let uuid: Range<Int>

    init(_ bytes: SharedBytes, entity: String) throws(UnfamiliarArchive) {
        var archive = try FastArchiveValidator(bytes)
        let all = try archive.top(.metadata)
        guard try archive.check(all) == .dictionary else { throw UnfamiliarArchive(.type) }
        isInUsualForm = archive.canonicalForm.isUsual
        uuid =
            try archive.value(StoreMetadata.uuidKey, of: all).flatMap { text throws(UnfamiliarArchive) in
                try archive.asciiRange(of: text)
            } ?? 0..<0
        guard let hashes = try archive.value(StoreMetadata.versionHashesKey, of: all),
            try archive.check(hashes) == .dictionary,
            let found = try archive.value(entity, of: hashes)
        else {
            versionHash = nil
            return
        }
        versionHash = try archive.data(found).array
    }
}

/// Keyed archives of metadata that were checked. A client writes the same bytes into each of its change sets, except
/// for the UUID of the store, so that most need no second check.
///
/// The text of a UUID decides nothing: it is longer than the name of any class or field that a keyed archive in the
/// usual form can have. Only such archives are kept.
public final class KnownMetadata: Sendable {
    private struct Entry: Sendable {
        let bytes: SharedBytes
        let checked: CheckedMetadata
    }

    private static let uuidLength = 36
    private static let most = 4
    private let entries = Mutex<[Entry]>([])

    /// A value that knows nothing yet.
    public init() {}

    subscript(bytes: SharedBytes) -> CheckedMetadata? {
        entries.withLock { entries in
            entries.first { Self.areEqual($0.bytes, bytes, but: $0.checked.uuid) }?.checked
        }
    }

    /// Adds checked metadata; keeps the latest ones.
    func add(_ checked: CheckedMetadata, of bytes: SharedBytes) {
        guard checked.isInUsualForm, checked.uuid.count == Self.uuidLength else { return }
        let entry = Entry(bytes: SharedBytes(bytes.array), checked: checked)
        entries.withLock { entries in
            if entries.count == Self.most { entries.removeLast() }
            entries.insert(entry, at: 0)
        }
    }

    /// Whether the bytes are equal, except for ASCII in `text`.
    private static func areEqual(_ one: SharedBytes, _ other: SharedBytes, but text: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let mine = one.baseAddress, let its = other.baseAddress else { return true }
                return memcmp(mine, its, text.lowerBound) == 0
                    && memcmp(mine + text.upperBound, its + text.upperBound, one.count - text.upperBound) == 0
                    && other[text].allSatisfy { $0 < 0x80 }
            }
        }
    }
}
