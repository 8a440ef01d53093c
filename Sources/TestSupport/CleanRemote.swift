import Base
package import SystemCalls
package import SystemPackage
package import TICDSVerification
package import TICDSCore
import TICDSDemonstration

/// A small intact remote with real contents, for tests that damage it: three clients, the documents `cookbook` (SQLite
/// whole stores) and `pantry` (binary whole stores), with a dozen change sets each. It has no finding.
package final class CleanRemote: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case plain, encrypted
        /// Whole stores are zipped, as in the Dropbox variant.
        case zipped
        case encryptedAndZipped

        package var isEncrypted: Bool { self == .encrypted || self == .encryptedAndZipped }
        package var isZipped: Bool { self == .zipped || self == .encryptedAndZipped }
    }

    package static let password = "open sesame"

    package let kind: Kind
    package let folder: TemporaryFolder
    /// The application folder.
    package let root: FilePath
    /// The key; nil if the remote is unencrypted.
    package let key: SyncKey?
    /// The identifiers of the clients. The first and the third have whole stores; the first created the documents.
    package let clients: [String]

    package init(_ kind: Kind = .plain, changeSets: Int = 12) throws {
        self.kind = kind
        folder = try TemporaryFolder(prefix: "ticds-clean")
        let parent = folder.path.appending("demo")
        let password = kind.isEncrypted ? Self.password : nil
        try DemonstrationRemote.write(
            to: parent, DemonstrationRemote.Settings(changeSets: changeSets, password: password))
        root = parent.appending(DemonstrationRemote.applicationIdentifier)
        let storage = LocalStorage(root: root)
        key = try password.flatMap { password in
            try PasswordCheck.salt(of: storage).map { SyncKey(password: password, salt: $0) }
        }
        var joined: [(RemoteName, FileTime)] = []
        for device in try RemoteSnapshot.take(storage).clientDevices {
            joined.append((device.identifier, device.deviceInfo.part?.modified ?? FileTime(seconds: 0)))
        }
        clients = joined.sorted { $0.1 < $1.1 }.map(\.0.text)
        for document in ["cookbook", "pantry"] { try tidy(document) }
    }

    package var storage: LocalStorage { LocalStorage(root: root) }

    /// A keyring with the correct password.
    package var keyring: RemoteKeyring { RemoteKeyring(key.map { .checked($0) } ?? .plain) }

    /// A new listing of the remote.
    package func context(
        now: FileTime = FileTime(seconds: 1_400_000_000), keyring: RemoteKeyring? = nil
    ) throws -> VerificationContext {
        VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring ?? self.keyring,
            now: now
        )
    }

    /// The local path of a file.
    package func path(_ inside: String) -> FilePath { root.pushing(FilePath(inside)) }

    /// The names of the change sets of a client, sorted.
    package func changeSets(of client: String, in document: String = "cookbook") throws -> [String] {
        let path: RemotePath = ["Documents", RemoteName(document), "SyncChanges", RemoteName(client)]
        return try storage.list(path).listing.map(\.name.text)
    }

    /// The decrypted bytes of a file, or its bytes if it is unencrypted.
    package func plain(_ inside: String) throws -> [UInt8] {
        let bytes = try FileBytes.read(path(inside))
        if PlainSignature(bytes) != nil { return bytes.array }
        return try keyring.plainBytes(try FileBytes.read(path(inside)), path: path(inside)).array
    }

    /// Writes a file and the folders on its path. An existing file keeps its modification time; a new one gets `time`.
    /// - Parameter encrypted: whether to encrypt it if the remote is encrypted.
    package func write(
        _ inside: String, _ bytes: [UInt8], time: FileTime = FileTime(seconds: 1_380_000_000),
        encrypted: Bool = true
    ) throws {
        let file = path(inside)
        let before = try? FileStatus.of(file)
        try TestFiles.makeFolders(file.removingLastComponent())
        var content = bytes
        if encrypted, let key {
            content = try EncryptedFile.encrypt(SharedBytes(bytes), with: key, path: file).array
        }
        try TestFiles.write(file, content)
        try TestFiles.setTime(file, before?.modified ?? time)
    }

    /// Changes the raw bytes of a file and keeps its modification time.
    package func damage(_ inside: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try FileBytes.read(path(inside)).array
        change(&bytes)
        try write(inside, bytes, encrypted: false)
    }

    /// Removes a file, or a folder with its content.
    package func remove(_ inside: String) throws { try TestFiles.removeTree(path(inside)) }

    /// Removes leftovers of uploads, and zips stores if the kind requires it.
    private func tidy(_ document: String) throws {
        for client in try storage.list(["Documents", RemoteName(document), "WholeStore"]).listing {
            let place = "Documents/\(document)/WholeStore/\(client.name.text)"
            try remove("Documents/\(document)/TemporaryFiles/WholeStore/\(client.name.text)")
            guard kind.isZipped else { continue }
            let store = try plain("\(place)/WholeStore.ticdsync")
            try write("\(place)/WholeStore.ticdsync", StoredZip.bytes([(document, store)]))
        }
    }
}
