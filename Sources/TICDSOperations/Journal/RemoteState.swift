import Base
import Cryptography
public import SystemCalls
public import SystemPackage
import TICDSCore

/// The folder for everything that ticds keeps about one remote: lock, journal and trash. It is outside of the remote,
/// because a foreign file in a remote breaks its clients. A folder of archives also has a journal. Its trash is a
/// hidden folder inside it, so that removed archives stay on the same volume.
public struct RemoteState: Sendable, Hashable {
    /// The application folder, or the folder of archives, absolute and without links.
    public let root: FilePath
    /// Named after the app and the first twelve digits of the SHA-256 of the path.
    public let folder: FilePath
    /// The trash of a folder of archives, in it; nil for a remote.
    let inner: FilePath?

    /// - Parameter stateHome: `$XDG_STATE_HOME/ticds`. The initializer makes nothing there.
    public init(root: FilePath, stateHome: FilePath) {
        self.root = root
        let digest = hexadecimalDigits(of: SHA256.hash(root.bytes).prefix(6))
        let name = root.lastComponent.map(\.bytes) ?? []
        folder = stateHome.pushing(FilePath(nameBytes: name.prefix(200) + Array("-\(digest)".utf8)))
        inner = nil
    }

    /// The state of a remote whose path has changed since the state was made, or that is seen from a different place.
    init(root: FilePath, folder: FilePath, inner: FilePath? = nil) {
        self.root = root
        self.folder = folder
        self.inner = inner
    }

    /// True for a folder of archives.
    public var holdsArchives: Bool { inner != nil }

    /// Whether the remote is not in a local folder: its root is then an address, and not a path.
    public var isElsewhere: Bool { !root.isAbsolute }

    /// `$XDG_STATE_HOME/ticds`.
    package var home: FilePath { folder.removingLastComponent() }
    var lock: FilePath { folder.appending("lock") }
    var journal: FilePath { folder.appending("journal.sqlite") }
    var trash: FilePath { inner ?? folder.appending("trash") }
    /// The folder of the entries that an operation took away, each named by the number of its action from 0.
    public func trash(of operation: Int64) -> FilePath { trash.appending("\(operation)") }
    private var rootFile: FilePath { folder.pushing(Self.rootName) }
    private static let rootName: FilePath = "remote"
    private var inodeFile: FilePath { folder.appending("inode") }

    /// Every remote below `stateHome` that has a journal or an interrupted copy, sorted by path.
    public static func all(in stateHome: FilePath) throws(FileProblem) -> [RemoteState] {
        guard try FileStatus.ifPresent(stateHome)?.kind == .folder else { return [] }
        var found: [RemoteState] = []
        for entry in try LocalStorage(root: stateHome).list(.root).whole() where entry.kind == .folder {
            let folder = stateHome.pushing(FilePath(nameBytes: entry.name.bytes))
            let bytes = try unlessMissing { () throws(FileProblem) in
                try FileBytes.read(folder.pushing(rootName), limit: .note)
            }
            guard let bytes else { continue }
            let state = RemoteState(root: FilePath(pathBytes: bytes.array), folder: folder)
            found.append(try state.asKnownFolderOfArchives() ?? state)
        }
        return found.sorted { $0.root.bytes.lexicographicallyPrecedes($1.root.bytes) }
    }

    /// The identity of the remote, which stays when it is renamed; nil if there is no remote.
    var identity: FolderIdentity? {
        get throws(FileProblem) {
            try unlessMissing { () throws(FileProblem) in try FolderIdentity(of: OwnedDescriptor.folder(root))
            }
        }
    }

    /// Records the identity of the remote, to recognise it when it has moved.
    func noteIdentity() throws(FileProblem) {
        guard let identity = try identity, try identity != notedIdentity else { return }
        try AtomicFile.write(Array(JournalCoding.text(identity).utf8), to: inodeFile)
    }

    /// Whether the folder is not the one of the last operation, or the number of its volume has changed.
    public var isReplaced: Bool {
        get throws(FileProblem) {
            guard let noted = try notedIdentity, let identity = try identity else { return false }
            return noted != identity
        }
    }

    private var notedIdentity: FolderIdentity? {
        get throws(FileProblem) {
            let bytes = try unlessMissing { () throws(FileProblem) in
                try FileBytes.read(inodeFile, limit: .note)
            }
            guard let bytes else { return nil }
            return JournalCoding.value(FolderIdentity.self, String(decoding: bytes.array, as: UTF8.self))
        }
    }

