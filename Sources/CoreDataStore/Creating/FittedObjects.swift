package import KeyedArchive
import SystemCalls
import SystemPackage

/// Gives objects all properties of their entity, with values that a kind of store can contain.
struct FittedObjects {
    let kind: NewStore.Kind
    let model: ManagedObjectModel
    let path: FilePath
    private var plans: [String: Plan] = [:]
    /// The entity of the last object, and its plan.
    private var last: (entity: String, plan: Plan)?

    private final class Plan: Sendable {
        let attributes: [AttributeDescription]
        let relationships: [RelationshipDescription]
        /// The types of the attributes whose values mostly need no change; nil for others.
        private let types: [AttributeType?]
        private let names: [String]
        private let links: [(name: String, isToMany: Bool)]

        init(_ attributes: [AttributeDescription], _ relationships: [RelationshipDescription]) {
            self.attributes = attributes
            self.relationships = relationships
            let plain: Set<AttributeType> = [
                .integer16, .integer32, .integer64, .boolean, .double, .date, .string, .binary,
            ]
            types = attributes.map { plain.contains($0.type) ? $0.type : nil }
            names = attributes.map(\.name)
            links = relationships.map { ($0.name, $0.isToMany) }
        }

        /// Whether an object has exactly these properties in this order.
        func hasOrder(of object: StoredObject) -> Bool {
            guard object.attributes.count == names.count, object.relationships.count == links.count else {
                return false
            }
            for position in names.indices where object.attributes[position].name != names[position] {
                return false
            }
            for position in links.indices where object.relationships[position].name != links[position].name {
                return false
            }
            return true
        }

        /// Whether each kind of store contains the value as it is.
        func keeps(_ value: ArchivedValue, _ position: Int) -> Bool {
            switch value {
            case .none: true
            case .string: types[position] == .string
            case .integer(let number):
                switch types[position] {
                case .integer64: Int64(exactly: number) != nil
                case .integer32: Int32(exactly: number) != nil
                case .integer16: Int16(exactly: number) != nil
                default: false
                }
            case .boolean: types[position] == .boolean
            case .date(let seconds): types[position] == .date && seconds.isFinite
            case .real(let number): types[position] == .double && number.isFinite
            case .data: types[position] == .binary
            default: false
            }
        }

        /// Whether the target has the form of the relationship.
        func keeps(_ target: StoredRelationship.Target, _ position: Int) -> Bool {
            switch target {
            case .toOne: return !links[position].isToMany
            case .toMany(let keys):
                guard links[position].isToMany else { return false }
                // Keys that ascend are unique.
                var last = Int64.min
                for key in keys {
                    guard key > last else { return keys.count < 2 }
                    last = key
                }
                return true
            }
        }
    }

    init(_ kind: NewStore.Kind, _ model: ManagedObjectModel, at path: FilePath) {
        self.kind = kind
        self.model = model
        self.path = path
    }

    /// - Throws: `.refused` for an object without a known entity or a primary key; the errors of `onLoss`.
    mutating func fit(
        _ given: StoredObject, onLoss: (StoreLoss) throws(FileProblem) -> Void
    ) throws(FileProblem) -> StoredObject {
        let plan = try plan(of: given)
        var object = given
        func lose(_ property: String, _ kind: StoreLoss.Kind) throws(FileProblem) {
            try onLoss(
                StoreLoss(entity: given.entity, primaryKey: given.primaryKey, property: property, kind: kind))
        }
        if plan.hasOrder(of: object) {
            for position in object.attributes.indices
            where !plan.keeps(object.attributes[position].value, position) {
                let attribute = plan.attributes[position]
                let (value, loss) = fit(object.attributes[position].value, attribute)
                if let loss { try lose(attribute.name, loss) }
                object.attributes[position].value = value
            }
            for position in object.relationships.indices
            where !plan.keeps(object.relationships[position].target, position) {
                let relationship = plan.relationships[position]
                let (target, isTooLong) = Self.fit(object.relationships[position].target, relationship)
                if isTooLong { try lose(relationship.name, .wrongType) }
                object.relationships[position].target = target
            }
            return object
        }
        (object.attributes, object.relationships) = ([], [])
        var values = Dictionary(given.attributes.map { ($0.name, $0.value) }) { _, last in last }
        for attribute in plan.attributes {
            let given = values.removeValue(forKey: attribute.name) ?? attribute.defaultValue ?? .none
            let (value, loss) = fit(given, attribute)
            if let loss { try lose(attribute.name, loss) }
            object.attributes.append(StoredAttribute(name: attribute.name, value: value))
        }
        for name in values.keys.sorted() where values[name]?.isNil == false {
            try lose(name, .unknownProperty)
        }
        var targets = Dictionary(given.relationships.map { ($0.name, $0.target) }) { _, last in last }
        for relationship in plan.relationships {
            let given = targets.removeValue(forKey: relationship.name) ?? .toMany([])
            let (target, isTooLong) = Self.fit(given, relationship)
            if isTooLong { try lose(relationship.name, .wrongType) }
            object.relationships.append(StoredRelationship(name: relationship.name, target: target))
        }
        for name in targets.keys.sorted() where targets[name]?.targetKeys.isEmpty == false {
            try lose(name, .unknownProperty)
        }
        return object
    }

    /// The target of a relationship in the form of the model, and whether a to-one relationship has several objects.
    private static func fit(
        _ target: StoredRelationship.Target, _ relationship: RelationshipDescription
    ) -> (StoredRelationship.Target, isTooLong: Bool) {
        switch (target, relationship.isToMany) {
        case (.toOne, false): return (target, false)
        case (.toMany(let keys), true) where keys.count < 2: return (target, false)
        case (_, true):
            var seen: Set<Int64> = []
            return (.toMany(target.targetKeys.filter { seen.insert($0).inserted }), false)
        case (_, false):
            let keys = target.targetKeys
            return (.toOne(keys.first), keys.count > 1)
        }
    }

