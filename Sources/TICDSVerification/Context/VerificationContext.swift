import CoreDataStore
import Synchronization
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The data that every check uses. It is a class because several threads pass it on for every file, and copies would
/// cost time.
public final class VerificationContext: Sendable {
    /// The storage of the files.
    public let storage: any RemoteStorage
    /// The listing of the remote.
    public let snapshot: RemoteSnapshot
    /// `snapshot.isEncrypted`, computed once.
    let isEncrypted: Bool
    /// The keyring that decrypts files; locked in an encrypted remote without the password, whose contents are then not
    /// checked.
    public let keyring: RemoteKeyring
    /// The present time; later times are in the future.
    public let now: FileTime
    /// The largest change set or store that is read into memory, in bytes.
    public let memoryLimit: Int
    /// The limit for change sets, and also for stores that Core Data reads into memory.
    var readLimit: ReadLimit { ReadLimit(memoryLimit, "file that is verified in memory") }
    /// The limit for other files, which have a few kilobytes.
    var smallLimit: ReadLimit { ReadLimit(min(memoryLimit, Self.large), "file that is verified in memory") }
    /// The size from which files are in memory one at a time, in bytes.
    private static let large = 32 << 20
    private let largeFile = Mutex<Void>(())
    let unread = UnreadFiles()
    /// The files for which the fast check was not enough.
    let slow = SlowFiles()
    /// The metadata of the change sets that were read so far.
    let metadata = KnownMetadata()
    /// Whether the local state remembers that the remote was encrypted.
    public let wasEncrypted: Bool
    /// Paths whose missing file a stray explains.
    let covered: CoveredPaths
    private let members: [RemoteName: [RemoteName]]
    private let applicationClients: [RemoteName]

