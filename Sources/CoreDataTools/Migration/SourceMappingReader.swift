import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// Reads the source of a mapping model, an XML store with entities of Xcode (core-data-xml-store(5)).
struct SourceMappingReader {
    private let path: FilePath
    private var problems: [FileProblem] = []
    private var objects: [String: [Int64: StoredObject]] = [:]
    /// The number of expressions that may still be read.
    private var left = ExpressionArchive.countLimit

    static func model(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> MappingModel {
        var reader = SourceMappingReader(path: path)
        let store = try XMLStore(bytes, path: path)
        try store.forEachObject(
            entity: nil, onDamage: { (problem) throws(FileProblem) in reader.problems.append(problem) }
        ) { (object) throws(FileProblem) in
            reader.objects[object.entity.uppercased(), default: [:]][object.primaryKey] = object
        }
        reader.checkReferences()
        return reader.model()
    }

    /// Notes references to objects that the file does not contain: a part of the mapping model is lost.
    private mutating func checkReferences() {
        let all = objects.values.flatMap(\.values)
        let keys = Set(all.map(\.primaryKey))
        var lost: Set<Int64> = []
        for object in all {
            for relationship in object.relationships { lost.formUnion(relationship.target.keys) }
        }
        for key in lost.subtracting(keys).sorted().prefix(100) {
            note("an object of the mapping model is missing", found: "a reference to z\(key)")
        }
    }

    private init(path: FilePath) { self.path = path }

    private mutating func note(_ problem: String, found: String? = nil) {
        problems.append(FileProblem(.damaged, path: path, problem, found: found))
    }

    private mutating func model() -> MappingModel {
        let models = objects["XDDEVMAPPINGMODEL"] ?? [:]
        if models.count != 1 { note("the file has \(models.count) mapping models, not one") }
        let entities = self.entities()
        var model = MappingModel(path: path, form: .source, entities: entities)
        if let root = models.min(by: { $0.key < $1.key })?.value {
            model.sourceModelPath = root.text("sourcemodelpath")
            model.destinationModelPath = root.text("destinationmodelpath")
            model.sourceModel = copy("sourcemodeldata", "old", of: root)
            model.destinationModel = copy("destinationmodeldata", "new", of: root)
        }
        model.problems = problems
        return model
    }

    /// The copy of a model in the file.
    private mutating func copy(
        _ name: String, _ version: String, of root: StoredObject
    ) -> ManagedObjectModel? {
        guard let bytes = root.data(name) else { return nil }
        do throws(FileProblem) {
            return try ModelFile.model(SharedBytes(bytes), path: path)
        } catch {
            note("the copy of the \(version) model in the file cannot be read", found: error.problem)
            return nil
        }
    }

    private mutating func entities() -> [MappingModel.Entity] {
        let found = objects["XDDEVENTITYMAPPING"] ?? [:]
        let attributes = properties("XDDEVATTRIBUTEMAPPING", of: found)
        let relationships = properties("XDDEVRELATIONSHIPMAPPING", of: found)
        let ordered = found.values.sorted { one, other in
            (one.number("mappingnumber") ?? 0, one.primaryKey)
                < (other.number("mappingnumber") ?? 0, other.primaryKey)
        }
        var entities: [MappingModel.Entity] = []
        for object in ordered {
            var entity = self.entity(object)
            let generates = object.flag("autogenerateexpression")
            for property in attributes[object.primaryKey] ?? [] {
                entity.attributes.append(self.property(property, isGenerated: generates))
            }
            for property in relationships[object.primaryKey] ?? [] {
                entity.relationships.append(
                    self.property(property, isGenerated: property.flag("autogenerateexpression")))
            }
            entities.append(entity)
        }
        return entities
    }

    private mutating func entity(_ object: StoredObject) -> MappingModel.Entity {
        let source = object.text("sourcename")
        let destination = object.text("destinationname")
        let word = object.text("mappingtypename")?.lowercased() ?? ""
        var entity = MappingModel.Entity(
            name: object.text("name") ?? MappingModel.Entity.usualName(source, destination),
            kind: MappingModel.Kind(rawValue: word) ?? .undefined, source: source, destination: destination,
            policy: object.text("migrationpolicyclassname"),
            condition: object.text("sourcefilterpredicatestring"))
        if entity.kind == .undefined {
            switch (source, destination) {
            case (nil, .some): entity.kind = .add
            case (.some, nil): entity.kind = .remove
            default: break
            }
        }
        if let lacking = entity.lackingEntity {
            note("a mapping of an entity does not name \(lacking)", found: entity.name)
        }
        if entity.condition == "TRUEPREDICATE" { entity.condition = nil }
        if !object.flag("autogenerateexpression"), let bytes = object.data("sourceexpressiondata"),
            let fetched = expression(bytes, "the fetch of \(entity.name)")
        {
            entity.take(fetched)
        }
        return entity
    }

    /// The mappings of properties by the key of their entity mapping, in the order of their names.
    private mutating func properties(
        _ kind: String, of entities: [Int64: StoredObject]
    ) -> [Int64: [StoredObject]] {
        var found: [Int64: [StoredObject]] = [:]
        for (key, object) in (objects[kind] ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let owner = object.target("entitymapping"), entities[owner] != nil else {
                note("the mapping of a property belongs to no entity", found: "z\(key)")
                continue
            }
            found[owner, default: []].append(object)
        }
        return found.mapValues { objects in
            objects.sorted { one, other in
                (one.text("name") ?? "").precedesInCodePoints(other.text("name") ?? "")
            }
        }
    }

    private mutating func property(_ object: StoredObject, isGenerated: Bool) -> MappingModel.Property {
        let name = object.text("name")
        if name == nil { note("the mapping of a property has no name", found: "z\(object.primaryKey)") }
        var property = MappingModel.Property(
            name: name ?? "", isGenerated: isGenerated, keyPath: object.text("sourcekeypath"),
            mapping: object.text("sourcemappingname"))
        if let bytes = object.data("valueexpressiondata") {
            property.expression = expression(bytes, "the value of \(name ?? "z\(object.primaryKey)")")
        }
        return property
    }

    private mutating func expression(_ bytes: [UInt8], _ words: String) -> ArchivedExpression? {
        do throws(PropertyListError) {
            var archive = ExpressionArchive(try ModelArchive(SharedBytes(bytes), baseOffset: 0), left: left)
            defer { left = max(archive.left, 0) }
            return try archive.root()
        } catch {
            note("\(words) cannot be read: expected \(error.expected)", found: error.found)
            return nil
        }
    }
}

extension StoredObject {
    private func value(_ name: String) -> ArchivedValue? {
        attributes.first { $0.name.lowercased() == name }?.value
    }

    /// A text that is not empty.
    fileprivate func text(_ name: String) -> String? {
        value(name)?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    fileprivate func data(_ name: String) -> [UInt8]? { value(name)?.dataValue }

    fileprivate func number(_ name: String) -> Int? { value(name)?.integerValue }

    fileprivate func flag(_ name: String) -> Bool { value(name)?.booleanValue ?? false }

    fileprivate func target(_ name: String) -> Int64? {
        guard let found = relationships.first(where: { $0.name.lowercased() == name }),
            case .toOne(let key) = found.target
        else { return nil }
        return key
    }
}
