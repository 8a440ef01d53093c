public import SystemCalls

/// What a vacuum reads besides the listing: the registers of applied change sets, which are never encrypted, and the
/// beginning of files whose content may not be here.
public struct VacuumSources: Sendable {
    let storage: any RemoteStorage
    /// Hands out the identifier of every change set that a register names, and throws where one line cannot be read.
    public var forEachApplied: @Sendable (RemotePath, _ body: (String) -> Void) throws(FileProblem) -> Void

    /// Sources that read registers with `forEachApplied`, and all else in `storage`.
    public init(
        _ storage: some RemoteStorage,
        forEachApplied: @escaping @Sendable (RemotePath, (String) -> Void) throws(FileProblem) -> Void
    ) {
        self.storage = storage
        self.forEachApplied = forEachApplied
    }

    /// The registers of a remote on this machine.
    public init(_ storage: any RemoteStorage) {
        self.init(storage) { file, body throws(FileProblem) in
            try ChangeSetRegister(file, in: storage).forEachChangeSet { line in
                if let identifier = line.identifier { body(identifier) }
            }
        }
    }
}
