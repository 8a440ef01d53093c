/// The result of a migration: the objects and values that it carried over, and those for which the new model has no
/// place.
public struct ModelMigrationReport: Sendable, Hashable {
    /// The objects of one entity that go one way.
    public struct Entity: Sendable, Hashable {
        /// The entity of the old model.
        public var source: String
        /// The entity of the new model; nil if it has no place for the objects.
        public var destination: String?
        /// The number of objects.
        public var objects = 0
        /// The properties of the new entity, then those of the old one for which there is no place.
        public var properties: [Property] = []
    }

    /// A property of these objects.
    public struct Property: Sendable, Hashable {
        /// The name in the new model, or in the old one if it is removed.
        public var name: String
        /// The attribute or relationship.
        public var subject: ModelDifference.Subject
        /// The origin of the values.
        public var origin: Origin
        /// The name in the old model, if it is different.
        public var former: String?
        /// The number of values, or of the objects to which a relationship leads.
        public var values = 0
        /// The number of these values that are the default of the new model.
        public var defaults = 0
        /// The number of values, or of the objects to which a relationship led, that are left out.
        public var lost = 0
    }

    /// The origin of the values of a property.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// A property of the old model.
        case copied
        /// Another expression of a mapping model.
        case computed
        /// The default value of the new model, or nothing without one.
        case added
        /// Nothing: the new model does not have the property.
        case removed
    }

    /// An object that the new model does not admit as it is.
    public struct Obstacle: Sendable, Hashable {
        /// The entity in the old model.
        public var entity: String
        /// The primary key in the old store.
        public var key: Int64
        /// The text that describes the object; nil if it has none.
        public var label: String?
        /// The property of the new model; nil for the object itself.
        public var property: String?
        /// The reason: a sentence without a full stop.
        public var problem: String
    }

    /// The objects by entity, in the order of the mapping.
    public var entities: [Entity] = []
    /// The first objects that stand in the way; none if the migration is possible.
    public var obstacles: [Obstacle] = []
    /// The number of all of them.
    public var obstacleCount = 0

    /// The largest number of ``obstacles``.
    public static let mostObstacles = 10_000

    /// The number of migrated objects.
    public var migrated: Int {
        entities.filter { $0.destination != nil }.reduce(0) { $0 + $1.objects }
    }

    /// The number of objects for which the new model has no place.
    public var lost: Int { entities.filter { $0.destination == nil }.reduce(0) { $0 + $1.objects } }

    mutating func add(_ obstacle: Obstacle) {
        obstacleCount += 1
        if obstacles.count < Self.mostObstacles { obstacles.append(obstacle) }
    }
}
