import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// The options of a migration to another version of the model.
struct ModelMigrationOptions: ParsableArguments {
    @Option(
        help: .value(
            "model",
            "Migrate to this version of the model: a model, a folder of versions, of which the current one counts, or "
                + "a store that contains its model."),
        completion: .file())
    var toModel: String?

    @Option(
        help: .value(
            "mapping",
            "Migrate by this mapping model: an .xcmappingmodel, its xcmapping.xml, or a .cdm. Default: what Core Data "
                + "infers from the two models."),
        completion: .file())
    var mapping: String?

    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: .value(
            "entity.property = expression",
            "Give a property of the new model this value. May be given several times; ticds-migrate(7) describes "
                + "expressions."))
    var settings: [String] = []

    @Option(
        name: .customLong("rename"), parsing: .singleValue,
        help: .value(
            "entity.old=new",
            "Take a property of the new model for that of the old one, or an entity: OLD=NEW. May be given several "
                + "times."))
    var renamings: [String] = []

    @Flag(help: "Leave out the sync IDs of TICoreDataSync if the new model has no attribute for them.")
    var stripSync = false

    /// The migration to a kind of store; nil without a new model.
    func migration(
        of store: any PersistentStore, to kind: NewStore.Kind, _ password: PasswordOptions
    ) throws(FileProblem) -> ModelMigration? {
        guard let toModel else { return nil }
        let given = try mapping.map { path throws(FileProblem) in
            try MappingModel.load(try Environment.file(argument: path))
        }
        return try ModelMigration(
            store, to: try NamedModels(toModel, password).current(), by: given, overrides,
            stripsSyncIDs: stripSync, kind: kind)
    }

    /// The overrides, which `validate` has checked.
    private var overrides: MigrationOverrides {
        MigrationOverrides(
            // try?: `validate` has reported the error
            settings: settings.compactMap { try? MigrationOverrides.Setting(parsing: $0) },
            // try?: as above
            renamings: renamings.compactMap { try? MigrationOverrides.Renaming(parsing: $0) })
    }

    func validate() throws {
        if toModel == nil {
            let others = [
                (stripSync, "--strip-sync"), (mapping != nil, "--mapping"), (!settings.isEmpty, "--set"),
                (!renamings.isEmpty, "--rename"),
            ]
            if let (_, name) = others.first(where: \.0) { throw ValidationError("\(name) needs --to-model.") }
        }
        for text in settings {
            do throws(ExpressionProblem) {
                _ = try MigrationOverrides.Setting(parsing: text)
            } catch {
                throw ValidationError(
                    "--set: \(error.problem), at character \(error.offset + 1) of “\(text)”.")
            }
        }
        for text in renamings {
            do throws(ExpressionProblem) {
                _ = try MigrationOverrides.Renaming(parsing: text)
            } catch {
                throw ValidationError(
                    "--rename: \(error.problem), at character \(error.offset + 1) of “\(text)”.")
            }
        }
    }
}

/// A migration of a store to another version of its model.
final class ModelMigration: Sendable {
    let model: FoundModel
    /// The changes that need a mapping model.
    let refusals: [ModelDifference.Change]
    /// The result; nil before the end of a pass.
    var report: ModelMigrationReport? { made.withLock { $0 } }
    private let made = Mutex<ModelMigrationReport?>(nil)
    private let store: any PersistentStore
    private let mapping: MigrationMapping
    private let stripsSyncIDs: Bool
    private let kind: NewStore.Kind

    /// - Parameter given: the mapping model; nil to infer the mapping.
    /// - Throws: `.refused` for a store without a model, and for a mapping model and overrides that do not fit.
    init(
        _ store: any PersistentStore, to model: FoundModel, by given: MappingModel?,
        _ overrides: MigrationOverrides, stripsSyncIDs: Bool, kind: NewStore.Kind
    ) throws(FileProblem) {
        self.model = model
        guard let old = store.model else {
            throw FileProblem(
                .refused, path: store.path, "the model of the store is not known",
                advice: "Give it with --model; ticds-model find looks for it in folders and apps")
        }
        if let given {
            mapping = try given.mapping(from: old, to: model.model, overrides: overrides)
            refusals = []
        } else {
            do throws(OverrideProblem) {
                let inferred = InferredMapping(from: old, to: try overrides.model(model.model, from: old))
                mapping = try overrides.apply(to: inferred.mapping, new: model.model)
                refusals = inferred.refusals.filter { change in
                    guard let property = change.property else { return true }
                    return !overrides.sets(property, of: change.entity, in: model.model)
                }
            } catch {
                throw FileProblem(.refused, path: store.path, error.problem, advice: error.advice)
            }
        }
        self.store = store.withTransformedData()
        self.stripsSyncIDs = stripsSyncIDs
        self.kind = kind
    }

