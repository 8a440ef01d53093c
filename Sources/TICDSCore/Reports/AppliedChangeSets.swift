import SystemCalls

extension ReportSources {
    /// Everything from a remote on this machine, registers included. These are never encrypted.
    public init(_ storage: LocalStorage, vault: RemoteVault) {
        self.init(
            storage, vault: vault,
            appliedChangeSets: { file throws(FileProblem) in try Self.appliedChangeSets(storage, file) })
    }

    private static func appliedChangeSets(
        _ storage: LocalStorage, _ file: RemotePath
    ) throws(FileProblem) -> Set<String> {
        let path = file.filePath(under: storage.root)
        guard try storage.status(of: file).kind == .file else {
            throw FileProblem(.unsupported, path: path, "the register is not a plain file")
        }
        var identifiers: Set<String> = []
        try ChangeSetRegister(path).forEachChangeSet { changeSet throws(FileProblem) in
            if let identifier = changeSet.identifier { identifiers.insert(identifier) }
        }
        return identifiers
    }
}
