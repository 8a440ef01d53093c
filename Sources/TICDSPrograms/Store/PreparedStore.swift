import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// A store made ready to be uploaded, in a private folder that lives as long as this value.
///
/// The source is copied with what waits in its log, and stays as it is: the copy is then all that is uploaded.
struct PreparedStore {
    let entries: [TreeEntry]
    let modelDigest: String?
    private let folder: TemporaryFolder

    /// - Throws: `.refused` for external data where the form has no place for them, and for a folder in an encrypted
    ///   remote; what verifying the store throws.
    init(
        _ source: FilePath, _ variant: StoreVariant, _ file: StoreFile, for document: DocumentSnapshot,
        keyring: RemoteKeyring
    ) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-install")
        let external = try StoreExtraction.externalData(beside: file.path)
        guard external == nil || variant == .folder else {
            throw FileProblem(
                .refused, path: source, "the store has external data, which this form does not include",
                advice: "Install it with --variant folder, if the apps know that form")
        }
        guard variant != .folder || !keyring.isEncrypted else {
            throw FileProblem(
                .refused, path: source, "the framework does not support store folders in encrypted remotes",
                advice: "Install it without --variant folder")
        }
        let plain = folder.path.appending("Data")
        let modified = try file.written
        let extraction = StoreExtraction(
            source: file.path, externalData: external, modified: modified, gaps: file.gaps)
        // Other clients would lose what is missing here.
        if let problem = try extraction.write(to: plain, isReplacing: false).unread.first { throw problem }
        let metadata = try PersistentStores.open(plain).metadata
        modelDigest = metadata.modelDigest
        let name: RemotePath = [RemoteLayout.wholeStoreFile]
        switch variant {
        case .fileManager:
            let made = try Self.sealed(plain, in: folder.path, keyring)
            // Unencrypted files keep the time of the app's last write (ticds-protocol(7), 4.6).
            entries = [
                TreeEntry(
                    path: name, content: try .file(made), modified: keyring.isEncrypted ? .now : modified)
            ]
        case .dropbox:
            let zip = folder.path.appending("Zip")
            try FrameworkZip.write(plain, named: document.identifier.bytes, to: zip)
            let made = try Self.sealed(zip, in: folder.path, keyring)
            entries = [TreeEntry(path: name, content: try .file(made), modified: .now)]
        case .folder:
            entries = try Self.folder(folder.path, modified)
        }
    }

    /// The file itself, or encrypted.
    private static func sealed(
        _ file: FilePath, in folder: FilePath, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> FilePath {
        guard keyring.isEncrypted else { return file }
        let target = folder.appending("Sealed")
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            try keyring.seal(file, as: file) { (bytes) throws(FileProblem) in try output.write(bytes) }
        }
        return target
    }

    /// `WholeStore.ticdsync` as a folder: `Data`, and its external data (ticds-field-notes(7), 1).
    private static func folder(_ made: FilePath, _ modified: FileTime) throws(FileProblem) -> [TreeEntry] {
        let root: RemotePath = [RemoteLayout.wholeStoreFile]
        let store = root.appending(WholeStoreFolder.storeName)
        var entries = [TreeEntry(path: root)]
        entries.append(
            TreeEntry(path: store, content: try .file(made.appending("Data")), modified: modified))
        guard let blobs = WholeStoreFolder.externalData(of: store) else { return entries }
        let folder = made.appending(".Data_SUPPORT").appending("_EXTERNAL_DATA")
        guard try FileStatus.ifPresent(folder) != nil else { return entries }
        entries += [TreeEntry(path: blobs.parent), TreeEntry(path: blobs)]
        let files = try DirectoryReader.entries(of: try OwnedDescriptor.folder(folder))
            .map { (name: RemoteName($0.name), status: $0.status) }
        for file in files.sorted(by: { $0.name < $1.name }) {
            entries.append(
                TreeEntry(
                    path: blobs.appending(file.name),
                    content: try .file(folder.pushing(FilePath(nameBytes: file.name.bytes))),
                    modified: file.status.modified))
        }
        return entries
    }
}

extension StoreFile {
    /// When the app wrote it last: that may show in its log alone.
    fileprivate var written: FileTime {
        get throws(FileProblem) {
            let log = FilePath(nameBytes: path.bytes + Array("-wal".utf8))
            guard let status = try FileStatus.ifPresent(log), status.size > 0 else { return modified }
            return max(modified, status.modified)
        }
    }
}