    /// The objects of the new model.
    var objects: MigratedObjects {
        MigratedObjects(model: model.model) { onDamage, body throws(FileProblem) in
            let report = try Migrator(self.store, to: self.model.model, by: self.mapping, kind: self.kind)
                .migrate(onDamage: onDamage, body)
            self.made.withLock { $0 = report }
            if let problem = self.problem { throw problem }
        }
    }

    /// The reason why no store can be written: nil if one can.
    var problem: FileProblem? {
        if !refusals.isEmpty {
            return FileProblem(
                .refused, path: store.path, "the migration to the new model cannot be inferred",
                found: Quantities.count(refusals.count, "change that needs", "changes that need")
                    + " a mapping model",
                advice:
                    "ticds-model diff shows all changes; --mapping takes a mapping model, --set and --rename say what "
                    + "becomes of a property; or give a version between"
            )
        }
        if let report, report.obstacleCount > 0 {
            return FileProblem(
                .refused, path: store.path, "objects stand in the way of the migration",
                found: Quantities.count(report.obstacleCount, "reason"),
                advice:
                    "Change these objects in the app, or in a copy that ticds-store export and import make; --set gives "
                    + "a property another value")
        }
        if lostSyncIDs > 0, !stripsSyncIDs {
            return FileProblem(
                .refused, path: store.path,
                "the new model has no \(StoreChecker.syncIDAttribute), by which clients of TICoreDataSync identify objects",
                found: Quantities.count(lostSyncIDs, "sync ID"),
                advice: "Take the model of the app that syncs; --strip-sync leaves the sync IDs out")
        }
        return nil
    }

    /// The number of sync IDs that the new store would not have as sync IDs.
    var lostSyncIDs: Int {
        let name = StoreChecker.syncIDAttribute
        return (report?.entities ?? []).filter { $0.destination != nil }.flatMap(\.properties)
            .reduce(0) { count, property in
                if property.name == name, property.origin == .removed { return count +| property.lost }
                return property.former == name && property.name != name ? count +| property.values : count
            }
    }

    /// The number of values and links of migrated objects that are left out.
    var lostValues: Int {
        (report?.entities ?? []).filter { $0.destination != nil }.flatMap(\.properties)
            .reduce(0) { $0 +| $1.lost }
    }
}

/// The text and JSON of a migration to another version of the model.
struct ModelMigrationView {
    let migration: ModelMigration
    /// Whether the command only shows what it would do.
    let isDryRun: Bool

    private var report: ModelMigrationReport? { migration.report }

