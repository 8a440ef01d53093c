import CoreDataStore

/// A violation of an expectation that Core Data, or a client of the framework, has of a store. One finding covers all
/// cases of a kind in one property of an entity.
public struct StoreFinding: Sendable, Hashable {
    /// The kind of violation.
    public var kind: Kind
    /// The entity; nil for the whole store, and for rows without an entity.
    public var entity: String?
    /// The relationship or attribute; if its name is unknown, the table or column.
    public var property: String?
    /// The number of rows or objects.
    public var count: Int
    /// The primary keys of at most the first five; for a join row, its first key.
    public var examples: [Int64]
    /// A description of the first case, without a full stop.
    public var detail: String
    /// Whether Core Data itself leaves this in intact stores.
    public var isTolerated = false

    /// The kinds. Their names are stable, for scripts; `title` describes each.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Faults of the database and of its tables.
        case damagedDatabase, missingTable, missingColumn, highestKey
        /// Faults of single rows.
        case primaryKey, unknownEntity, abstractEntity, versionCounter
        /// Faults of to-one relationships, whose keys are in a column.
        case danglingKey, wrongTarget, wrongEntityColumn, oneSidedInverse
        /// Faults of join tables.
        case orphanedJoinRow, duplicateJoinRow
        /// Faults of ordered relationships.
        case missingPosition, duplicatePosition, strayPosition
        /// Faults of objects and their values. A sync ID must be unique in the root entity.
        case unreadableObject, missingValue, missingSyncID, duplicateSyncID, missingExternalData
        /// Faults of files of external data.
        case emptyExternalData, strayExternalData
        /// Parts of the file that the model does not explain, and metadata that Core Data refuses.
        case unknownColumn, versionHashes
    }
}

extension StoreFinding.Kind {
    /// The kind in words for people, without a full stop.
    public var title: String {
        switch self {
        case .damagedDatabase: "the SQLite database is damaged"
        case .missingTable: "the table of the entity is missing"
        case .missingColumn: "the tables lack a column or table that the model describes"
        case .highestKey: "the highest key handed out is lower than one in use"
        case .primaryKey: "a primary key is missing, below 1, or occurs twice"
        case .unknownEntity: "rows belong to no entity of their table"
        case .abstractEntity: "objects of an abstract entity"
        case .versionCounter: "the version counter Z_OPT is missing or below 1"
        case .danglingKey: "a relationship leads to no object"
        case .wrongTarget: "a relationship leads to an object of another entity"
        case .wrongEntityColumn: "the number of the target's entity is wrong"
        case .oneSidedInverse: "the inverse relationship does not lead back"
        case .orphanedJoinRow: "a join row lacks one of its objects"
        case .duplicateJoinRow: "the same pair twice in a join table"
        case .missingPosition: "no position in an ordered relationship"
        case .duplicatePosition: "the same position twice in an ordered relationship"
        case .strayPosition: "a position in an ordered relationship without an owner"
        case .unreadableObject: "an object, or a value of it, cannot be read"
        case .missingValue: "a mandatory attribute has no value"
        case .missingSyncID: "no sync ID"
        case .duplicateSyncID: "the sync ID of another object"
        case .missingExternalData: "the file of a large value is missing"
        case .emptyExternalData: "the file of a large value is empty"
        case .strayExternalData: "files of large values that no object refers to"
        case .unknownColumn: "the file contains values that are not shown"
        case .versionHashes: "the metadata lack version hashes of entities, and Core Data refuses the store"
        }
    }
}

/// Collects findings, and groups those of one kind and property.
struct FindingGroups {
    private struct Key: Hashable {
        var kind: StoreFinding.Kind
        var entity: String?
        var property: String?
        var isTolerated: Bool
    }

    private(set) var findings: [StoreFinding] = []
    private var positions: [Key: Int] = [:]

    static let exampleLimit = 5

    /// Adds a row or object. Only the first one of a group evaluates `detail`.
    mutating func add(
        _ kind: StoreFinding.Kind, entity: String?, property: String? = nil, key: Int64? = nil,
        isTolerated: Bool = false, _ detail: @autoclosure () -> String
    ) {
        let place = Key(kind: kind, entity: entity, property: property, isTolerated: isTolerated)
        guard let position = positions[place] else {
            positions[place] = findings.count
            findings.append(
                StoreFinding(
                    kind: kind, entity: entity, property: property, count: 1,
                    examples: key.map { [$0] } ?? [],
                    detail: String(detail().prefix(500)), isTolerated: isTolerated))
            return
        }
        findings[position].count += 1
        if let key, findings[position].examples.count < Self.exampleLimit {
            findings[position].examples.append(key)
        }
    }
}
