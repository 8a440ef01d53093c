import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// A change set file that an argument names, in a folder or in an archive.
struct ChangeSetFile {
    /// The file; a link was followed.
    let path: FilePath
    /// The document, the client and the change set, by the names of the folders around it.
    let place: ChangePlace
    private let location: ChangeSetLocation
    /// The archive around the file, and its place there; nil for a file in a folder.
    private let archived: (storage: any RemoteStorage, place: RemotePath)?

    /// - Throws: `.refused` for a storage.
    init(_ named: RemoteAddress, _ keyrings: inout FileKeyrings) throws(FileProblem) {
        if let (remote, place) = named.archivedFile {
            path = named.root
            archived = (try keyrings.storage(of: remote), place)
        } else {
            path = try named.folder.followed
            archived = nil
        }
        location = try ChangeSetLocation(of: path)
        place = location.place
    }

    /// The bytes as they are.
    func bytes() throws(FileProblem) -> SharedBytes {
        guard let (storage, place) = archived else { return try FileBytes.read(path, limit: .changeSet) }
        return try storage.read(place, limit: .changeSet)
    }

    /// Kind, size and time; nil for a missing file.
    func status() throws(FileProblem) -> FileStatus? {
        guard let (storage, place) = archived else { return try FileStatus.ifPresent(path) }
        return try storage.statusIfPresent(of: place)
    }

    /// The remote around the file; nil for a file outside of a remote.
    func remote() throws(FileProblem) -> (any RemoteStorage)? {
        if let archived { return archived.storage }
        return try location.remote.map { LocalStorage(root: $0) }
    }
}

/// Reads single files, including encrypted ones. Asks for a password once for each remote around them.
struct FileKeyrings {
    private let password: PasswordOptions
    private var keyrings: [FilePath: RemoteKeyring] = [:]
    /// Whether the remotes around unencrypted files have a salt, by folder.
    private var salts: [FilePath: Bool] = [:]
    /// The remotes in archives, by their addresses.
    private var storages: [FilePath: any RemoteStorage] = [:]
    /// Whether the password for a remote failed: its other files will not open either.
    private(set) var isRefused = false

    init(_ password: PasswordOptions) { self.password = password }

    /// The decrypted bytes of `file`. Searches for the remote around it only if the file is not empty.
    mutating func read(_ file: ChangeSetFile) throws(FileProblem) -> SharedBytes {
        let bytes = try file.bytes()
        guard bytes.count > 0, let remote = try file.remote() else { return bytes }
        if let signature = PlainSignature(bytes) {
            if try isEncrypted(remote) { throw .plainInEncrypted(file.path, signature) }
            return bytes
        }
        if let keyring = keyrings[remote.root] { return try keyring.plainBytes(bytes, path: file.path) }
        let keyring = try open(remote)
        return try keyring.plainBytes(bytes, path: file.path)
    }

    /// The remote in an archive, opened once.
    fileprivate mutating func storage(of remote: RemoteAddress) throws(FileProblem) -> any RemoteStorage {
        if let known = storages[remote.root] { return known }
        let storage = try remote.storage()
        storages[remote.root] = storage
        return storage
    }

    private mutating func isEncrypted(_ remote: any RemoteStorage) throws(FileProblem) -> Bool {
        if let known = salts[remote.root] { return known }
        let has = try PasswordCheck.salt(of: remote) != nil
        salts[remote.root] = has
        return has
    }

    private mutating func open(_ remote: any RemoteStorage) throws(FileProblem) -> RemoteKeyring {
        do throws(FileProblem) {
            let keyring = try OpenRemote.keyring(remote, password)
            keyrings[remote.root] = keyring
            return keyring
        } catch {
            isRefused = true
            throw error
        }
    }
}

extension FilePath {
    /// The target of a link; any other path as it is.
    var followed: FilePath {
        get throws(FileProblem) {
            guard try FileStatus.ifPresent(self)?.kind == .symbolicLink else { return self }
            return try resolved() ?? self
        }
    }
}