    /// The numbers of what has no place in the new model; nil if everything has one.
    var leftOutText: String? {
        let objects = report?.lost ?? 0
        var parts: [String] = []
        if objects > 0 { parts.append(Quantities.count(objects, "object")) }
        if migration.lostValues > 0 { parts.append(Quantities.count(migration.lostValues, "value")) }
        return parts.isEmpty
            ? nil : parts.joined(separator: " and ") + ", for which the new model has no place"
    }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        let colour = context.colour()
        if !migration.refusals.isEmpty {
            var rows = TextTable(
                ["EFFECT", "ENTITY", "PROPERTY", "CHANGE", "DETAILS"], leavesOut: ["CHANGE"])
            for change in migration.refusals {
                rows.add([
                    change.effect.rawValue, change.entity, change.property ?? "", change.kind.rawValue,
                    change.text,
                ])
            }
            return rows.show(to: &text, colour: colour)
        }
        guard let report else { return }
        if isDryRun {
            var rows = TextTable(
                ["OLD ENTITY", "NEW ENTITY", "PROPERTY", "HAPPENS", "NUMBER", "LEFT OUT"],
                [.text, .text, .text, .text, .number, .number], leavesOut: ["NEW ENTITY"])
            for entity in report.entities where entity.objects > 0 || entity.destination != nil {
                add(entity, to: &rows)
            }
            rows.show(to: &text, colour: colour)
        }
        if report.obstacleCount > 0 {
            var rows = TextTable(
                ["ENTITY", "KEY", "LABEL", "PROPERTY", "STANDS IN THE WAY"], [.text, .number],
                leavesOut: ["LABEL"])
            for obstacle in report.obstacles {
                rows.add([
                    obstacle.entity, "\(obstacle.key)", obstacle.label ?? "", obstacle.property ?? "",
                    obstacle.problem,
                ])
            }
            rows.show(to: &text, colour: colour)
            if report.obstacles.count < report.obstacleCount {
                let more = report.obstacleCount - report.obstacles.count  // bounded: it has a part of them
                text.line("\(Quantities.count(more)) more")
            }
        }
    }

    private func add(_ entity: ModelMigrationReport.Entity, to rows: inout TextTable) {
        let count = Quantities.count(entity.objects)
        let isMigrated = entity.destination != nil
        rows.add([
            entity.source, entity.destination ?? "", "", isMigrated ? "objects" : "objects left out",
            isMigrated ? count : "", isMigrated ? "" : count,
        ])
        for property in entity.properties where property.origin != .removed || property.lost > 0 {
            rows.add([
                "", "", property.name, Self.words(property),
                property.origin == .removed ? "" : Quantities.count(property.values),
                property.lost == 0 ? "" : Quantities.count(property.lost),
            ])
        }
    }

    /// The words for the origin of a property's values.
    private static func words(_ property: ModelMigrationReport.Property) -> String {
        switch property.origin {
        case .copied:
            let source = property.former.map { "copied from \($0)" } ?? "copied"
            guard property.defaults > 0 else { return source }
            return "\(source); \(Quantities.count(property.defaults)) get the default"
        case .computed: return "calculated"
        case .added: return property.defaults > 0 ? "gets the default" : "has no value"
        case .removed: return "left out"
        }
    }

    static let schema = JSONSchema<ModelMigrationView>(
        "ticds.modelMigration/1",
        "Printed by ticds-store(1) `migrate` with `--to-model` if the store cannot be migrated as it is."
    ) {
        $0("model", "The file of the new model.", { $0.migration.model.path })
        $0(
            "possible", "False if the store cannot be migrated as it is; then no store is written.",
            { $0.migration.problem == nil })
        $0("dryRun", "True if the command only showed what it would do.", \.isDryRun)
        $0(
            "refusals",
            "The changes of the model that need a mapping model, as in `ticds.modelDifference/1`.",
            { $0.migration.refusals },
            JSONFields<ModelDifference.Change> {
                $0("entity", "The name in the new model, or in the old one if it is removed.", \.entity)
                $0("property", "The name, likewise; null for the entity itself.", \.property)
                $0("subject", "", \.subject)
                $0("kind", "", \.kind)
                $0("effect", "", \.effect)
                $0("text", "What changes, and what follows.", \.text)
            })
        $0("objects", "The number of migrated objects; null with refusals.", { $0.report?.migrated })
        $0("lostObjects", "The number of objects that are left out; null with refusals.", { $0.report?.lost })
        $0(
            "entities", "The objects of each entity that go one way.", { $0.report?.entities ?? [] },
            JSONFields<ModelMigrationReport.Entity> {
                $0("source", "The entity of the old model.", \.source)
                $0(
                    "destination", "The entity of the new model; null if the objects are left out.",
                    \.destination)
                $0("objects", "Their number.", \.objects)
                $0(
                    "properties",
                    "The properties of the new entity, then those of the old one without a place.",
                    \.properties,
                    JSONFields<ModelMigrationReport.Property> {
                        $0(
                            "name", "The name in the new model, or in the old one if it is removed.", \.name)
                        $0("subject", "", \.subject)
                        $0("origin", "Where the values come from.", \.origin)
                        $0("former", "The name in the old model, if it is different.", \.former)
                        $0("values", "Values, or objects to which the relationship leads.", \.values)
                        $0(
                            "defaults", "How many of these values are the default of the new model.",
                            \.defaults)
                        $0("lost", "Values or links that are left out.", \.lost)
                    })
            })
        $0(
            "obstacles", "The objects that the new model does not admit as they are, at most 10,000.",
            { $0.report?.obstacles ?? [] },
            JSONFields<ModelMigrationReport.Obstacle> {
                $0("entity", "The entity in the old model.", \.entity)
                $0("key", "The primary key in the old store.", \.key)
                $0("label", "The text that describes the object.", \.label)
                $0("property", "The property of the new model; null for the object itself.", \.property)
                $0("problem", "", \.problem)
            })
        $0("obstacleCount", "The number of all of them.", { $0.report?.obstacleCount ?? 0 })
    }
}
