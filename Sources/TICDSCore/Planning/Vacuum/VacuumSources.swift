public import SystemCalls
import SystemPackage

/// What a vacuum reads besides the listing: the registers of applied change sets. They are never encrypted.
public struct VacuumSources: Sendable {
    /// Hands out the identifier of every change set that a register names, and throws where one line cannot be read.
    public var forEachApplied: @Sendable (RemotePath, _ body: (String) -> Void) throws(FileProblem) -> Void

    /// Sources that read registers with `forEachApplied`.
    public init(
        forEachApplied: @escaping @Sendable (RemotePath, (String) -> Void) throws(FileProblem) -> Void
    ) {
        self.forEachApplied = forEachApplied
    }

    /// The registers of a remote on this machine.
    public init(_ storage: LocalStorage) {
        self.init { file, body throws(FileProblem) in
            let path = file.filePath(under: storage.root)
            guard try storage.status(of: file).kind == .file else {
                throw FileProblem(.unsupported, path: path, "the register is not a plain file")
            }
            try ChangeSetRegister(path).forEachChangeSet { line in
                if let identifier = line.identifier { body(identifier) }
            }
        }
    }
}