    /// The states of this remote under its former paths, in this state home.
    var earlier: [RemoteState] {
        get throws(FileProblem) {
            guard let identity = try identity else { return [] }
            var earlier: [RemoteState] = []
            for state in try Self.all(in: home) where state.folder != folder {
                if try state.isOf(identity) { earlier.append(try state.seen(at: root)) }
            }
            return earlier
        }
    }

    /// The states of the remote at `root` in a state home: its own, those under its former paths, and the one that its
    /// lock names, wherever the holder of the lock saw it.
    public static func all(of root: FilePath, in stateHome: FilePath) throws(FileProblem) -> [RemoteState] {
        let own = RemoteState(root: root, stateHome: stateHome)
        let named = try LockNote.ifPresent(LockPlace(root).path)?.stateFolder.lastComponent
        let identity = try own.identity
        var others: [RemoteState] = []
        for state in try all(in: stateHome) where state.folder != own.folder {
            var isOther = state.folder.lastComponent == named
            if !isOther, let identity { isOther = try state.isOf(identity) }
            if isOther { others.append(state) }
        }
        let isKnown = try PrivateDirectory.exists(own.folder)
        let moved = try others.map { (state) throws(FileProblem) in try state.seen(at: root) }
        return (isKnown ? [try own.seen(at: root)] : []) + moved
    }

    /// This state, for a remote or a folder of archives whose path has changed.
    private func seen(at root: FilePath) throws(FileProblem) -> RemoteState {
        let state = RemoteState(root: root, folder: folder)
        return try state.asKnownFolderOfArchives() ?? state
    }

    private func isOf(_ identity: FolderIdentity) throws(FileProblem) -> Bool {
        try notedIdentity?.isSame(as: identity) == true
    }

    /// The path of the remote when this state was made.
    var formerRoot: FilePath {
        // try?: for people; its present place replaces it
        (try? FileBytes.read(rootFile, limit: .note)).map { FilePath(pathBytes: $0.array) } ?? root
    }

    /// The path that the remote had when this state was made, if it is a different one now.
    public var movedFrom: FilePath? { formerRoot == root ? nil : formerRoot }

    /// Makes the folders, readable by their owner only.
    func make() throws(FileProblem) {
        try makeKnown()
        if inner == nil { try PrivateDirectory.make(trash) }
    }

    /// Makes the folder, with the remote's path in it.
    /// - Throws: `.refused` if the folder would be inside the remote, or other users can write to it.
    func makeKnown() throws(FileProblem) {
        let place = try folder.resolvedAllowingMissing()
        if place.starts(with: root) {
            throw FileProblem(
                .refused, path: folder,
                "the journal would lie in the remote, where it would harm the clients",
                advice: "Set XDG_STATE_HOME to a folder outside the remote")
        }
        try PrivateDirectory.make(folder)
        try PrivateDirectory.checkPrivate(folder.resolved() ?? folder, owners: nil)
        if try FileStatus.ifPresent(rootFile) == nil { try AtomicFile.write(root.bytes, to: rootFile) }
    }

    /// Removes the folder if it contains nothing but the remote's path.
    func forgetUnused() {
        guard let open = try? OwnedDescriptor.folder(folder),  // try?: the folder stays, and does no harm
            let names = try? DirectoryReader.names(in: open),  // try?: as above
            names.allSatisfy({ $0 == Self.rootName })
        else { return }
        try? open.remove(Self.rootName)  // try?: as above
        try? PrivateDirectory.removeEmpty(folder)  // try?: as above
    }

    // MARK: Integrity keys

    private var keysFile: FilePath { folder.appending("keys") }

    /// Records the integrity keys of the documents, to recognise a different remote in the same place. A key that
    /// cannot be read keeps its earlier record, since the operation is done.
    func noteKeys(_ storage: any RemoteStorage) throws(FileProblem) {
        if holdsArchives || isElsewhere { return }
        // try?: a damaged record is written again
        let former = (try? notedKeys) ?? nil
        // try?: as above
        guard let documents = try? Self.documents(in: storage) else { return }
        let keys = documents.flatMap { document in
            // try?: as above
            (try? Self.keys(of: document, in: storage)) ?? former?.filter { $0.document == document } ?? []
        }
        if keys == former { return }
        try AtomicFile.write(Array(JournalCoding.text(keys).utf8), to: keysFile)
    }

