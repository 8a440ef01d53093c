import KeyedArchive
public import SystemCalls

/// The list of files of external data that a whole store needs, as one fork keeps it inside the store's folder; the
/// files themselves lie in `SharedExternalData` (ticds-field-notes(7), 1).
public enum ExternalDataManifest {
    /// The name of the list, beside the external data of the store.
    public static let name: RemoteName = "manifest.plist"

    /// All texts of the list at any depth, keys included: among them are the names of files.
    /// - Throws: where it cannot be read or decrypted, or is no property list.
    public static func names(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring
    ) throws(FileProblem) -> Set<String> {
        let bytes = try keyring.read(storage, path, limit: .propertyList)
        let value = try PropertyListFile.value(of: bytes, path: path.filePath(under: storage.root))
        var names: Set<String> = []
        add(value, to: &names, depth: 0)
        return names
    }

    /// Looks no deeper than a manifest can have texts.
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
