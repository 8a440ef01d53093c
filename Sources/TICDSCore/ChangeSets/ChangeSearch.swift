public import Base
public import CoreDataStore
public import KeyedArchive
import SystemCalls

/// Searches the values of changes for a text.
public struct ChangeSearch: Sendable {
    /// A value that contains the text.
    public struct Match: Sendable, Hashable {
        /// Name of the attribute; nil if an identifier or a name contains the text.
        public var key: String?
        /// The value that contains the text.
        public var value: ArchivedValue
    }

    private let wanted: String
    private let isExact: Bool
    private let bytes: SearchedBytes?

    /// A search for `text`, ignoring case and accents unless `isExact`.
    public init(_ text: String, isExact: Bool = false) {
        self.isExact = isExact
        wanted = isExact ? text : Self.folded(text)
        bytes = SearchedBytes(wanted, isExact: isExact)
    }

    /// Whether nothing significant is left of the text, so that every value contains it.
    public var isEmpty: Bool { wanted.isEmpty }

    private static func folded(_ text: String) -> String {
        String(String.UnicodeScalarView(text.lowercased().scalarsWithoutAccents))
    }

    /// The values of a change that contain the text: attributes, sync IDs, names.
    public func matches(in change: SyncChange) -> [Match] {
        var matches: [Match] = []
        for name in [
            change.objectSyncID, change.relatedSyncID, change.entity, change.relatedEntity, change.key,
        ] {
            if let name, found(in: name) { matches.append(Match(key: nil, value: .string(name))) }
        }
        if change.type == .insert, let pairs = change.changedAttributes.pairs {
            for pair in pairs where found(in: pair.value) {
                matches.append(Match(key: pair.key.stringValue, value: pair.value))
            }
        } else if found(in: change.changedAttributes) {
            matches.append(Match(key: change.key, value: change.changedAttributes))
        }
        return matches
    }

    /// Whether a change set is intact, and none of its changes contains the text; false also if only reading the
    /// changes shows that. For most sets this takes a fraction of the time.
    /// - Parameters:
    ///   - set: the decrypted bytes of the set.
    ///   - known: the metadata of other sets.
    public func isMissing(in set: SharedBytes, known: KnownMetadata) -> Bool {
        guard let bytes, !bytes.mayBeComputed else { return false }
        let isInBytes = set.withUnsafeBytes { set in
            // The text of a URL is put together from two strings.
            bytes.isContained(in: set) || SearchedBytes.ofURLs?.isContained(in: set) ?? true
        }
        if isInBytes { return false }
        do throws(UnfamiliarArchive) {
            var validator = try FastChangeSetValidator(set, known: known)
            for position in 0..<validator.count {
                let change = try validator.outline(at: position)
                // A reader may find that the values are damaged.
                if change.type == .insert, !change.hasAttributes { return false }
            }
            return validator.isInUsualForm && validator.hasOnlyASCIIText
        } catch {
            return false
        }
    }

    private func found(in text: String) -> Bool {
        // A search of the standard library prepares the wanted text each time, however short the other text is. Case,
        // accents and the forms of a character change the length by less than this factor.
        guard text.utf8.count *| 16 >= wanted.utf8.count else { return false }
        if let bytes {
            var text = text
            if let isFound = text.withUTF8({ bytes.isFound(in: UnsafeRawBufferPointer($0)) }) {
                return isFound
            }
        }
        return (isExact ? text : Self.folded(text)).contains(wanted)
    }

    private func found(in value: ArchivedValue) -> Bool {
        switch value {
        case .string(let text), .url(let text): found(in: text)
        case .integer(let number): bytes?.isInNumbers != false && found(in: "\(number)")
        case .real(let number): bytes?.isInNumbers != false && found(in: "\(number)")
        case .decimal(let number): found(in: "\(number)")
        case .uuid(let uuid): found(in: "\(uuid)")
        case .data(let bytes): String(validating: bytes, as: UTF8.self).map { found(in: $0) } ?? false
        case .array(let members), .set(let members), .orderedSet(let members):
            members.contains { found(in: $0) }
        case .dictionary(let pairs): pairs.contains { found(in: $0.key) || found(in: $0.value) }
        case .attributedString(let text): found(in: text.string)
        case .object(let object): object.fields.contains { found(in: $0.value) }
        default: false
        }
    }
}

/// A search for ASCII characters by bytes. A `Character` equals an ASCII character if it has no other scalar, and is
/// the same, or one of three that Unicode has twice.
private struct SearchedBytes: Sendable {
    private let pattern: [UInt8]
    private let isExact: Bool
    /// Whether text without these bytes may contain the pattern, through letters with accents, the Kelvin sign, the
    /// Greek question mark, or varia.
    private let hasTwin: Bool
    /// Whether digits, signs, exponents, `inf` and `nan` may contain the pattern.
    let isInNumbers: Bool
    /// Whether text that is made of numbers, decimals or UUIDs may contain the pattern.
    let mayBeComputed: Bool

    /// The class of URLs in a keyed archive.
    static let ofURLs = SearchedBytes("NSURL", isExact: true)

    /// Nil for a pattern that only a search by `Character`s finds: it is empty, not ASCII, or may divide a line break
    /// of two characters.
    init?(_ text: String, isExact: Bool) {
        pattern = Array(text.utf8)
        guard !pattern.isEmpty, pattern.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }) else {
            return nil
        }
        self.isExact = isExact
        hasTwin = !isExact || pattern.contains(where: Array("Kk;`".utf8).contains)
        isInNumbers = pattern.allSatisfy(Array("0123456789.+-einfa".utf8).contains)
        mayBeComputed = text.lowercased().utf8.allSatisfy(Array("0123456789abcdef.+-in".utf8).contains)
    }

    /// Whether UTF-8 text contains the pattern; nil if only its `Character`s decide.
    func isFound(in text: UnsafeRawBufferPointer) -> Bool? {
        let isASCII = text.reduce(0) { $0 | $1 } < 0x80
        if !isASCII, hasTwin { return nil }
        // Another scalar may follow the last character of the pattern, and change its `Character`.
        return isContained(in: text) ? isASCII ? true : nil : false
    }

    /// Whether the bytes contain the pattern.
    func isContained(in text: UnsafeRawBufferPointer) -> Bool {
        let first = pattern[0]
        // The bit in which the two cases of a letter differ.
        let ignored: UInt8 = !isExact && first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z") ? 0x20 : 0
        var start = 0
        while start <= text.count - pattern.count {
            if text[start] | ignored == first,
                pattern.indices.allSatisfy({ folded(text[start + $0]) == pattern[$0] })
            {
                return true
            }
            start += 1
        }
        return false
    }

    /// The byte in lower case, unless case counts.
    @inline(__always)
    private func folded(_ byte: UInt8) -> UInt8 {
        !isExact && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
