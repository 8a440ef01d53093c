import CoreDataStore
import KeyedArchive
import SystemCalls

/// The properties of the entities, by the model or by the tables.
struct QueriedProperties {
    let store: any PersistentStore
    private var model: ManagedObjectModel? { store.model }

    /// The end of a path.
    struct End {
        /// Whether the path leads over a to-many relationship to several values.
        var isMany: Bool
        /// The kind of each value.
        var kind: ValueKind
    }

    /// - Throws: `.unknownName` for a property that the entity does not have; `.refused` for a path over a to-many
    ///   relationship without ANY, ALL or NONE, and for a comparison of kinds that are never equal.
    func check(_ query: ObjectQuery) throws(FileProblem) {
        for comparison in query.predicate?.comparisons ?? [] {
            let left = try kind(comparison.left, query.entity)
            let right = try kind(comparison.right, query.entity)
            if right.isMany, case .keyPath(let path) = comparison.right {
                throw refusal(path, "can only be on the left side of a comparison")
            }
            if left.isMany != (comparison.quantifier != .one), case .keyPath(let path) = comparison.left {
                throw refusal(
                    path,
                    left.isMany
                        ? "needs ANY, ALL or NONE"
                        : "leads over no to-many relationship, so ANY, ALL and NONE mean nothing")
            }
            if let mismatch = KindMismatch(comparison, left.kind, right.kind) {
                throw FileProblem(
                    .refused, path: store.path, mismatch.problem, advice: mismatch.advice)
            }
        }
        let (keys, columns) = (query.keys.map(\.path), query.columns ?? [])
        for path in keys + columns where try end(of: path, query.entity).isMany {
            let isColumn = path.count == 1 && columns.contains(path) && !keys.contains(path)
            if !isColumn {
                throw refusal(path, "leads over a to-many relationship to several values")
            }
        }
    }

    private func kind(
        _ operand: ObjectPredicate.Operand, _ entity: String
    ) throws(FileProblem) -> End {
        switch operand {
        case .keyPath(let path): try end(of: path, entity)
        case .value(let value): End(isMany: false, kind: ValueKind(value))
        case .list: End(isMany: false, kind: .unknown)
        }
    }

    private func refusal(_ path: [String], _ problem: String) -> FileProblem {
        FileProblem(
            .refused, path: store.path, "the key path \(path.joined(separator: ".")) \(problem)",
            advice: "ticds-model show lists the properties of each entity")
    }

    /// - Throws: `.unknownName` for a property that an entity does not have, `.refused` for a path that leads nowhere.
    private func end(of path: [String], _ first: String) throws(FileProblem) -> End {
        var entity = first
        var isMany = false
        for (place, name) in path.enumerated() {
            if path.count - place > 1, model?.hasElement(path[place...], of: entity) == true {
                return End(isMany: isMany, kind: .unknown)
            }
            let isLast = place == path.count - 1
            if place == 0, name.uppercased() == "SELF" {
                throw FileProblem(
                    .refused, path: store.path,
                    "a condition compares properties of an object and not \(name), the object itself",
                    advice: "Name a property, such as \(names(of: entity).first ?? "title")")
            }
            guard let model, model[entity] != nil else {
                guard isLast, place == 0 else {
                    throw FileProblem(
                        .refused, path: store.path,
                        "a key path over a relationship needs the model of the store",
                        found: path.joined(separator: "."), advice: "Give the model with --model")
                }
                try checkName(name, entity)
                let type = (store as? SQLiteStore)?.attributeType(name, of: entity)
                return End(isMany: false, kind: type.map(ValueKind.init) ?? .unknown)
            }
            if let relationship = model.relationships(of: entity).first(where: { $0.name == name }) {
                if path.count == place + 2, path[place + 1] == "@count", relationship.isToMany {
                    return End(isMany: isMany, kind: .number)
                }
                isMany = isMany || relationship.isToMany
                entity = relationship.destination
            } else if let attribute = model.attributes(of: entity).first(where: { $0.name == name }) {
                if isLast { return End(isMany: isMany, kind: ValueKind(attribute.type)) }
                if attribute.type == .composite { return End(isMany: isMany, kind: .unknown) }
                throw leadingOn(path, place, ValueKind(attribute.type))
            } else if name.hasPrefix("@") {
                throw FileProblem(
                    .refused, path: store.path,
                    "a condition knows no \(name): only @count, at the end of a path to a to-many relationship",
                    found: path.joined(separator: "."),
                    advice: "Compare each value with ANY, ALL or NONE")
            } else {
                throw unknown(name, entity, names(of: entity))
            }
        }
        return End(isMany: isMany, kind: .object)
    }

    /// The problem of a path that continues after an attribute.
    private func leadingOn(_ path: [String], _ place: Int, _ kind: ValueKind) -> FileProblem {
        let attribute = path[...place].joined(separator: ".")
        let rest = path[(place + 1)...].joined(separator: ".")
        return FileProblem(
            .refused, path: store.path,
            "\(attribute) is \(kind.title), which has no property \(rest) in a condition",
            advice: kind == .text && ["length", "count", "@count"].contains(rest)
                ? "For texts of at least 5 characters write: \(attribute) LIKE \"?????*\""
                : "Compare \(attribute) itself")
    }

    private func names(of entity: String) -> [String] {
        guard let model, model[entity] != nil else {
            return ((store as? SQLiteStore)?.propertyNames(of: entity) ?? []).sorted {
                $0.precedesInCodePoints($1)
            }
        }
        return model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    }

    private func checkName(_ name: String, _ entity: String) throws(FileProblem) {
        guard let names = (store as? SQLiteStore)?.propertyNames(of: entity), !names.contains(name) else {
            return
        }
        throw unknown(name, entity, Array(names))
    }

    private func unknown(_ name: String, _ entity: String, _ names: [String]) -> FileProblem {
        FileProblem(
            .unknownName, path: store.path, "the entity \(entity) has no property \(name)",
            found: names.sorted { $0.precedesInCodePoints($1) }.joined(separator: ", "))
    }
}

extension ManagedObjectModel {
    /// Whether a key path is an element of a composite attribute.
    fileprivate func hasElement(_ path: ArraySlice<String>, of entity: String) -> Bool {
        let name = path.joined(separator: ".")
        return attributes(of: entity).contains { attribute in
            attribute.type == .composite && attribute.parts.contains { $0.name == name }
        }
    }
}