    /// A context; by default the memory limit admits every change set that ticds sends.
    public init(
        storage: any RemoteStorage, snapshot: RemoteSnapshot, keyring: RemoteKeyring, now: FileTime,
        memoryLimit: Int = ReadLimit.changeSet.bytes, wasEncrypted: Bool = false
    ) {
        self.storage = storage
        self.snapshot = snapshot
        isEncrypted = snapshot.isEncrypted
        self.keyring = keyring
        self.now = now
        self.memoryLimit = memoryLimit
        self.wasEncrypted = wasEncrypted
        covered = CoveredPaths(snapshot)
        let devices = snapshot.clientDevices.map(\.identifier).sorted()
        let listed = Set(devices + snapshot.documents.flatMap { $0.clients.map(\.identifier) }).sorted()
        let isWhole = snapshot.tree.gap(inNamesOf: [RemoteLayout.clientDevices]) == nil
        applicationClients = isWhole ? devices : listed
        members = Dictionary(
            snapshot.documents.map { document in
                let folder = document.path.appending(RemoteLayout.syncChanges)
                let clients = document.clients.map(\.identifier).sorted()
                return (document.identifier, snapshot.tree.gap(inNamesOf: folder) == nil ? clients : listed)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Runs `body`, which reads a file of `size` bytes into memory. Large files wait for each other.
    func inMemory<Failure: Error>(
        _ size: Int64, _ body: () throws(Failure) -> [Finding]
    ) throws(Failure) -> [Finding] {
        guard size > Int64(Self.large) else { return try body() }
        return try largeFile.withLock { _ throws(Failure) in try body() }
    }

    /// The folder of the remote.
    public var root: FilePath { snapshot.root }

    /// The clients that are registered with a document, or with the app if `document` is nil. If the folder that shows
    /// them could not be listed completely, every client that was listed anywhere, since each of them may be
    /// registered.
    public func clients(of document: RemoteName?) -> [RemoteName] {
        guard let document else { return applicationClients }
        return members[document] ?? []
    }

    package var hasLostEncryption: Bool {
        wasEncrypted && snapshot.tree[RemoteLayout.saltPath].isMissing && snapshot.encryptionTest == nil
    }

    /// A finding, with the clients that it affects.
    /// - Parameters:
    ///   - effects: replace the effects of the kind; nil keeps them.
    public func finding(
        _ kind: FindingKind, at path: RemotePath, document: RemoteName? = nil, client: RemoteName? = nil,
        subject: String? = nil, offset: Int? = nil, expected: String? = nil, found: String? = nil,
        bytes: Int64? = nil, effects: [Effect]? = nil
    ) -> Finding {
        Finding(
            kind: kind, path: path, document: document, client: client, subject: subject, offset: offset,
            expected: expected, found: found, bytes: bytes,
            affected: (effects ?? kind.effects).map { affected($0, document: document, client: client) })
    }

    /// A finding for an error, with its offset and what was expected and found.
    public func finding(
        _ kind: FindingKind, _ problem: FileProblem, at path: RemotePath, document: RemoteName? = nil,
        client: RemoteName? = nil
    ) -> Finding {
        finding(
            kind, at: path, document: document, client: client, offset: problem.offset,
            expected: problem.expected, found: problem.text)
    }

    private func affected(_ effect: Effect, document: RemoteName?, client: RemoteName?) -> Affected {
        let all = clients(of: document)
        let concerned: [RemoteName] =
            switch effect.reach {
            case .everyone, .everyoneElse, .members: all
            case .thisClient: client.map { [$0] } ?? []
            case .newClients, .nobody: []
            }
        let isForNewClients: Bool =
            switch effect.reach {
            case .everyone, .everyoneElse, .newClients: true
            case .thisClient, .members, .nobody: false
            }
        return Affected(
            effect.consequence, clients: concerned, but: effect.reach == .everyoneElse ? client : nil,
            newClients: isForNewClients, only: effect.variant)
    }
}

extension FileProblem { var text: String { [problem, found].compactMap(\.self).joined(separator: ": ") } }

/// The files that could not be read. Each one makes a finding, unless only the process lacked something, and no repair is
/// planned that depends on it.
final class UnreadFiles: Sendable {
    private let found = Mutex<[RemotePath: FileProblem]>([:])

    /// Records an error that left a file unread; ignores other errors, which the checks report.
    func note(_ problem: FileProblem, at path: RemotePath) {
        guard problem.isUnread else { return }
        found.withLock { if $0[path] == nil { $0[path] = problem } }
    }

    /// The lack of memory, threads, descriptors or temporary space because of which a file is unread; nil for none.
    func scarcity(at path: RemotePath) -> FileProblem? {
        found.withLock { $0[path] }.flatMap { $0.isScarcity ? $0 : nil }
    }

    var problems: [(path: RemotePath, problem: FileProblem)] {
        found.withLock { $0.sorted { $0.key < $1.key }.map { (path: $0.key, problem: $0.value) } }
    }
}

extension VerificationContext {
    /// Runs `body` on a file; nil after any error. A file that could not be read is recorded in `unread`.
    package func attempt<Result>(
        _ path: RemotePath, _ body: () throws(FileProblem) -> Result
    ) -> Result? {
        do throws(FileProblem) {
            return try body()
        } catch {
            unread.note(error, at: path)
            return nil
        }
    }

    /// The errors of the files that could not be read so far, in the order of paths.
    public var unreadFiles: [FileProblem] { unread.problems.map(\.problem) }

    /// The errors of the files for which the process lacked memory, a thread, a descriptor or temporary space.
    public var scarcities: [FileProblem] { unreadFiles.filter(\.isScarcity) }

    /// A finding for each file that could not be read and has none in `findings`.
    func unreadFindings(besides findings: [Finding]) -> [Finding] {
        let known = Set(
            findings.filter { $0.kind == .cannotBeRead || $0.kind == .changedMeanwhile }.map(\.path))
        return unread.problems.filter { !known.contains($0.path) && !$0.problem.isScarcity }.map {
            path, problem in
            finding(.cannotBeRead, problem, at: path, document: RemotePlace(of: path).document)
        }
    }
}

/// Paths whose missing file a stray explains: a placeholder, a partial download, or a link or folder in place of the file.
/// The stray is reported, so the missing file needs no second finding.
struct CoveredPaths {
    private var paths: Set<RemotePath> = []
    private var placeholders: Set<RemotePath> = []
    private var twins: Set<RemotePath> = []

    init(_ snapshot: RemoteSnapshot) {
        for stray in snapshot.strays {
            paths.insert(stray.path)
            if stray.kind == .nameTwin, let original = stray.twin {
                twins.insert(stray.path)
                twins.insert(stray.path.parent.appending(original))
            }
            if let name = Self.originalName(of: stray) {
                paths.insert(stray.path.parent.appending(name))
                placeholders.insert(stray.path)
            }
        }
    }

    func contains(_ path: RemotePath) -> Bool { paths.contains(path) }
    func isBeingDownloaded(_ path: RemotePath) -> Bool { placeholders.contains(path) }

    /// Whether another name differs from that of `path` only in case or Unicode form: its entry may contain what this
    /// one lacks.
    func isTwin(_ path: RemotePath) -> Bool { twins.contains(path) }

    /// The name of the missing file: `a.plist` for `.a.plist.icloud` and for `a.plist.part`.
    private static func originalName(of stray: Stray) -> RemoteName? {
        switch stray.kind {
        case .cloudPlaceholder: return stray.originalName
        case .partialDownload:
            guard let name = stray.path.last else { return nil }
            return name.bytes.lastIndex(of: UInt8(ascii: ".")).map { RemoteName(name.bytes[..<$0]) }
        default: return nil
        }
    }
}
