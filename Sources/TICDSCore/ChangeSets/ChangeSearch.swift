public import KeyedArchive

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
    private let ignoresCase: Bool

    /// Searches for `text`.
    public init(_ text: String, ignoresCase: Bool = true) {
        self.ignoresCase = ignoresCase
        wanted = ignoresCase ? text.lowercased() : text
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
        (ignoresCase ? text.lowercased() : text).contains(wanted)
    }

    private func found(in value: ArchivedValue) -> Bool {
        switch value {
        case .string(let text), .url(let text): found(in: text)
        case .integer(let number): found(in: "\(number)")
        case .real(let number): found(in: "\(number)")
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
