public import Base
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A store of Core Data's XML type (core-data-xml-store(5)), read as a whole.
///
/// The file has names of entities in upper case, and names of properties in lower case. The metadata restore the names
/// of entities, a model restores both.
public struct XMLStore: PersistentStore {
    /// The path by which the file was opened.
    public let path: FilePath
    /// The metadata of Core Data and the app.
    public let metadata: StoreMetadata
    /// The model; nil if there is none or none matches.
    public let model: ManagedObjectModel?
    /// The notes for readers of the data.
    public let notes: [StoreNote]
    /// The problems of the file, at most 1,000, which do not prevent reading its objects; `problemCount` counts all.
    public let problems: [FileProblem]
    /// The number of problems of the file.
    public let problemCount: Int
    /// The reason why the file was not read to its end, such as truncation; `problems` also contains it.
    public let damage: FileProblem?
    /// The objects by entity and primary key.
    private let objects: [StoredObject]
    private var keepsTransformedData = false
    /// `nextObjectID`: the last assigned number.
    package let lastNumber: Int64?
    private let unexplained: [UnexplainedEntity]

    /// - Throws: `.damaged` if no part of the file can be read, `.refused` for a model that does not match.
    public init(
        _ bytes: SharedBytes, path: FilePath, model: ManagedObjectModel? = nil,
        mismatch: ModelMismatch = .refuse
    ) throws(FileProblem) {
        let reader = try XMLStoreReader(bytes.array, path: path)
        let metadata = StoreMetadata(reader.metadata, uuid: reader.uuid)
        let choice = try model.map { model throws(FileProblem) in
            try ModelChoice(model, mismatch, of: metadata, at: path)
        }
        var maker = XMLStoreObjects(reader, metadata, model)
        maker.run()
        self.path = path
        self.metadata = metadata
        self.model = model
        lastNumber = reader.lastNumber
        highestNumber = maker.highestNumber
        objects = maker.objects
        problems = maker.problems
        damage = reader.damage
        problemCount = maker.problemCount
        notes = (choice?.notes ?? []) + [model?.unreadNote].compactMap(\.self) + maker.notes
        unexplained = maker.unexplained
        gaps = maker.gaps
    }

    /// The number of objects of each entity, by entity name.
    public func objectCounts() throws(FileProblem) -> [EntityCount] {
        Dictionary(grouping: objects, by: \.entity).map { EntityCount(entity: $0.key, count: $0.value.count) }
            .sorted { $0.entity < $1.entity }
    }

    /// Calls `body` with every object, by entity and primary key, and `onDamage` for the problems of the file.
    public func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        if entity == nil { try reportStrayRows(onDamage) }
        for object in objects where entity == nil || object.entity == entity {
            try body(keepsTransformedData ? object : object.withoutTransformedData)
        }
    }

    /// The store with the data of value transformers as values of transformable attributes.
    public func withTransformedData() -> any PersistentStore {
        var store = self
        store.keepsTransformedData = true
        return store
    }

    /// Calls `onDamage` for all problems of the file.
    public func reportStrayRows(
        of entity: String?, _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        for problem in problems { try onDamage(problem) }
        guard problemCount > problems.count else { return }
        try onDamage(
            FileProblem(
                .damaged, path: path, "more of the same is wrong with the file",
                found: "\(problemCount - problems.count) more problems"))
    }

    /// Objects of entities that the model does not have, or declares abstract.
    public func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity] { unexplained }

    /// Properties that the model does not have.
    public let gaps: [StoreGap]

    /// The highest number of an identifier.
    package let highestNumber: Int64
    /// The entity and primary key of every object.
    package var identities: [(entity: String, primaryKey: Int64)] {
        objects.map { ($0.entity, $0.primaryKey) }
    }
}

/// Makes objects with names and keys of the elements of an XML store.
struct XMLStoreObjects {
    private(set) var objects: [StoredObject] = []
    private(set) var problems: [FileProblem]
    private(set) var problemCount: Int
    private(set) var unexplained: [UnexplainedEntity] = []
    private let reader: XMLStoreReader
    private let model: ManagedObjectModel?
    /// The names of entities by their form in the file; nil if several have that form.
    private let entityNames: [String: String?]
    private var keys: [String: Int64] = [:]
    private var unknownEntities: Set<String> = []
    /// The properties that the model does not have, by entity.
    private var unknownProperties: [String: Set<String>] = [:]
    /// The highest number of an identifier.
    private(set) var highestNumber: Int64 = 0
    private var lostTargets = 0
    private var textKeys = 0

    init(_ reader: XMLStoreReader, _ metadata: StoreMetadata, _ model: ManagedObjectModel?) {
        self.reader = reader
        self.model = model
        problems = reader.problems
        problemCount = reader.problemCount
        let names = model?.entities.map(\.name) ?? Array(metadata.versionHashes.keys)
        entityNames = Dictionary(names.map { ($0.uppercased(), $0) }) { _, _ in nil }
    }

