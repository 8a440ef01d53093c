import SystemCalls

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
