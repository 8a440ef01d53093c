public import KeyedArchive

/// How the objects of one version of a model become objects of another one: what a mapping model says, or what
/// Core Data infers from two models.
public struct MigrationMapping: Sendable, Hashable {
    /// How the objects of one entity become objects of another one.
    public struct Entity: Sendable, Hashable {
        /// The name of this mapping, which value expressions refer to; unique.
        public var name: String
        /// The entity of the old model; nil if the entity is new, which makes no objects.
        public var source: String?
        /// The entity of the new model; nil if the objects are left out.
        public var destination: String?
        /// The condition on the objects of the source; nil for all. Subentities have mappings of their own.
        public var predicate: ObjectPredicate?
        /// The values of attributes; an attribute without one gets the default of the new model.
        public var attributes: [Property]
        /// The destination objects of relationships; a relationship without one stays empty.
        public var relationships: [Property]

        /// A mapping of entities.
        public init(
            name: String, source: String?, destination: String?, predicate: ObjectPredicate? = nil,
            attributes: [Property] = [], relationships: [Property] = []
        ) {
            self.name = name
            self.source = source
            self.destination = destination
            self.predicate = predicate
            self.attributes = attributes
            self.relationships = relationships
        }
    }

    /// How a property of the new entity gets its value.
    public struct Property: Sendable, Hashable {
        /// The name of the property in the new model.
        public var name: String
        /// The value.
        public var expression: MigrationExpression

        /// A mapping of a property.
        public init(name: String, expression: MigrationExpression) {
            self.name = name
            self.expression = expression
        }
    }

    /// The mappings of entities, in the order in which they are carried out.
    public var entities: [Entity]

    /// Mappings of entities.
    public init(entities: [Entity]) { self.entities = entities }
}

/// The value of a property of a migrated object: the part of NSExpression that mapping models use.
public indirect enum MigrationExpression: Sendable, Hashable {
    /// A value.
    case constant(ArchivedValue)
    /// The object of the old store, or what lies at the end of a path of names from it: `$source.author.name`.
    case source(path: [String])
    /// The objects that mappings made of the source objects that the inner expression gives:
    /// `destinationInstancesForEntityMappingNamed:sourceInstances:` with one name, and what Core Data infers with those
    /// of all mappings whose source is the entity or one of its subentities.
    case destinations(mappings: [String], sources: MigrationExpression)
    /// A function of other values.
    case function(Function, [MigrationExpression])
    /// The second value if the condition on the source object holds, otherwise the third.
    case conditional(ObjectPredicate, MigrationExpression, MigrationExpression)

    /// A function.
    public enum Function: Sendable, Hashable {
        /// A text in small or capital letters; one argument.
        case lowercase, uppercase
        /// Arithmetic on two numbers.
        case add, subtract, multiply, divide
        /// A text followed by another one.
        case concatenate
        /// The value as a text, a number or a date, as `CAST` and `castObject:toType:` name them; one argument.
        case castToText, castToNumber, castToDate
    }
}