    /// Whether the remote has different keys than after the last operation: in a document that it had then, or because
    /// it has none of these documents.
    func hasOtherKeys(_ storage: any RemoteStorage) throws(FileProblem) -> Bool {
        guard let noted = try notedKeys, !noted.isEmpty else { return false }
        let former = Dictionary(grouping: noted, by: \.document).mapValues { Set($0) }
        var keys: [RemotePath] = []
        for document in try Self.documents(in: storage) { keys += try Self.keys(of: document, in: storage) }
        let present = Dictionary(grouping: keys, by: \.document)
        let common = former.filter { present[$0.key] != nil }
        return common.isEmpty || common.contains { $0.value.isDisjoint(with: present[$0.key] ?? []) }
    }

    private var notedKeys: [RemotePath]? {
        get throws(FileProblem) {
            let bytes = try unlessMissing { () throws(FileProblem) in
                try FileBytes.read(keysFile, limit: Self.keysLimit)
            }
            guard let bytes else { return nil }
            guard
                let keys = JournalCoding.value(
                    [RemotePath].self, String(decoding: bytes.array, as: UTF8.self))
            else {
                throw FileProblem(
                    .damaged, path: keysFile, "not the list of the integrity keys of a remote",
                    advice: "Remove the file; the next operation writes it again")
            }
            return keys
        }
    }

    private static let keysLimit = ReadLimit(1 << 28, "list of integrity keys")

    private static func documents(in storage: any RemoteStorage) throws(FileProblem) -> [RemoteName] {
        try entries([RemoteLayout.documents], storage).filter { $0.kind == .folder }.map(\.name)
    }

    /// The files that may be integrity keys of a document, sorted.
    private static func keys(
        of document: RemoteName, in storage: any RemoteStorage
    ) throws(FileProblem) -> [RemotePath] {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.integrityKey)
        return try entries(folder, storage).filter { $0.kind == .file && !$0.name.isHidden }
            .map { folder.appending($0.name) }
    }

    private static func entries(
        _ folder: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> [FolderEntry] {
        let listing = try unlessMissing { () throws(FileProblem) in try storage.list(folder).whole() }
        return listing.map { Array($0) } ?? []
    }

    // MARK: Encryption

    // Anyone who may write into the remote can remove every sign of its encryption there, but not here.

    private var encryptedFile: FilePath { folder.pushing(Self.encryptedName) }
    private static let encryptedName: FilePath = "encrypted"

    /// Whether the remote was encrypted after the last operation of ticds on it.
    public func remembersEncryption() throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(encryptedFile) != nil
    }

    /// Refuses a remote without a salt if it had one when ticds last changed it.
    public func checkEncryption(hasSalt: Bool) throws(FileProblem) {
        guard !hasSalt, try remembersEncryption() else { return }
        throw .encryptionIsGone(
            root,
            advice:
                "Restore the folder Encryption from a back-up; if the remote was decrypted on purpose on another machine, "
                + "remove the file \(encryptedFile) on this machine")
    }

    /// Refuses a plan for a remote with contradictory signs of encryption, unless the plan writes or removes the salt.
    func checkEncryption(for plan: Plan, _ storage: any RemoteStorage) throws(FileProblem) {
        let salt = RemoteLayout.saltPath
        let isAbout = plan.actions.contains(where: \.concernsSalt)
        guard !isAbout, try storage.kind(of: salt) == nil else { return }
        let test = RemoteLayout.encryptionTestPath
        if try storage.kind(of: test) != nil { throw .testWithoutSalt(test.filePath(under: storage.root)) }
        try checkEncryption(hasSalt: false)
    }

    /// Remembers the encryption after an operation: that the remote has a salt, or that the operation removed it. A
    /// removal by anyone else does not count.
    /// - Parameter areDone: false if the steps were taken back; then nothing is recorded.
    func noteEncryption(
        after steps: JournaledSteps, areDone: Bool, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let salt = RemoteLayout.saltPath
        let isThere = try storage.kind(of: salt) != nil
        let isNoted = try remembersEncryption()
        if isThere, !isNoted, areDone { try AtomicFile.write([], to: encryptedFile) }
        guard !isThere, isNoted else { return }
        let isAbout = steps.contains(where: \.action.concernsSalt)
        if isAbout { try OwnedDescriptor.folder(folder).remove(Self.encryptedName) }
    }
}
