public import CoreDataStore
import KeyedArchive
public import SystemCalls
import SystemPackage

/// Makes objects of a new model from those of a store, by a mapping.
///
/// The objects come in a stream; notes on keys and links are in a scratch file, so that memory does not grow with the
/// store, unless an expression or a condition follows a relationship to a property of another object. Objects keep
/// their primary keys, except for those that would share one in the new model.
public struct Migrator: Sendable {
    private let store: any PersistentStore
    private let plans: [EntityPlan]
    private let report: ModelMigrationReport
    private let keepsKeys: Bool
    private let isRelated: Bool
    /// The mappings by name, with the root entities of their sources.
    private let mappings: [String: (number: Int, root: String)]

    /// Prepares a migration of a store with a model.
    /// - Parameter kind: the kind of the new store, which decides what its relationships can lead to.
    /// - Throws: `.refused` for a store without a model, and for a mapping that does not fit the models.
    public init(
        _ store: any PersistentStore, to model: ManagedObjectModel, by mapping: MigrationMapping,
        kind: NewStore.Kind = .sqlite
    ) throws(FileProblem) {
        guard let old = store.model else {
            throw FileProblem(
                .refused, path: store.path, "only a store with a model can be migrated",
                advice: "Give the model of the store with --model")
        }
        let builder = try PlanBuilder(store, old, model, mapping, kind)
        self.store = store
        plans = builder.plans
        report = builder.report
        keepsKeys = builder.keepsKeys
        var mappings: [String: (number: Int, root: String)] = [:]
        for (number, entity) in mapping.entities.enumerated() {
            guard let root = entity.source.flatMap({ old.rootEntity(of: $0)?.name }) else { continue }
            mappings[entity.name] = (number, root)
        }
        self.mappings = mappings
        isRelated = mapping.entities.contains { entity in
            let paths =
                (entity.predicate?.keyPaths ?? [])
                + (entity.attributes + entity.relationships).flatMap(\.expression.paths)
            return paths.contains { path in
                path.count > 1 && path.last != "@count" || path.count > 2
            }
        }
    }

    /// Calls `body` with each new object, until an object stands in the way of the migration; and `onDamage` for
    /// everything that cannot be read.
    ///
    /// If the report has obstacles, `body` did not get all objects, and what it wrote is useless.
    public func migrate(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) -> ModelMigrationReport {
        var run = MigrationRun(
            store: store, keepsKeys: keepsKeys, report: report, scratch: try MigrationScratch(),
            mappings: mappings, index: isRelated ? try ObjectIndex(store, onDamage: { _ in }) : nil)
        if keepsKeys { try run.noteExcluded(plans) } else { try run.noteKeys(plans) }
        var sources: [String] = []
        var places: [String: [Int]] = [:]
        for (place, plan) in plans.enumerated() {
            if places[plan.source] == nil { sources.append(plan.source) }
            places[plan.source, default: []].append(place)
        }
        for source in sources {
            var chosen = (places[source] ?? []).map { plans[$0] }
            var conditions = chosen.map { plan in plan.predicate.map { PredicateEvaluation($0) } }
            try store.forEachObject(entity: source, onDamage: onDamage) { (object) throws(FileProblem) in
                var isTaken = false
                for index in chosen.indices where !(chosen[index].isRest && isTaken) {
                    guard try run.holds(&conditions[index], object) else { continue }
                    isTaken = true
                    try run.migrate(object, &chosen[index], body)
                }
            }
            for plan in chosen { run.report(plan) }
        }
        for unexplained in try store.unexplainedEntities() {
            try onDamage(
                FileProblem(
                    .damaged, path: store.path,
                    "objects of the entity “\(unexplained.entity)”, which the old model does not explain, are left out",
                    found: unexplained.count.map { "\($0) objects" }))
        }
        try store.reportStrayRows(onDamage)
        return run.report
    }
}

