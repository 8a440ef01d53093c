import Cryptography
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Where everything that the suite keeps about one remote lives: lock, journal and trash, outside of the remote,
/// since a foreign file in a remote breaks its clients.
public struct RemoteState: Sendable, Hashable {
    /// The application folder, absolute and without links.
    public let root: FilePath
    /// One folder a remote: the name of the application and twelve digits that stand for the path.
    public let folder: FilePath

    /// - Parameter stateHome: `$XDG_STATE_HOME/ticds`. Nothing is made there yet.
    public init(root: FilePath, stateHome: FilePath) {
        self.root = root
        let digest = hexadecimalDigits(of: SHA256.hash(root.bytes).prefix(6))
        let name = root.lastComponent.map(\.bytes) ?? []
        folder = stateHome.pushing(FilePath(nameBytes: name.prefix(200) + Array("-\(digest)".utf8)))
    }

    private init(root: FilePath, folder: FilePath) {
        self.root = root
        self.folder = folder
    }

    var lock: FilePath { folder.appending("lock") }
    var journal: FilePath { folder.appending("journal.sqlite") }
    var trash: FilePath { folder.appending("trash") }
    /// What an operation took away: an entry for each of its actions, by the action's number from 0.
    public func trash(of operation: Int64) -> FilePath { trash.appending("\(operation)") }
    private var rootFile: FilePath { folder.pushing(Self.rootName) }
    private static let rootName: FilePath = "remote"

    /// Every remote that has a journal, or a copy that was interrupted, below `stateHome`, sorted by path.
    public static func all(in stateHome: FilePath) throws(FileProblem) -> [RemoteState] {
        guard (try? FileStatus.of(stateHome))?.kind == .folder else { return [] }
        var found: [RemoteState] = []
        for entry in try LocalStorage(root: stateHome).list(.root).listing where entry.kind == .folder {
            let folder = stateHome.pushing(FilePath(nameBytes: entry.name.bytes))
            guard let bytes = try? FileBytes.read(folder.appending("remote"), limit: 1 << 16) else {
                continue
            }
            found.append(RemoteState(root: FilePath(pathBytes: bytes.array), folder: folder))
        }
        return found.sorted { $0.root.bytes.lexicographicallyPrecedes($1.root.bytes) }
    }

    /// Makes the folders, readable by their owner only.
    func make() throws(FileProblem) {
        try makeKnown()
        try Folders.make(trash)
    }

    /// Makes the folder, with the remote's path in it.
    func makeKnown() throws(FileProblem) {
        try Folders.make(folder)
        if (try? FileStatus.of(rootFile)) == nil { try ReplacedFile.write(root.bytes, to: rootFile) }
    }

    /// Removes the folder where nothing is in it but the remote's path.
    func forgetUnused() {
        guard let open = try? OpenFile.folder(folder), let names = try? Folders.entries(of: open),
            names.allSatisfy({ $0 == Self.rootName })
        else { return }
        try? open.remove(Self.rootName)
        try? Folders.removeEmpty(folder)
    }
}