    private mutating func plan(of object: StoredObject) throws(FileProblem) -> Plan {
        if object.primaryKey > 0 {
            if let last, last.entity == object.entity { return last.plan }
            if let plan = plans[object.entity] {
                last = (object.entity, plan)
                return plan
            }
        }
        guard model[object.entity]?.isAbstract == false else {
            throw FileProblem(
                .refused, path: path, "no objects of entity “\(object.entity)” can be written",
                found: model[object.entity] == nil
                    ? "the model does not have the entity" : "the entity is abstract",
                advice: "Use the model of the app, as it stands in its folder")
        }
        guard object.primaryKey > 0 else {
            throw FileProblem(
                .refused, path: path, "an object of entity “\(object.entity)” has no primary key",
                found: "\(object.primaryKey)", advice: "Check the source with ticds-store check")
        }
        let plan = Plan(
            model.attributes(of: object.entity).filter(\.isStored),
            model.relationships(of: object.entity).filter { !$0.isTransient })
        plans[object.entity] = plan
        return plan
    }

    /// The value for the new store, and the reason why it is not the given one.
    private func fit(
        _ value: ArchivedValue, _ attribute: AttributeDescription
    ) -> (ArchivedValue, StoreLoss.Kind?) {
        if value.isNil { return (.none, nil) }
        if value.missingExternalFile != nil { return (.none, .missingFile) }
        if attribute.type == .transformable { return transformable(value, attribute) }
        switch (attribute.type, attribute.type.coerced(value)) {
        case (.uri, .string(let text)): return (.url(text), nil)
        case (.boolean, .integer): return (.boolean(true), .rounded)
        case (.decimal, .real(let number)):
            let text = number.isNaN ? "NaN" : "\(number)"
            return ArchivedDecimal(text: text).map(decimal) ?? (.none, .notFinite)
        case (.decimal, .decimal(let number)): return decimal(number)
        case (.double, .real(let number)): return isWritable(number) ? (value, nil) : (.none, .notFinite)
        case (.date, .date(let number)): return isWritable(number) ? (value, nil) : (.none, .notFinite)
        case (.float, .real(let number)): return float(number)
        case (let type, let coerced):
            return type.admits(coerced) ? (coerced, nil) : (.none, .wrongType)
        }
    }

    /// SQLite would store NaN as NULL. How an XML store writes numbers that are not finite is unknown.
    private func isWritable(_ number: Double) -> Bool {
        switch kind {
        case .sqlite: !number.isNaN
        case .binary: true
        case .xml: number.isFinite
        }
    }

    private func float(_ number: Double) -> (ArchivedValue, StoreLoss.Kind?) {
        guard kind != .binary else { return (.real(number), nil) }
        let single = Double(Float(number))
        guard isWritable(single) else { return (.none, .notFinite) }
        return (.real(single), single == number ? nil : .rounded)
    }

    private func decimal(_ number: ArchivedDecimal) -> (ArchivedValue, StoreLoss.Kind?) {
        if number.isNaN { return kind == .binary ? (.decimal(number), nil) : (.none, .notFinite) }
        // The largest exponents of NSDecimalNumber; further zeros would only fill pages.
        guard (-128...127).contains(number.exponent) else {
            let reduced = number.reduced
            return (-128...127).contains(reduced.exponent) ? decimal(reduced) : (.none, .notFinite)
        }
        guard kind == .sqlite else { return (.decimal(number), nil) }
        let reduced = number.reduced
        guard Double(reduced.description)?.isFinite == true else { return (.none, .notFinite) }
        return (.decimal(reduced), reduced.nearest(in: kind) == nil ? nil : .rounded)
    }

    private func transformable(
        _ value: ArchivedValue, _ attribute: AttributeDescription
    ) -> (ArchivedValue, StoreLoss.Kind?) {
        let doubt: StoreLoss.Kind? = attribute.isArchived ? nil : .transformer
        if kind == .binary {
            guard let data = value.transformedData else {
                return KeyedArchiveWriter.canWrite(value) ? (value, doubt) : (.none, .notArchivable)
            }
            guard let object = RowDecoder.object(in: data), KeyedArchiveWriter.canWrite(object) else {
                return (.data(data), .untransformed)
            }
            return (object, doubt)
        }
        if value.transformedData != nil { return (value, nil) }
        if case .data(let bytes) = value, !attribute.isArchived { return (.transformed(bytes), doubt) }
        do throws(PropertyListError) {
            return (.transformed(try KeyedArchiveWriter.bytes(root: value)), doubt)
        } catch {
            return (.none, .notArchivable)
        }
    }
}

extension ArchivedDecimal {
    /// The number that a kind of store contains in place of this one; nil if it contains this one. A column of SQLite
    /// keeps whole numbers of 64 bits, and other numbers as a double.
    package func nearest(in kind: NewStore.Kind) -> ArchivedDecimal? {
        let text = reduced.description
        guard kind == .sqlite, !isNaN, Int64(text) == nil, let nearest = Double(text), nearest.isFinite,
            let stored = ArchivedDecimal(text: "\(nearest)"), !stored.isSameNumber(as: self)
        else { return nil }
        return stored
    }
}

extension StoredRelationship.Target {
    /// The primary keys of the destination objects.
    var targetKeys: [Int64] {
        switch self {
        case .toOne(let key): key.map { [$0] } ?? []
        case .toMany(let keys): keys
        }
    }
}