/// A migration under way.
struct MigrationRun {
    let store: any PersistentStore
    let keepsKeys: Bool
    var report: ModelMigrationReport
    let scratch: MigrationScratch
    let mappings: [String: (number: Int, root: String)]
    let ends: QueriedEnds
    /// The conditions in expressions.
    var conditions: [ObjectPredicate: PredicateEvaluation] = [:]

    init(
        store: any PersistentStore, keepsKeys: Bool, report: ModelMigrationReport, scratch: MigrationScratch,
        mappings: [String: (number: Int, root: String)], index: ObjectIndex?
    ) {
        self.mappings = mappings
        self.store = store
        self.keepsKeys = keepsKeys
        self.report = report
        self.scratch = scratch
        ends = QueriedEnds(index: index)
    }

    /// Whether a condition holds for an object; true without one.
    func holds(
        _ condition: inout PredicateEvaluation?, _ object: StoredObject
    ) throws(FileProblem) -> Bool {
        guard let holds = condition?.holds(object, ends) else { return true }
        guard (condition?.steps ?? 0) <= PredicateEvaluation.stepLimit else {
            throw FileProblem(
                .limit, path: store.path,
                "the condition of a mapping needs too much work at object \(object.primaryKey)",
                advice: "Simplify the condition in the mapping model")
        }
        return holds
    }

    // MARK: Keys

    /// Notes the objects to which some new relationships cannot lead.
    mutating func noteExcluded(_ plans: [EntityPlan]) throws(FileProblem) {
        var roots: [String: String] = [:]
        for plan in plans {
            for relationship in plan.relationships {
                guard case .copied(_, let rule) = relationship.way else { continue }
                for entity in rule.excluded { roots[entity] = rule.root }
            }
        }
        let scratch = scratch
        for (entity, root) in roots.sorted(by: { $0.key.precedesInCodePoints($1.key) }) {
            try store.forEachObject(entity: entity, onDamage: { _ in }) { (object) throws(FileProblem) in
                try scratch.exclude(object.primaryKey, root, entity)
            }
        }
    }

    /// Gives each new object a key: that of the old one, if no other object of the new hierarchy has it.
    mutating func noteKeys(_ plans: [EntityPlan]) throws(FileProblem) {
        var highest: Int64 = 0
        for plan in plans where plan.destination != nil {
            var condition = plan.predicate.map { PredicateEvaluation($0) }
            let (run, root) = (self, plan.destinationRoot)
            try store.forEachObject(entity: plan.source, onDamage: { _ in }) { (object) throws(FileProblem) in
                guard try run.holds(&condition, object) else { return }
                highest = max(highest, object.primaryKey)
                if try run.scratch.take(object.primaryKey, root) {
                    try run.scratch.note(object.primaryKey, of: object.primaryKey, mapping: plan.number)
                } else {
                    try run.scratch.wait(object.primaryKey, mapping: plan.number)
                }
            }
        }
        guard try scratch.assignKeys(above: highest) else {
            throw FileProblem(
                .limit, path: store.path, "no primary key is left for a new object",
                advice: "Check the store: ticds-store check")
        }
    }

    /// The keys of the new objects to which old keys lead, and the number of old keys that lead to none.
    func made(
        _ keys: [Int64], _ mappings: [Int], _ rule: LinkRule? = nil
    ) throws(FileProblem) -> (keys: [Int64], lost: Int) {
        var (found, lost): ([Int64], Int) = ([], 0)
        if keepsKeys, let rule {
            if rule.excluded.isEmpty || keys.isEmpty { return (keys, 0) }
            for key in keys {
                if try scratch.isExcluded(key, rule.root, rule.excluded) {
                    lost += 1
                } else {
                    found.append(key)
                }
            }
            return (found, lost)
        }
        for key in keys {
            let before = found.count
            for mapping in mappings {
                if let new = try scratch.made(of: key, mapping: mapping) { found.append(new) }
            }
            if found.count == before { lost += 1 }
        }
        return (found, lost)
    }
}
