import CoreDataStore
import KeyedArchive
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
        let register = try PersistentStores.open(
            path, model: FrameworkModels.syncChangeSet, mismatch: .accept)
        var identifiers: Set<String> = []
        try register.forEachObject(entity: FrameworkModels.syncChangeSetEntity) {
            object throws(FileProblem) in
            let identifier = object.attributes.first { $0.name == "syncChangeSetIdentifier" }
            if let text = identifier?.value.stringValue { identifiers.insert(text) }
        }
        return identifiers
    }
}
