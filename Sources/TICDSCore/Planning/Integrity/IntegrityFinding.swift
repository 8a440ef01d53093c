/// What is wrong with the integrity key of a document.
public struct IntegrityFinding: Hashable, Sendable {
    /// What may be wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// No key, more than one, one too short for clients to see, an entry that is none, contents that the
        /// framework does not write, a folder or file that cannot be read.
        case noKey, severalKeys, shortKey, stray, content, unreadable
    }

    /// What is wrong.
    public var kind: Kind
    /// Identifier of the document.
    public var document: RemoteName
    /// The entry that it concerns, or the folder.
    public var path: RemotePath
    /// What is wrong, and what follows from it: a sentence without a full stop.
    public var text: String
}

extension IntegrityKeyFolder {
    /// What is wrong here; nothing where the folder holds one key as the framework writes it, and nothing that
    /// clients could take for another.
    public var findings: [IntegrityFinding] {
        guard isListed else { return [finding(.unreadable, path, "the folder cannot be listed")] }
        return counted + entries.compactMap(finding)
    }

    private var counted: [IntegrityFinding] {
        let keys = keys
        if keys.isEmpty {
            let short = entries.filter { $0.isKey && !$0.canBeTaken }
            let rest =
                "no client can register with the document, and every synchronisation fails with error 21"
            guard short.isEmpty else {
                return short.map {
                    finding(
                        .shortKey, $0.path, "clients do not see a key of fewer than five characters: \(rest)")
                }
            }
            return [finding(.noKey, path, "there is no integrity key: \(rest)")]
        }
        return keys.dropFirst().map {
            finding(
                .severalKeys, $0.path,
                "a second key beside \(keys[0].name): chance decides which of them a client finds, and a client that "
                    + "remembers the other throws away the edits that it has not sent")
        }
    }

    private func finding(_ entry: IntegrityKeyEntry) -> IntegrityFinding? {
        if let stray = entry.stray {
            guard entry.canBeTaken else { return nil }
            return finding(
                .stray, entry.path,
                "clients can take this entry (\(stray.rawValue)) for the key: a client that does so throws away the "
                    + "edits that it has not sent")
        }
        switch entry.content {
        case nil, .device: return nil
        case .empty: return finding(.content, entry.path, "the file is empty, which does no harm")
        case .other(let reason):
            return finding(.content, entry.path, "the file contains \(reason), which does no harm")
        case .unreadable(let reason):
            return finding(.unreadable, entry.path, "the file cannot be read: \(reason)")
        }
    }

    private func finding(
        _ kind: IntegrityFinding.Kind, _ path: RemotePath, _ text: String
    ) -> IntegrityFinding {
        IntegrityFinding(kind: kind, document: document, path: path, text: text)
    }
}
