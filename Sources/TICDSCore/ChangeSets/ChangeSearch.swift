import Base
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

    private func found(in text: String) -> Bool {
        if let bytes {
            var text = text
            if let isFound = text.withUTF8(bytes.isFound) { return isFound }
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
    }

    /// Whether UTF-8 text contains the pattern; nil if only its `Character`s decide.
    func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool? {
        let isASCII = text.reduce(0) { $0 | $1 } < 0x80
        if !isASCII, hasTwin { return nil }
        // Another scalar may follow the last character of the pattern, and change its `Character`.
        return contains(text) ? isASCII ? true : nil : false
    }

    private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        pattern.withUnsafeBufferPointer { pattern in
            var start = 0
            while start <= text.count - pattern.count {
                var place = 0
                while place < pattern.count, folded(text[start + place]) == pattern[place] { place += 1 }
                if place == pattern.count { return true }
                start += 1
            }
            return false
        }
    }

    /// The byte in lower case, unless case counts.
    @inline(__always)
    private func folded(_ byte: UInt8) -> UInt8 {
        !isExact && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
