import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// The register that goes with a store, in a private folder that lives as long as this value.
struct PreparedRegister {
    /// Nil where the store contains no change set.
    let content: PlannedContent?
    /// Identifiers of the change sets that it names.
    let applied: Set<[UInt8]>
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - file: an existing register.
    ///   - coverage: what to say where there is none.
    /// - Throws: `.refused` where neither tells, and where changes wait beside the register that were never
    ///   synchronised.
    init(
        _ file: FilePath?, _ coverage: StoreCoverage?, source: FilePath, for document: DocumentSnapshot
    ) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-register")
        let target = folder.path.appending("Register")
        switch coverage {
        case StoreCoverage.none?:
            applied = []
            content = nil
        case .all?:
            let lines = Self.all(of: document)
            try ChangeSetRegisterWriter.write(lines, to: target)
            applied = Set(lines.compactMap { $0.identifier.map { Array($0.utf8) } })
            content = try .file(target)
        case nil:
            guard let file else {
                throw FileProblem(
                    .refused, path: source, "nothing shows which change sets the store contains",
                    expected:
                        "an \(RemoteLayout.appliedSyncChangeSets) beside it, or the one that a replay makes",
                    advice: "Name the register with --register, or give --contains all or none")
            }
            try Self.checkSynchronised(beside: file)
            _ = try StoreExtraction(
                source: file, externalData: nil, modified: try FileStatus.of(file).modified
            ).write(to: target, isReplacing: false)
            var names: Set<[UInt8]> = []
            try ChangeSetRegister(target).forEachChangeSet { line in
                if let identifier = line.identifier { names.insert(Array(identifier.utf8)) }
            }
            applied = names
            content = try .file(target)
        }
    }

    private static func all(of document: DocumentSnapshot) -> [RegisteredChangeSet] {
        let now = FileTime.now.secondsSince2001
        return document.clients.flatMap { client in
            client.changeSets.map { set in
                RegisteredChangeSet(
                    identifier: set.identifier.text, fileName: set.name.text,
                    clientIdentifier: client.identifier.text,
                    creationDate: set.modified.secondsSince2001, localDateOfApplication: now)
            }
        }
    }

    /// A register out of a client's helper folder has its unsynchronised changes beside it (ticds-remote-format(5), 2);
    /// the framework refuses while there are any (4.6).
    private static func checkSynchronised(beside register: FilePath) throws(FileProblem) {
        let path = register.removingLastComponent().appending("UnsynchronizedSyncChanges.syncchg")
        guard try FileStatus.ifPresent(path)?.kind == .file else { return }
        let count = try ChangeSetReader(try FileBytes.read(path, limit: .changeSet), path: path).count
        guard count == 0 else {
            throw FileProblem(
                .refused, path: path, "the client has changes that are not synchronised",
                found: Quantities.count(count, "change"), advice: "Have its app synchronise first")
        }
    }
}
