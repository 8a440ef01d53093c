import CoreDataStore

/// The entities and relationships of a model, numbered for a scratch file.
struct ImportSchema {
    /// A concrete entity.
    struct Entity {
        var name: String
        /// The number of its root entity.
        var root: Int
        /// The stored attributes, inherited ones first.
        var attributes: [AttributeDescription]
        /// The numbers of its relationships, inherited ones first.
        var links: [Int]
        /// The position of the attribute that identifies objects.
        var syncID: Int?
        /// The properties by name.
        var properties: [String: Property]
    }

    /// The place of a property in an ``ImportRecord``.
    enum Property {
        case attribute(Int)
        case link(Int)
    }

    /// A relationship as an entity declares it; subentities share it.
    struct Link {
        var entity: String
        var description: RelationshipDescription
        /// The number of the root entity of the objects that have the relationship.
        var ownRoot: Int
        /// The number of the inverse relationship.
        var inverse: Int?
        /// The number of the root entity of the destination.
        var root: Int
        /// The numbers of the entities that a target may have.
        var destinations: Set<Int>
        /// Whether this side counts where the two sides of the relationship disagree.
        var counts = false

        var name: String { description.name }
        var title: String { "\(entity).\(description.name)" }
        var isToMany: Bool { description.isToMany }
        var isOrdered: Bool { description.isToMany && description.isOrdered }
    }

    let model: ManagedObjectModel
    private(set) var entities: [Entity] = []
    private(set) var links: [Link] = []
    private let numbers: [String: Int]

    /// The number of a concrete entity.
    func number(of entity: String) -> Int? { numbers[entity] }

    /// - Parameter syncID: the attribute that identifies objects.
    init(_ model: ManagedObjectModel, syncID: String) {
        self.model = model
        let order = model.numberedEntities.map(\.name)
        let names = order.filter { model[$0]?.isAbstract == false }
        numbers = Dictionary(
            names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var roots: [String: Int] = [:]
        for name in order {
            let root = model.rootEntity(of: name)?.name ?? name
            if roots[root] == nil { roots[root] = roots.count }
        }
        func root(_ name: String) -> Int { roots[model.rootEntity(of: name)?.name ?? name] ?? -1 }
        var known: [PropertyKey: Int] = [:]
        for name in order {
            for relationship in model[name]?.relationships ?? [] where !relationship.isTransient {
                known[PropertyKey(entity: name, name: relationship.name)] = links.count
                let kinds = names.indices.filter {
                    model.isEntity(names[$0], kindOf: relationship.destination)
                }
                links.append(
                    Link(
                        entity: name, description: relationship, ownRoot: root(name),
                        root: root(relationship.destination),
                        destinations: Set(kinds)))
            }
        }
        for number in links.indices {
            guard let inverse = model.inverse(of: links[number].description) else { continue }
            links[number].inverse =
                known[PropertyKey(entity: inverse.entity, name: inverse.relationship.name)]
        }
        for name in names {
            let attributes = model.attributes(of: name).filter(\.isStored)
            let own = model.ancestry(of: name).flatMap { level in
                level.relationships.compactMap { known[PropertyKey(entity: level.name, name: $0.name)] }
            }
            var properties: [String: Property] = [:]
            for (position, attribute) in attributes.enumerated() {
                properties[attribute.name] = .attribute(position)
            }
            for (position, link) in own.enumerated() { properties[links[link].name] = .link(position) }
            entities.append(
                Entity(
                    name: name, root: root(name), attributes: attributes, links: own,
                    syncID: attributes.firstIndex { $0.name == syncID && $0.type == .string },
                    properties: properties))
        }
    }

    /// Lets a side of a relationship count where the two sides disagree.
    /// - Parameter name: `Entity.relationship`, or `to-one` for the to-one side of all relationships whose other side is
    ///   to-many.
    /// - Returns: false if there is no such relationship with an inverse.
    mutating func prefer(_ name: String) -> Bool {
        var isKnown = name == "to-one"
        for number in links.indices {
            guard let inverse = links[number].inverse, inverse != number else { continue }
            if name == "to-one" {
                if !links[number].isToMany, links[inverse].isToMany { links[number].counts = true }
            } else if links[number].title == name {
                links[number].counts = true
                isKnown = true
            }
        }
        return isKnown
    }

    /// A relationship both of whose sides are to count.
    var contradiction: Link? {
        links.first { link in link.counts && link.inverse.map { links[$0].counts } == true }
    }
}

/// An object as a file of an import has it.
struct ImportRecord {
    /// The target of a relationship.
    enum Name: Hashable {
        /// A primary key.
        case key(Int64)
        /// A sync ID.
        case id(String)
        /// A sync ID, a primary key, or a primary key after `#`: the way in which the export named objects decides.
        case text(String)
    }

    /// The targets of a relationship.
    enum Targets {
        /// The file has no such column or field.
        case absent
        /// The targets with their places in the relationship.
        case names([(name: Name, place: Int64?)])
    }

    /// The number of the entity.
    var entity: Int
    /// The number of the file.
    var file: Int
    /// The line, from 1; 0 in a database.
    var line: Int
    /// The primary key; nil for a new object.
    var key: Int64?
    /// The attributes of the entity.
    var cells: [ImportCell]
    /// The relationships of the entity.
    var targets: [Targets]
    /// The places of the object in ordered relationships of others.
    var positions: [(link: Int, place: Int64)] = []
    /// Whether a part does not fit.
    var isBad = false

    /// A record of an object without values.
    init(_ entity: Int, of schema: ImportSchema, file: Int, line: Int) {
        self.entity = entity
        self.file = file
        self.line = line
        cells = Array(repeating: .absent, count: schema.entities[entity].attributes.count)
        targets = Array(repeating: .absent, count: schema.entities[entity].links.count)
    }
}
