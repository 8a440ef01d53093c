import Base
public import SystemCalls
public import TICDSCore

/// One entry of a document's `IntegrityKey` folder.
public struct IntegrityKeyEntry: Hashable, Sendable {
    /// The path of the entry in the remote.
    public var path: RemotePath
    /// The name: the key, if the entry is one.
    public var name: RemoteName
    /// File, folder, link or something else.
    public var kind: FileKind
    /// The size of a file in bytes; 0 for a folder.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// The kind of stray that the entry seems to be; nil for a file that may be a key.
    public var stray: Stray.Kind?
    /// The content; nil for an entry that is not a file.
    public var content: IntegrityKeyContent?
    /// The error of reading, if the content may still be intact: a missing permission, a failing disk.
    public var unread: FileProblem?

    /// Whether clients can take the entry for the key: any entry with five characters or more, file or not, hidden or
    /// not. The File Manager and Dropbox variants have the same rules (ticds-remote-format(5), 1.5). Macs do not see
    /// names that are not UTF-8.
    public var canBeTaken: Bool { name.isUTF8 && FrameworkLists.isLongEnough(name) }

    /// Whether the entry looks like a key: a file that is not a stray. Its name may still be too short.
    public var isKey: Bool { stray == nil }

    fileprivate mutating func read(_ storage: any RemoteStorage) {
        do throws(FileProblem) {
            content = IntegrityKeyContent(try storage.read(path, limit: .integrityKey))
        } catch {
            content = .unreadable(error.problem)
            unread = error.isUnread ? error : nil
        }
    }
}

/// The `IntegrityKey` folder of a document, in which the name of the one file is the key (ticds-remote-format(5), 1.3).
public struct IntegrityKeyFolder: Sendable {
    /// Identifier of the document.
    public var document: RemoteName
    /// The path of the folder in the remote.
    public var path: RemotePath
    /// The kind of the entry at this path; nil if there is none.
    public var kind: FileKind?
    /// Whether the folder is known to exist and was listed completely.
    public var isListed: Bool
    /// Sorted by name.
    public var entries: [IntegrityKeyEntry]

    /// Reads the small files in the folder of a document.
    public init(
        of document: RemoteName, in snapshot: RemoteSnapshot, _ storage: any RemoteStorage
    ) {
        let path = RemoteLayout.document(document).appending(RemoteLayout.integrityKey)
        self.document = document
        self.path = path
        kind = snapshot.tree[path].part?.kind
        let listing = snapshot.tree.folders[path]
        isListed = snapshot.tree.listing(path).isWhole && (listing != nil || kind != .folder)
        var strays: [RemoteName: Stray.Kind] = [:]
        for stray in snapshot.strays where stray.path.parent == path && Self.isOutOfPlace(stray) {
            strays[stray.path.last ?? ""] = stray.kind
        }
        entries = (listing ?? FolderListing()).map { entry in
            let place = path.appending(entry.name)
            var found = IntegrityKeyEntry(
                path: place, name: entry.name, kind: entry.kind,
                size: entry.kind == .folder ? 0 : entry.size, modified: entry.modified,
                stray: strays[entry.name])
            if entry.kind == .file { found.read(storage) }
            return found
        }
    }

    /// The keys that clients see, the oldest first.
    public var keys: [IntegrityKeyEntry] {
        entries.filter { $0.isKey && $0.canBeTaken }
            .sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
    }

    /// Whether a stray is not a key. A key without content, and a key whose name differs only in case from another
    /// name, are keys.
    private static func isOutOfPlace(_ stray: Stray) -> Bool {
        ![.emptyFile, .notDownloaded, .nameTwin].contains(stray.kind)
    }
}

/// A problem of the integrity key of a document.
public struct IntegrityFinding: Hashable, Sendable {
    /// The kind of a problem.
    public enum Kind: String, Sendable, CaseIterable {
        /// No key, several keys, a key that is too short for clients to see, an entry that is not a key, content that
        /// the framework does not write, a folder or file that cannot be read.
        case noKey, severalKeys, shortKey, stray, content, unreadable
    }

    /// The kind of the problem.
    public var kind: Kind
    /// Identifier of the document.
    public var document: RemoteName
    /// The entry with the problem, or the folder.
    public var path: RemotePath
    /// The problem and its consequence: a sentence without a full stop.
    public var text: String
}

extension IntegrityKeyFolder {
    /// The problems of the folder. Empty if it contains one key as the framework writes it, and no other entry that
    /// clients could take for a key.
    public var findings: [IntegrityFinding] {
        guard isListed else { return [finding(.unreadable, path, "the folder cannot be listed")] }
        return counted + entries.filter { $0.unread?.isScarcity != true }.compactMap(finding)
    }

    /// The reason of the process, such as too little memory, why a key could not be read; nil for none.
    public var scarcity: FileProblem? { entries.lazy.compactMap(\.unread).first(where: \.isScarcity) }

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
