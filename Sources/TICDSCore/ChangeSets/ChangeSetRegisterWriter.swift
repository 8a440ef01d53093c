package import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes a register of change sets as framework 419 does (core-data-sqlite-store(5), 8).
public enum ChangeSetRegisterWriter {
    /// Makes the file `path`, which must not exist, with the lines in the order given.
    public static func write(
        _ changeSets: some Sequence<RegisteredChangeSet>, to path: FilePath, uuid: ArchivedUUID = .random()
    ) throws(FileProblem) {
        var writer = try SQLiteStoreWriter(creating: path, model: FrameworkModels.syncChangeSet, uuid: uuid)
        var primaryKey: Int64 = 0
        for changeSet in changeSets {
            primaryKey += 1
            try writer.insert(
                StoredObject(
                    entity: FrameworkModels.syncChangeSetEntity, primaryKey: primaryKey,
                    attributes: attributes(of: changeSet), relationships: []))
        }
        try writer.finish()
    }

    package static func attributes(of changeSet: RegisteredChangeSet) -> [StoredAttribute] {
        func text(_ name: String, _ value: String?) -> StoredAttribute {
            StoredAttribute(name: name, value: value.map { .string($0) } ?? .none)
        }
        func date(_ name: String, _ value: Double?) -> StoredAttribute {
            StoredAttribute(name: name, value: value.map { .date($0) } ?? .none)
        }
        return [
            text("syncChangeSetIdentifier", changeSet.identifier), text("fileName", changeSet.fileName),
            text("clientIdentifier", changeSet.clientIdentifier),
            date("creationDate", changeSet.creationDate),
            date("localDateOfApplication", changeSet.localDateOfApplication),
        ]
    }
}
