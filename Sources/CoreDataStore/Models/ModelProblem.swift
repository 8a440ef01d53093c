internal import SystemCalls
internal import SystemPackage

extension ManagedObjectModel {
    /// The first inconsistency of the model in one sentence; nil for a consistent model. A file can contain missing and
    /// duplicate names, cyclic inheritance, and relationships without destination.
    public var firstProblem: String? {
        if entities.count > Self.entityLimit { return "more than \(Self.entityLimit) entities" }
        var names: Set<String> = []
        for entity in entities {
            if entity.name.isEmpty { return "an entity has no name" }
            if !names.insert(entity.name).inserted { return "two entities are named “\(entity.name)”" }
        }
        for entity in entities {
            if let problem = problem(ofPropertiesIn: entity) { return problem }
        }
        return inheritanceProblem
    }

    private func problem(ofPropertiesIn entity: EntityDescription) -> String? {
        var names: Set<String> = []
        for name in entity.propertyNames {
            if name.isEmpty { return "a property of entity “\(entity.name)” has no name" }
            if !names.insert(name).inserted {
                return "two properties of entity “\(entity.name)” are named “\(name)”"
            }
        }
        for relationship in entity.relationships {
            let title = "relationship “\(relationship.name)” of entity “\(entity.name)”"
            if self[relationship.destination] == nil {
                return "\(title) leads to “\(relationship.destination)”, which the model does not have"
            }
            if !relationship.hasPossibleCounts { return "\(title) has an impossible count" }
        }
        return nil
    }

    private var inheritanceProblem: String? {
        var properties = 0
        for entity in entities {
            let line = ancestry(of: entity.name)
            if let above = line.first?.superentity {
                guard self[above] != nil else {
                    return "entity “\(entity.name)” inherits from “\(above)”, which the model does not have"
                }
                return line.count < Self.depthLimit
                    ? "entity “\(entity.name)” inherits from itself"
                    : "entity “\(entity.name)” has more than \(Self.depthLimit) superentities"
            }
            properties += line.reduce(0) { $0 + $1.attributeParts.count + $1.relationships.count }
            if properties > Self.propertyLimit {
                return "more than \(Self.propertyLimit) properties, counting inherited ones"
            }
        }
        return nil
    }

    /// The largest number of entities; real models have some dozens, the largest observed one a few hundred.
    private static let entityLimit = 10_000
    private static let propertyLimit = 1_000_000

    /// The model without relationships that lead nowhere or have impossible counts, which are recorded as unread.
    private var withSoundProperties: ManagedObjectModel {
        let sound = entities.map { entity in
            var entity = entity
            for relationship in entity.relationships {
                if self[relationship.destination] == nil {
                    entity.leaveOut(
                        relationship.name,
                        "it leads to “\(relationship.destination)”, which the model does not have")
                } else if !relationship.hasPossibleCounts {
                    entity.leaveOut(
                        relationship.name,
                        "its counts are \(relationship.minCount) and \(relationship.maxCount)")
                }
            }
            let unread = Set(entity.unreadProperties.map(\.name))
            entity.relationships.removeAll { unread.contains($0.name) }
            return entity
        }
        return ManagedObjectModel(
            entities: sound, versionIdentifiers: versionIdentifiers, configurations: configurations,
            fetchRequests: fetchRequests)
    }

    /// Returns the model without invalid properties, or throws `.damaged` for the file `path` if the rest is
    /// inconsistent.
    func checked(_ path: FilePath) throws(FileProblem) -> ManagedObjectModel {
        let model = withSoundProperties
        if let problem = model.firstProblem {
            throw FileProblem(.damaged, path: path, "damaged data model: \(problem)")
        }
        return model
    }
}

extension RelationshipDescription {
    /// Whether the counts are numbers of objects. A maximum of -1 means no limit.
    fileprivate var hasPossibleCounts: Bool {
        (0...Int(UInt32.max)).contains(minCount) && (-1...Int(UInt32.max)).contains(maxCount)
    }
}
