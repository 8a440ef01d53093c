public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Copies a store out of a remote, or from any path: one file that Core Data can open, with everything in it.
///
/// Pending writes in a write-ahead log or a rollback journal beside the source are included in the copy; the source
/// stays as it is. External data go to the place where Core Data looks for them beside the new name.
public struct StoreExtraction: Sendable {
    /// The file to copy: a local file, or the private copy of a store that was zipped or encrypted.
    public var source: FilePath
    /// `_EXTERNAL_DATA` of the source; nil if it has none.
    public var externalData: FilePath?
    /// The time the copy gets.
    public var modified: FileTime
    /// Permissions of the file of which `source` is a private copy; nil if it is not a copy.
    public var mode: UInt32?
    /// Files of external data that are missing beside a private copy, because they could not be read.
    public var gaps: ExternalDataGaps

    /// The result of an extraction.
    public struct Result: Sendable, Hashable {
        /// The kind of the extracted store.
        public var kind: WholeStoreKind
        /// The size of the store in bytes.
        public var size: Int64
        /// The number of files of external data.
        public var externalFiles: Int
        /// The names of files of external data that the store refers to and that do not exist, sorted.
        public var missingExternalFiles: [String] = []
        /// Why files of external data, their folder, or parts of the log could not be copied: the copy goes without them.
        /// Also the first errors in the content of a binary or XML store, which its copy shares.
        public var unread: [FileProblem]
        /// Whether a log or journal was included.
        public var hadPendingWrites: Bool
        /// The number of objects in the copy; nil for an XML store of a kind that cannot be read.
        public var objects: Int?
    }

    /// Extracts the store at `source`, which is no longer a zip; `modified` is the time that the copy gets.
    public init(
        source: FilePath, externalData: FilePath?, modified: FileTime, mode: UInt32? = nil,
        gaps: ExternalDataGaps = ExternalDataGaps()
    ) {
        self.gaps = gaps
        self.source = source
        self.externalData = externalData
        self.modified = modified
        self.mode = mode
    }

    /// Makes `target` and verifies it before it gets its name.
    /// - Parameter isReplacing: whether an existing store of that name may be replaced.
    /// - Throws: `.refused` if the name is taken, or belongs to a store of that name; `.damaged` if the copy is not an
    ///   intact store.
    public func write(to target: FilePath, isReplacing: Bool) throws(FileProblem) -> Result {
        let place = try AtomicOutput(target, isReplacing: isReplacing)
        let isThere = try FileStatus.ifPresent(target)?.kind == .file
        if !isThere { try Self.checkAlone(target, isReplacing: isReplacing) }
        let before = try Self.states(source)
        let suffixes = zip(Self.logs, before.dropFirst()).filter { Self.isPending($1) }.map(\.0)
        // The parts of the log that SQLite would leave out, and the log of a different store.
        let short = suffixes.isEmpty ? [] : try SQLiteStoreFile(source).shortfalls
        try FileCopy.copy(source, to: place.path, mode: mode)
        for suffix in suffixes {
            try FileCopy.copy(Self.beside(source, suffix), to: Self.beside(place.path, suffix), mode: mode)
        }
        guard try Self.states(source) == before else { throw .changing(source) }
        if !suffixes.isEmpty { _ = try PendingWrites(saving: place.path) }
        let kind = try WholeStoreKind(ofPlain: place.path)
        var unread = gaps.problems
        let objects = try verify(place.path, of: source, kind, &unread)
        let files = try copyExternalData(to: place, &unread)
        let missing = kind == .sqlite ? try missingExternalFiles(place, files: files, unread) : []
        let status = try FileStatus.of(place.path)
        try FileCopy.finish(place.path, modified: modified)
        if files > 0 { try moveExternalData(place) }
        do throws(FileProblem) {
            // Handles the log of the store that is replaced, and other programs that have it open.
            if isReplacing, isThere {
                try StoreReplacement(target).replace(with: place.path)
            } else {
                try place.finish()
            }
        } catch {
            if files > 0 { try? takeBackExternalData(place) }  // try?: the first error counts
            throw error
        }
        return Result(
            kind: kind, size: status.size, externalFiles: files, missingExternalFiles: missing,
            unread: short + unread,
            hadPendingWrites: !suffixes.isEmpty, objects: objects)
    }

    /// The files of external data that the copy refers to, and that are neither beside it nor unreadable.
    private func missingExternalFiles(
        _ place: AtomicOutput, files: Int, _ unread: [FileProblem]
    ) throws(FileProblem) -> [String] {
        // A folder that cannot be listed may contain them all.
        let isUnlisted = unread.contains {
            $0.path.lastComponent.flatMap { ArchivedUUID(text: $0.string) } == nil
        }
        if isUnlisted { return [] }
        let names = try SQLiteStore(place.path, examines: false).externalFileNames()
        if names.isEmpty { return [] }
        var found = Set(unread.compactMap { $0.path.lastComponent?.string })
        if files > 0 {
            let copies = try OwnedDescriptor.folder(place.aside("support").appending("_EXTERNAL_DATA"))
            for entry in try DirectoryReader.entries(of: copies) { found.insert(RemoteName(entry.name).text) }
        }
        return names.subtracting(found).sorted()
    }

