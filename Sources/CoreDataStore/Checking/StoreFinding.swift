/// Something in a store that Core Data, or a client of the framework, does not expect: all of one kind in one
/// property of one entity together.
public struct StoreFinding: Sendable, Hashable {
    /// What is wrong.
    public var kind: Kind
    /// The entity it is about; nil for the whole store, and for rows of no entity.
    public var entity: String?
    /// The relationship or attribute, or the table or column where it has no such name.
    public var property: String?
    /// How many rows or objects.
    public var count: Int
    /// Primary keys of the first of them, at most five; of a join row the key that is given first.
    public var examples: [Int64]
    /// The first of them in words, without a full stop.
    public var detail: String

    /// Stable names, for scripts.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// SQLite itself finds its pages broken.
        case damagedDatabase
        /// The table of an entity is not there.
        case missingTable
        /// The tables have no place for a property of the model.
        case missingColumn
        /// `Z_PRIMARYKEY`, or the header of a binary store, would hand out a key that is in use.
        case highestKey
        /// A primary key that is missing, below 1, or there twice.
        case primaryKey
        /// A row whose `Z_ENT` is no entity of its table.
        case unknownEntity
        /// An object of an entity that can have none.
        case abstractEntity
        /// A row whose `Z_OPT` is missing or below 1.
        case versionCounter
        /// A relationship that leads to no object.
        case danglingKey
        /// A relationship that leads to an object of another entity than its destination.
        case wrongTarget
        /// The number beside a to-one key is not that of the target's entity.
        case wrongEntityColumn
        /// A relationship whose inverse does not lead back.
        case oneSidedInverse
        /// A join row without one of its objects.
        case orphanedJoinRow
        /// The same pair twice in a join table.
        case duplicateJoinRow
        /// An object of an ordered relationship without a place.
        case missingPosition
        /// Two objects of an ordered relationship with the same place.
        case duplicatePosition
        /// A place in an ordered relationship that the object does not belong to.
        case strayPosition
        /// An object that cannot be read.
        case unreadableObject
        /// No value in an attribute that must have one.
        case missingValue
        /// An object without the identifier that clients know it by.
        case missingSyncID
        /// An identifier that another object of the entity has, too.
        case duplicateSyncID
        /// The file of a large value is not beside the store.
        case missingExternalData
    }
}

extension StoreFinding.Kind {
    /// What is wrong, for people; without a full stop.
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
        case .unreadableObject: "an object cannot be read"
        case .missingValue: "a mandatory attribute has no value"
        case .missingSyncID: "no sync ID"
        case .duplicateSyncID: "the sync ID of another object"
        case .missingExternalData: "the file of a large value is missing"
        }
    }
}
