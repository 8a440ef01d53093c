import Base
import SystemCalls
import SystemPackage

/// The data that reports read besides the listing: the few files that contain names, and the registers.
public struct ReportSources: Sendable {
    let storage: any RemoteStorage
    let keyring: RemoteKeyring
    /// The identifiers of the change sets that a register (`AppliedSyncChangeSets.ticdsync`) names as applied.
    let appliedChangeSets: @Sendable (RemotePath) throws(FileProblem) -> Set<String>

    /// Reads small files through `keyring`, and registers through `appliedChangeSets`.
    init(
        _ storage: any RemoteStorage, keyring: RemoteKeyring,
        appliedChangeSets: @escaping @Sendable (RemotePath) throws(FileProblem) -> Set<String>
    ) {
        self.storage = storage
        self.keyring = keyring
        self.appliedChangeSets = appliedChangeSets
    }

    /// Reads everything from a remote. Registers are never encrypted.
    public init(_ storage: any RemoteStorage, keyring: RemoteKeyring) {
        self.init(storage, keyring: keyring) { file throws(FileProblem) in
            var identifiers: Set<String> = []
            try ChangeSetRegister(file, in: storage).forEachChangeSet { changeSet throws(FileProblem) in
                if let identifier = changeSet.identifier { identifiers.insert(identifier) }
            }
            return identifiers
        }
    }

    /// The bytes of a small file, decrypted if necessary.
    func plainBytes(_ file: RemotePath) throws(FileProblem) -> SharedBytes {
        try keyring.read(storage, file, limit: .propertyList)
    }
}

/// Reads for a report and keeps the errors, so that the rest is still reported.
struct ReportReader {
    let sources: ReportSources
    /// The root of the remote, for messages.
    let root: FilePath
    private(set) var problems: [FileProblem] = []

    init(_ sources: ReportSources, root: FilePath) {
        self.sources = sources
        self.root = root
    }

    mutating func deviceInfo(_ file: RemoteFile?) -> DeviceInfo? {
        guard let file else { return nil }
        let path = file.path.filePath(under: root)
        return value { sources throws(FileProblem) in
            try DeviceInfo(sources.plainBytes(file.path), path: path)
        }
    }

    mutating func documentInfo(_ file: RemoteFile?) -> DocumentInfo? {
        guard let file else { return nil }
        let path = file.path.filePath(under: root)
        return value { sources throws(FileProblem) in
            try DocumentInfo(sources.plainBytes(file.path), path: path)
        }
    }

    /// The identifiers that each register names, read with several threads; nil for a register that cannot be read.
    mutating func appliedChangeSets(_ files: [RemoteFile]) -> [Set<String>?] {
        let results = ParallelWork.results(below: files.count, workers: sources.storage.workers) {
            [sources] (number) throws(FileProblem) in
            try sources.appliedChangeSets(files[number].path)
        }
        return results.map { result in value { _ throws(FileProblem) in try result.get() } }
    }

    /// The entries of a folder whose names are wanted.
    mutating func entries(
        of folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> Seen<FolderListing> {
        let listing = value { sources throws(FileProblem) in
            try sources.storage.list(folder, where: isWanted).whole()
        }
        return listing.map { .all($0) } ?? Seen(FolderListing(), problems.last)
    }

    mutating func head(_ file: RemoteFile, count: Int) -> SharedBytes? {
        value { sources throws(FileProblem) in try sources.storage.head(file.path, count: count) }
    }

    private mutating func value<Value>(_ read: (ReportSources) throws(FileProblem) -> Value) -> Value? {
        do throws(FileProblem) {
            return try read(sources)
        } catch {
            problems.append(error)
            return nil
        }
    }
}