    private mutating func note(_ problem: FileProblem) {
        problemCount += 1
        if problems.count < 1_000 { problems.append(problem) }
    }

    private mutating func note(_ text: String, _ object: XMLStoreObject, found: String? = nil) {
        note(FileProblem(.damaged, path: reader.path, offset: object.offset, text, found: found))
    }

    mutating func run() {
        let elementKeys = makeKeys()
        var properties: [String: [String: Int]] = [:]
        for (element, key) in zip(reader.objects, elementKeys) {
            let entity = entity(element)
            if let model, model[entity] != nil {
                let known = properties[entity] ?? Self.positions(model, entity)
                properties[entity] = known
                objects.append(object(element, key, entity, model, known))
            } else {
                objects.append(object(element, key, entity))
            }
        }
        objects.sort { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) }
        guard let model else { return }
        for (entity, members) in Dictionary(grouping: objects, by: \.entity)
        where model[entity]?.isAbstract != false {
            unexplained.append(
                UnexplainedEntity(entity: entity, count: members.count, isAbstract: model[entity] != nil))
        }
        unexplained.sort { $0.entity < $1.entity }
    }

    /// The keys of all elements: the number after `z`; other identifiers get numbers above all of these.
    private mutating func makeKeys() -> [Int64] {
        var highest = max(reader.lastNumber ?? 0, 0)
        var numbers: [Int64?] = []
        for element in reader.objects {
            let number = element.id.flatMap(Self.number)
            highestNumber = max(highestNumber, number ?? 0)
            numbers.append(number)
        }
        highest = max(highest, highestNumber)
        return zip(reader.objects, numbers).map { element, number in
            var key = number ?? 0
            if number == nil {
                highest = highest +| 1
                key = highest
                textKeys += 1
            }
            if let id = element.id, keys.updateValue(key, forKey: id) != nil {
                note("two objects have the id \(id.prefix(40))", element)
            }
            return key
        }
    }

    /// The number of an identifier `z102`; nil for any other.
    private static func number(_ id: String) -> Int64? {
        guard id.utf8.first == UInt8(ascii: "z") else { return nil }
        return XMLStoreValue.integer(String(id.dropFirst())).flatMap { $0 > 0 ? $0 : nil }
    }

    private mutating func entity(_ element: XMLStoreObject) -> String {
        if let name = entityNames[element.type], let name { return name }
        unknownEntities.insert(element.type)
        return element.type
    }

    /// The positions of attributes, then of relationships, by their names in the file; -1 if several properties have
    /// the name.
    private static func positions(_ model: ManagedObjectModel, _ entity: String) -> [String: Int] {
        let names =
            model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
        return Dictionary(names.enumerated().map { ($1.lowercased(), $0) }) { _, _ in -1 }
    }

    /// An object of an entity of the model: all properties of the model, then further ones.
    private mutating func object(
        _ element: XMLStoreObject, _ key: Int64, _ entity: String, _ model: ManagedObjectModel,
        _ known: [String: Int]
    ) -> StoredObject {
        let attributes = model.attributes(of: entity)
        let relationships = model.relationships(of: entity)
        var values = Array(repeating: ArchivedValue.none, count: attributes.count)
        var targets: [StoredRelationship.Target?] = Array(repeating: nil, count: relationships.count)
        var more: [StoredAttribute] = []
        var moreTargets: [StoredRelationship] = []
        for found in element.attributes {
            // The name itself first: some writers keep its case.
            let position =
                attributes.firstIndex { $0.name == found.name } ?? known[found.name.lowercased()] ?? -1
            guard position >= 0, position < attributes.count else {
                unknownProperties[entity, default: []].insert(found.name)
                more.append(StoredAttribute(name: found.name, value: found.value))
                continue
            }
            let type = attributes[position].type
            var value = type.coerced(found.value)
            // Core Data keeps a float with single precision, as SQLite stores show it.
            if type == .float, case .real(let number) = value, Float(number).isFinite {
                value = .real(Double(Float(number)))
            }
            if type == .transformable, case .data(let bytes) = value { value = .transformed(bytes) }
            if !type.admits(value), value != .none {
                note(
                    "the value of \(entity).\(attributes[position].name) of \(element.id ?? "") is not of the type in the model",
                    element, found: found.type)
            }
            values[position] = value == .null ? .none : value
        }
        for found in element.relationships {
            let place = known[found.name.lowercased()] ?? -1
            let position = relationships.firstIndex { $0.name == found.name } ?? place - attributes.count
            let target = self.targets(found, element)
            guard position >= 0, position < relationships.count else {
                unknownProperties[entity, default: []].insert(found.name)
                moreTargets.append(StoredRelationship(name: found.name, target: target))
                continue
            }
            if relationships[position].isToMany != found.isToMany {
                note(
                    "the relationship \(entity).\(found.name) of \(element.id ?? "") is not to-one or to-many as in the model",
                    element)
            }
            targets[position] = target
        }
        let stored = attributes.indices.filter {
            !attributes[$0].isTransient && attributes[$0].type != .undefined
        }
        let kept = relationships.indices.filter { !relationships[$0].isTransient }
        return StoredObject(
            entity: entity, primaryKey: key,
            attributes: stored.map { StoredAttribute(name: attributes[$0].name, value: values[$0]) } + more,
            relationships: kept.map {
                let empty = relationships[$0].isToMany ? StoredRelationship.Target.toMany([]) : .toOne(nil)
                return StoredRelationship(name: relationships[$0].name, target: targets[$0] ?? empty)
            } + moreTargets)
    }

    /// An object with the names in the file, sorted by name.
    private mutating func object(_ element: XMLStoreObject, _ key: Int64, _ entity: String) -> StoredObject {
        var relationships: [StoredRelationship] = []
        for found in element.relationships.sorted(by: { $0.name < $1.name }) {
            relationships.append(StoredRelationship(name: found.name, target: targets(found, element)))
        }
        return StoredObject(
            entity: entity, primaryKey: key,
            attributes: element.attributes.sorted { $0.name < $1.name }.map {
                StoredAttribute(name: $0.name, value: $0.value)
            }, relationships: relationships)
    }

    /// The keys of the targets. A number that no object has stays, as in a store of a different type.
    private mutating func targets(
        _ relationship: XMLStoreObject.Relationship, _ element: XMLStoreObject
    ) -> StoredRelationship.Target {
        var found: [Int64] = []
        for id in relationship.targets {
            if let key = keys[id] {
                found.append(key)
                continue
            }
            lostTargets += 1
            if let number = Self.number(id) {
                found.append(number)
            } else {
                note(
                    "the relationship \(element.type).\(relationship.name) of \(element.id ?? "") leads to no object",
                    element, found: String(id.prefix(40)))
            }
        }
        if relationship.isToMany { return .toMany(found) }
        if found.count > 1 {
            note(
                "the to-one relationship \(element.type).\(relationship.name) of \(element.id ?? "") has several objects; the first one counts",
                element, found: "\(found.count)")
        }
        return .toOne(found.first)
    }

    /// A gap for each entity of which the file has properties that the model does not have.
    var gaps: [StoreGap] {
        unknownProperties.sorted { $0.key < $1.key }.map { entity, names in
            StoreGap(
                entities: [entity],
                problem: FileProblem(
                    .damaged, path: reader.path,
                    "the model does not have properties of “\(entity)”, which an export leaves out",
                    found: names.sorted().listed(10).shortened(to: 400),
                    advice: "Name the version of the model with which the app last saved the store"))
        }
    }

    var notes: [StoreNote] {
        var notes: [StoreNote] = []
        if model == nil {
            notes.append(
                StoreNote(
                    code: "namesLowered",
                    text: "no model: an XML store has the names of properties in lower case only"))
        }
        if !unknownEntities.isEmpty {
            let names = unknownEntities.sorted().listed()
            notes.append(
                StoreNote(
                    code: "entityNames",
                    text:
                        "the case of some names of entities is not known, and they are shown in capitals: \(names)"
                ))
        }
        if textKeys > 0 {
            let objects = counted(textKeys, "object")
            notes.append(
                StoreNote(
                    code: "keysMade",
                    text: "\(objects) with an id that is not of Core Data got the next free primary keys"))
        }
        if lostTargets > 0 {
            notes.append(
                StoreNote(
                    code: "danglingKeys",
                    text: "\(counted(lostTargets, "reference")) to objects that the file does not contain"))
        }
        for remark in XMLStoreReader.Remark.allCases {
            guard let (count, first) = reader.remarks[remark] else { continue }
            notes.append(
                StoreNote(code: "xml-\(remark.rawValue)", text: "\(remark.text(count)), first: \(first)"))
        }
        return notes
    }
}

extension XMLStoreReader.Remark {
    fileprivate func text(_ count: Int) -> String {
        switch self {
        case .escape: "\(counted(count, "string")) with an escape that is not of Core Data"
        case .emptyValue: "\(counted(count, "value")) of a number or date without text, read as nil"
        case .unknownType: "\(counted(count, "value")) of an unknown type, read as text"
        }
    }
}

extension StoredObject {
    /// The object with the values of which its transformed data are keyed archives.
    var withoutTransformedData: StoredObject {
        var object = self
        for index in object.attributes.indices {
            guard let data = object.attributes[index].value.transformedData else { continue }
            object.attributes[index].value = RowDecoder.unarchived(data)
        }
        return object
    }
}
