public import KeyedArchive
public import SystemCalls
import SystemPackage

/// What reports read besides the listing: the few contents that say how things are called and who applied what.
public struct ReportSources: Sendable {
    /// The bytes of a small file, decrypted where needed.
    public var plainBytes: @Sendable (RemotePath) throws(FileProblem) -> SharedBytes
    /// The first bytes of a file.
    public var head: @Sendable (RemotePath, _ count: Int) throws(FileProblem) -> SharedBytes
    /// The identifiers of the change sets that a register (`AppliedSyncChangeSets.ticdsync`) names as applied.
    /// nil where registers are not to be read: then nobody lags.
    public var appliedChangeSets: (@Sendable (RemotePath) throws(FileProblem) -> Set<String>)?

    /// Sources that read by these functions.
    public init(
        plainBytes: @escaping @Sendable (RemotePath) throws(FileProblem) -> SharedBytes,
        head: @escaping @Sendable (RemotePath, Int) throws(FileProblem) -> SharedBytes,
        appliedChangeSets: (@Sendable (RemotePath) throws(FileProblem) -> Set<String>)?
    ) {
        self.plainBytes = plainBytes
        self.head = head
        self.appliedChangeSets = appliedChangeSets
    }

    /// Small files through `keyring`; registers through `appliedChangeSets`.
    public init(
        _ storage: any RemoteStorage, keyring: RemoteKeyring,
        appliedChangeSets: (@Sendable (RemotePath) throws(FileProblem) -> Set<String>)?
    ) {
        self.init(
            plainBytes: { file throws(FileProblem) in
                try keyring.read(storage, file, limit: .propertyList)
            },
            head: { file, count throws(FileProblem) in try storage.head(file, count: count) },
            appliedChangeSets: appliedChangeSets)
    }
}

/// Reads for a report and keeps what went wrong, so that the rest is reported all the same.
struct ReportReader {
    let sources: ReportSources
    /// Where the remote lies, for messages.
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

    mutating func appliedChangeSets(_ file: RemoteFile) -> Set<String>? {
        value { sources throws(FileProblem) in try sources.appliedChangeSets?(file.path) } ?? nil
    }

    mutating func head(_ file: RemoteFile, count: Int) -> SharedBytes? {
        value { sources throws(FileProblem) in try sources.head(file.path, count) }
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

extension ReportSources {
    /// Everything from a remote on this machine, registers included. These are never encrypted.
    public init(_ storage: any RemoteStorage, keyring: RemoteKeyring) {
        self.init(
            storage, keyring: keyring,
            appliedChangeSets: { file throws(FileProblem) in try Self.appliedChangeSets(storage, file) })
    }

    private static func appliedChangeSets(
        _ storage: any RemoteStorage, _ file: RemotePath
    ) throws(FileProblem) -> Set<String> {
        var identifiers: Set<String> = []
        try ChangeSetRegister(file, in: storage).forEachChangeSet { changeSet throws(FileProblem) in
            if let identifier = changeSet.identifier { identifiers.insert(identifier) }
        }
        return identifiers
    }
}
