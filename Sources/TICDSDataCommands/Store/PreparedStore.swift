import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

/// A store that is prepared for upload, in a private folder that exists as long as this value.
///
/// The source is copied together with its write-ahead log, and stays as it is. Only the copy is uploaded.
struct PreparedStore {
    let entries: [TreeEntry]
    let modelDigest: String?
    private let folder: TemporaryFolder

    /// - Throws: `.refused` for external data if the form has no place for them, and for a folder in an encrypted
    ///   remote; and the errors of verifying the store.
    init(
        _ source: FilePath, _ form: StoreForm, _ file: StoreFile, for document: DocumentSnapshot,
        keyring: RemoteKeyring
    ) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-install")
        let external = try StoreExtraction.externalData(beside: file.path)
        guard external == nil || form == .folder else {
            throw FileProblem(
                .refused, path: source, "the store has external data, which this form does not include",
                advice: "Install it with --form folder, if the apps know that form")
        }
        guard form != .folder || !keyring.isEncrypted else {
            throw FileProblem(
                .refused, path: source, "the framework does not support store folders in encrypted remotes",
                advice: "Install it without --form folder")
        }
        let plain = folder.path.appending("Data")
        let modified = try file.written
        let extraction = StoreExtraction(
            source: file.path, externalData: external, modified: modified, gaps: file.gaps)
        // Other clients would lose the missing parts.
        if let problem = try extraction.write(to: plain, isReplacing: false).unread.first { throw problem }
        guard try FileStatus.of(plain).size > 0 else {
            throw FileProblem(
                .refused, path: source, "the store is empty, so clients would download nothing",
                expected: "a Core Data store", found: "0 bytes",
                advice: "Let the sync service download it, or restore it from a back-up")
        }
        let metadata = try PersistentStores.open(plain, examines: false).metadata
        modelDigest = metadata.modelDigest
        let name: RemotePath = [RemoteLayout.wholeStoreFile]
        switch form {
        case .file:
            let made = try Self.sealed(plain, in: folder.path, keyring)
            // Unencrypted files keep the time of the app's last write (ticds-protocol(7), 1.6).
            entries = [
                TreeEntry(
                    path: name, content: try .file(made), modified: keyring.isEncrypted ? .now : modified)
            ]
        case .zip:
            let zip = folder.path.appending("Zip")
            try FrameworkZip.write(plain, named: document.identifier.bytes, to: zip)
            let made = try Self.sealed(zip, in: folder.path, keyring)
            entries = [TreeEntry(path: name, content: try .file(made), modified: .now)]
        case .folder:
            entries = try Self.folder(folder.path, modified)
        }
    }

    /// The file itself, or its encrypted form.
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
        entries.append(TreeEntry(path: store, content: try .file(made.appending("Data")), modified: modified))
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
    /// The time of the app's last write, which may have changed only the log.
    fileprivate var written: FileTime {
        get throws(FileProblem) {
            let log = FilePath(nameBytes: path.bytes + Array("-wal".utf8))
            guard let status = try FileStatus.ifPresent(log), status.size > 0 else { return modified }
            return max(modified, status.modified)
        }
    }
}

/// The register that belongs to a store, in a private folder that exists as long as this value.
struct PreparedRegister {
    /// The content; nil if the store contains no change set.
    let content: PlannedContent?
    /// Identifiers of the change sets in the register.
    let applied: Set<[UInt8]>
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - file: an existing register.
    ///   - coverage: the change sets to name if there is no register.
    /// - Throws: `.refused` if there is neither, and if there are unsent changes beside the register.
    init(
        _ file: FilePath?, _ coverage: StoreCoverage?, source: FilePath, for document: DocumentSnapshot
    ) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-register")
        let target = folder.path.appending("Register")
        switch coverage {
        case StoreCoverage.none?:
            applied = []
            content = nil
        case .all?:
            let lines = Self.all(of: document)
            try ChangeSetRegisterWriter.write(lines, to: target)
            applied = Set(lines.compactMap { $0.identifier.map { Array($0.utf8) } })
            content = try .file(target)
        case nil:
            guard let file else {
                throw FileProblem(
                    .refused, path: source, "nothing shows which change sets the store contains",
                    expected:
                        "an \(RemoteLayout.appliedSyncChangeSets) beside it, or the one that a replay makes",
                    advice: "Name the register with --register, or give --contains all or none")
            }
            try Self.checkSynchronised(beside: file)
            _ = try StoreExtraction(
                source: file, externalData: nil, modified: try FileStatus.of(file).modified
            ).write(to: target, isReplacing: false)
            var names: Set<[UInt8]> = []
            try ChangeSetRegister(target).forEachChangeSet { line in
                if let identifier = line.identifier { names.insert(Array(identifier.utf8)) }
            }
            applied = names
            content = try .file(target)
        }
    }

    static func all(of document: DocumentSnapshot) -> [RegisteredChangeSet] {
        let now = FileTime.now.secondsSince2001
        return document.clients.flatMap { client in
            client.changeSets.map { set in
                RegisteredChangeSet(
                    identifier: set.identifier.text, fileName: set.name.text,
                    clientIdentifier: client.identifier.text,
                    creationDate: set.modified.secondsSince2001, localDateOfApplication: now)
            }
        }
    }

    /// Refuses unsent changes. A register from a client's helper folder has them beside it (ticds-remote-format(5), 2);
    /// the framework also refuses while there are any (1.6).
    private static func checkSynchronised(beside register: FilePath) throws(FileProblem) {
        let path = register.removingLastComponent().appending("UnsynchronizedSyncChanges.syncchg")
        // Core Data makes an empty file before it saves for the first time.
        guard let status = try FileStatus.ifPresent(path), status.kind == .file, status.size > 0 else {
            return
        }
        let reader = try ChangeSetReader(try FileBytes.read(path, limit: .changeSet), path: path)
        if let problem = reader.shortfall { throw problem }
        let count = reader.count
        guard count == 0 else {
            throw FileProblem(
                .refused, path: path, "the client has changes that are not synchronised",
                found: Quantities.count(count, "change"), advice: "Have its app synchronise first")
        }
    }
}

/// Names of the register that belongs to a store outside of a remote.
enum StoreRegister {
    /// The name that replays write: `Rescued.sqlite.AppliedSyncChangeSets.ticdsync`, so that several stores can be in a
    /// folder.
    static func own(of store: FilePath) -> FilePath {
        FilePath(pathBytes: store.bytes + [UInt8(ascii: ".")] + RemoteLayout.appliedSyncChangeSets.bytes)
    }

    /// The register beside a store: its own, or one with the framework's name; nil if there is none.
    static func beside(_ store: FilePath) throws(FileProblem) -> FilePath? {
        let name = FilePath(nameBytes: RemoteLayout.appliedSyncChangeSets.bytes)
        for register in [own(of: store), store.removingLastComponent().pushing(name)]
        where try FileStatus.ifPresent(register)?.kind == .file {
            return register
        }
        return nil
    }
}