    /// Opens the copy, counts its objects, and has SQLite look at every page.
    /// - Parameter problems: gets the first errors in the content of a binary or XML store.
    private func verify(
        _ copy: FilePath, of source: FilePath, _ kind: WholeStoreKind, _ problems: inout [FileProblem]
    ) throws(FileProblem) -> Int? {
        do throws(FileProblem) {
            let store = try PersistentStores.open(copy, examines: false)
            let found = try store.contentProblems()
            if store is SQLiteStore, let complaint = found.first { throw complaint }
            if let damage = (store as? XMLStore)?.damage { throw damage }
            problems += found.map { $0.path == copy ? $0.renamed(source) : $0 }
            return try store.objectCounts().reduce(0) { $0 + $1.count }
        } catch  where kind == .xml && error.kind == .unsupported {
            return nil
        } catch {
            throw error.path == copy ? error.renamed(source) : error
        }
    }

    /// Refuses the name of a new store beside which files of another store with that name are.
    package static func checkAlone(_ target: FilePath, isReplacing: Bool) throws(FileProblem) {
        let logs = ["-wal", "-journal"].map { beside(target, $0) }
        for name in logs + (isReplacing ? [] : [support(target)]) {
            guard try FileStatus.ifPresent(name) != nil else { continue }
            throw FileProblem(
                .refused, path: name, "belongs to another store with that name",
                advice: "Choose another name, or move this away")
        }
    }

    /// Copies the files of external data into the private folder; returns their number.
    /// - Parameter unread: collects the errors of files that cannot be read.
    private func copyExternalData(
        to place: AtomicOutput, _ unread: inout [FileProblem]
    ) throws(FileProblem) -> Int {
        guard let externalData else { return 0 }
        var names: [FilePath] = []
        do throws(FileProblem) {
            for entry in try DirectoryReader.entries(of: try OwnedDescriptor.folder(externalData)) {
                let name = FilePath(nameBytes: entry.name)
                let path = externalData.pushing(name)
                if entry.status.kind == .file {
                    names.append(name)
                } else if ArchivedUUID(text: RemoteName(entry.name).text) != nil,
                    !unread.contains(where: { $0.path == path })
                {
                    unread.append(FileProblem(.unreadable, path: path, "is no plain file"))
                }
            }
        } catch {
            unread.append(error)
            return 0
        }
        guard !names.isEmpty else { return 0 }
        let target = try Self.makeExternalData(in: place.aside("support"))
        var count = 0
        for name in names {
            let source = externalData.pushing(name)
            do throws(FileProblem) {
                let modified = try FileStatus.of(source).modified
                try FileCopy.copy(source, to: target.pushing(name), mode: mode)
                try FileCopy.finish(target.pushing(name), modified: modified)
                count += 1
            } catch {
                guard error.isUnread, error.path == source else { throw error }
                unread.append(error)
                _ = try unlessMissing { () throws(FileProblem) in
                    try OwnedDescriptor.folder(target).remove(name)
                }
            }
        }
        return count
    }

    /// Moves the external data to the place where the store will look for them. The store itself comes last: without it
    /// they have no effect.
    private func moveExternalData(_ place: AtomicOutput) throws(FileProblem) {
        let name = Self.support(FilePath(nameBytes: place.target.lastComponent?.bytes ?? []))
        let folder = try OwnedDescriptor.folder(place.target.parent)
        let inside = try OwnedDescriptor.folder(place.path.parent)
        if try folder.exists(name) { try folder.move(name, to: inside, as: "replaced-support") }
        try inside.move("support", to: folder, as: name)
        try folder.sync()
    }

    /// Takes the moved external data back, for a store that could not be replaced.
    private func takeBackExternalData(_ place: AtomicOutput) throws(FileProblem) {
        let name = Self.support(FilePath(nameBytes: place.target.lastComponent?.bytes ?? []))
        let folder = try OwnedDescriptor.folder(place.target.parent)
        let inside = try OwnedDescriptor.folder(place.path.parent)
        try folder.move(name, to: inside, as: "support")
        if try inside.exists("replaced-support") { try inside.move("replaced-support", to: folder, as: name) }
    }

    /// `.<name without extension>_SUPPORT` beside a store (core-data-sqlite-store(5), 2.4).
    public static func support(_ store: FilePath) -> FilePath {
        let name = RemoteName(store.lastComponent.map(\.bytes) ?? [])
        let support = WholeStoreFolder.support(of: name)
        return store.removingLastComponent().pushing(FilePath(nameBytes: support.bytes))
    }

    /// Makes the folder `support` and the folder for external data in it; returns the latter.
    static func makeExternalData(in support: FilePath) throws(FileProblem) -> FilePath {
        let folder = support.appending("_EXTERNAL_DATA")
        try NewFile.makeFolder(support)
        try NewFile.makeFolder(folder)
        return folder
    }

    private static func beside(_ store: FilePath, _ suffix: String) -> FilePath {
        FilePath(nameBytes: store.bytes + Array(suffix.utf8))
    }

    /// The states of the store and its companions, which must all stay the same during the copy.
    private static func states(_ store: FilePath) throws(FileProblem) -> [FileStatus?] {
        var states = [try FileStatus.ifPresent(store)]
        for suffix in logs { states.append(try FileStatus.ifPresent(beside(store, suffix))) }
        return states
    }

    private static let logs = ["-wal", "-journal"]

    private static func isPending(_ status: FileStatus?) -> Bool {
        guard let status else { return false }
        return status.kind == .file && status.size > 0
    }

    /// The external data beside a local store; nil if there are none.
    public static func externalData(beside store: FilePath) throws(FileProblem) -> FilePath? {
        let folder = support(store).appending("_EXTERNAL_DATA")
        return try FileStatus.ifPresent(folder)?.kind == .folder ? folder : nil
    }
}
