import Base
import CoreDataStore
import KeyedArchive
public import SystemCalls

/// The locations of the external data of a whole store that is a folder: that folder and, for one fork, the folder that
/// all clients of the document share (ticds-field-notes(7), 1).
struct ExternalDataFiles {
    /// Files beside the store, where the store itself looks for them.
    private(set) var own: [RemotePath] = []
    /// Files of the shared folder that the manifest of the store names; all of them if no manifest can be read.
    private(set) var shared: [RemotePath] = []
    /// Files that the manifest names and that are in neither folder.
    private(set) var missing: [String] = []
    /// The folder beside the store, otherwise the shared one; nil if neither exists.
    private(set) var folder: RemotePath?
    /// The files that could not be read. The store is read without them.
    var gaps = ExternalDataGaps()

    /// - Parameters:
    ///   - store: the file in the folder.
    ///   - whole: `Documents/<document>/WholeStore/<client>/WholeStore.ticdsync`
    init(
        of store: RemotePath, in whole: RemotePath, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) {
        var manifest: Set<String>?
        if let beside = WholeStoreFolder.externalData(of: store), let files = files(in: beside, storage) {
            folder = beside
            own = files
            let list = beside.appending(ExternalDataManifest.name)
            if own.contains(list) {
                own.removeAll { $0 == list }
                do throws(FileProblem) {
                    manifest = try ExternalDataManifest.names(list, in: storage, keyring: keyring)
                } catch {
                    if error.isUnread { gaps.folders.append(error) }
                }
            }
        }
        // Document, WholeStore, client and store: a folder anywhere else shares nothing.
        let isUploaded =
            whole.names.count >= 4 && whole.parent.parent.last == RemoteLayout.wholeStore
        let common = whole.parent.parent.appending(RemoteLayout.sharedExternalData)
        let names = Set(own.compactMap { $0.last?.text })
        if isUploaded, let files = files(in: common, storage) {
            shared = files.filter { file in
                guard let name = file.last, !name.isHidden, !names.contains(name.text) else { return false }
                return manifest?.contains(name.text) ?? true
            }
            if folder == nil, !shared.isEmpty { folder = common }
        }
        let found = names.union(shared.compactMap { $0.last?.text })
        missing = (manifest ?? []).subtracting(found).filter { ArchivedUUID(text: $0) != nil }.sorted()
    }

    /// The notes for readers of the store.
    var notes: [StoreNote] {
        var notes: [StoreNote] = []
        if let first = missing.first {
            notes.append(
                StoreNote(
                    code: "externalDataMissing",
                    text:
                        "\(counted(missing.count, "file")) of external data that the manifest names are neither beside the store nor in \(RemoteLayout.sharedExternalData), such as \(first)"
                ))
        }
        let problems = gaps.problems
        if let first = problems.first {
            let files = problems.count == 1 ? "1 file or folder" : "\(problems.count) files or folders"
            notes.append(
                StoreNote(
                    code: "externalDataUnreadable", text: "\(files) of external data cannot be read: \(first)"
                ))
        }
        return notes
    }

    /// The files of a folder; nil if the folder does not exist. A problem with it becomes a gap.
    private mutating func files(in folder: RemotePath, _ storage: any RemoteStorage) -> [RemotePath]? {
        do throws(FileProblem) {
            guard try storage.statusIfPresent(of: folder)?.kind == .folder else { return nil }
            let contents = try storage.list(folder)
            gaps.folders += contents.problems.filter { $0.kind != .missing }
            var files: [RemotePath] = []
            for entry in contents.listing {
                let path = folder.appending(entry.name)
                if entry.kind == .file {
                    files.append(path)
                } else if ArchivedUUID(text: entry.name.text) != nil {
                    gaps.files[entry.name.text] = FileProblem(
                        .unreadable, path: path.filePath(under: storage.root), "is no plain file")
                }
            }
            return files
        } catch {
            gaps.folders.append(error)
            return nil
        }
    }
}

/// The list of files of external data that a whole store needs, as one fork keeps it inside the store's folder; the
/// files themselves are in `SharedExternalData` (ticds-field-notes(7), 1).
public enum ExternalDataManifest {
    /// The name of the list, beside the external data of the store.
    public static let name: RemoteName = "manifest.plist"

    /// All texts of the list at any depth, keys included: among them are the names of files.
    /// - Throws: an error if the list cannot be read or decrypted, or is not a property list.
    public static func names(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring
    ) throws(FileProblem) -> Set<String> {
        let bytes = try keyring.read(storage, path, limit: .propertyList)
        let value = try PropertyListFile.value(of: bytes, path: path.filePath(under: storage.root))
        var names: Set<String> = []
        add(value, to: &names, depth: 0)
        return names
    }

    /// Adds the texts of a value, no deeper than a manifest can have them.
    private static func add(_ value: ArchivedValue, to names: inout Set<String>, depth: Int) {
        guard depth < 16 else { return }
        switch value {
        case .string(let text): names.insert(text)
        case .array(let members), .set(let members), .orderedSet(let members):
            for member in members { add(member, to: &names, depth: depth + 1) }
        case .dictionary(let pairs):
            for pair in pairs {
                add(pair.key, to: &names, depth: depth + 1)
                add(pair.value, to: &names, depth: depth + 1)
            }
        default: break
        }
    }
}
