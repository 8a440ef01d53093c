public import CoreDataStore
import KeyedArchive

/// The two data models of the framework (ticds-remote-format(5), 3.1 and 3.4). The framework refuses files without the
/// version hashes of these models.
public enum FrameworkModels {
    /// The entity of a sync change.
    public static let syncChangeEntity = "TICDSSyncChange"
    /// The entity of a line in a register.
    public static let syncChangeSetEntity = "TICDSSyncChangeSet"

    /// The model of a change set, `*.syncchg`.
    public static let syncChange = ManagedObjectModel(entities: [
        EntityDescription(
            name: syncChangeEntity, className: syncChangeEntity,
            attributes: [
                AttributeDescription(
                    name: "changeType", type: .integer16, isIndexed: true, defaultValue: .integer(0)),
                AttributeDescription(name: "changedAttributes", type: .transformable),
                AttributeDescription(name: "changedRelationships", type: .transformable),
                AttributeDescription(name: "localTimeStamp", type: .date),
                AttributeDescription(name: "objectEntityName", type: .string),
                AttributeDescription(name: "objectSyncID", type: .string, isIndexed: true),
                AttributeDescription(name: "relatedObjectEntityName", type: .string),
                AttributeDescription(name: "relevantKey", type: .string),
            ])
    ])

    /// The model of a register of change sets, `*.ticdsync` and `*.unsavedticdsync`.
    public static let syncChangeSet = ManagedObjectModel(entities: [
        EntityDescription(
            name: syncChangeSetEntity, className: syncChangeSetEntity,
            attributes: [
                AttributeDescription(name: "clientIdentifier", type: .string),
                AttributeDescription(name: "creationDate", type: .date),
                AttributeDescription(name: "fileName", type: .string),
                AttributeDescription(name: "localDateOfApplication", type: .date),
                AttributeDescription(name: "syncChangeSetIdentifier", type: .string, isIndexed: true),
            ])
    ])
}
