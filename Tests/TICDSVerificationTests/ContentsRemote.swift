import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport

@testable import TICDSVerification
import TICDSCore

extension CleanRemote {
    /// The findings of level contents, of all files.
    func contents(keyring: RemoteKeyring? = nil, memoryLimit: Int = ReadLimit.changeSet.bytes) throws
        -> [Finding]
    {
        let context = try limited(memoryLimit, keyring: keyring)
        return context.examinedFiles(of: nil).flatMap { ContentsCheck.findings(of: $0, context) }
    }

    /// The findings of level headers, of all files.
    func headers(keyring: RemoteKeyring? = nil) throws -> [Finding] {
        let context = try context(keyring: keyring)
        return context.examinedFiles(of: nil).flatMap { HeaderCheck.findings(of: $0, context) }
    }

    private func limited(_ memoryLimit: Int, keyring: RemoteKeyring?) throws -> VerificationContext {
        let full = try context(keyring: keyring)
        return VerificationContext(
            storage: full.storage, snapshot: full.snapshot, keyring: full.keyring, now: full.now,
            memoryLimit: memoryLimit)
    }

    /// The first change set of a client of `cookbook`.
    func changeSet(of client: Int = 0) throws -> String {
        let names = try changeSets(of: clients[client])
        return "Documents/cookbook/SyncChanges/\(clients[client])/\(names[0])"
    }

    func wholeStore(of client: Int = 0, in document: String = "cookbook") -> String {
        "Documents/\(document)/WholeStore/\(clients[client])/WholeStore.ticdsync"
    }

    func register(of client: Int = 0, in document: String = "cookbook") -> String {
        "Documents/\(document)/WholeStore/\(clients[client])/AppliedSyncChangeSets.ticdsync"
    }

    /// Runs SQL on a database of the remote.
    func edit(_ file: String, encrypted: Bool = true, _ statements: String...) throws {
        let folder = try TemporaryFolder()
        let copy = folder.path.appending("copy.sqlite")
        try NewFile.write(try plain(file), to: copy)
        do {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: copy, immutable: false), mode: .readWrite)
            for statement in statements { try connection.execute(statement) }
        }
        try write(file, try FileBytes.read(copy).array, encrypted: encrypted)
    }

    /// Replaces the first change set of the first client of `cookbook` by one with these changes.
    func replaceChangeSet(_ changes: [SyncChange]) throws {
        try write(try changeSet(), try ChangeSetWriter.bytes(of: changes))
    }

    func deviceInfo(of client: Int = 0) -> String { "ClientDevices/\(clients[client])/deviceInfo.plist" }
}

/// A store with one entity and no objects, made in a private folder; `names` are the names of its attributes.
func emptyStore(entity: String, attributes names: [String]) throws -> [UInt8] {
    let attributes = names.map { AttributeDescription(name: $0, type: .string) }
    let model = ManagedObjectModel(entities: [
        EntityDescription(name: entity, className: entity, attributes: attributes)
    ])
    let folder = try TemporaryFolder()
    let path = folder.path.appending("store.sqlite")
    let writer = try SQLiteStoreWriter(creating: path, model: model)
    try writer.finish()
    return try FileBytes.read(path).array
}

extension [Finding] {
    /// Short lines such as "TICDS-0603 Documents/..." for comparison.
    var summary: [String] { map { "\($0.kind.code) \($0.path.names.map(\.text).joined(separator: "/"))" } }
}
