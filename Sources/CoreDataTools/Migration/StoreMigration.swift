import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The objects for a new store: those of a store, or what a mapping makes of them.
public struct MigratedObjects: Sendable {
    /// A pass over all objects, on any thread. It calls the first function for an object that cannot be read or made, and
    /// the second one for each object.
    public typealias Pass =
        @Sendable (
            (FileProblem) throws(FileProblem) -> Void, (StoredObject) throws(FileProblem) -> Void
        ) throws(FileProblem) -> Void

    /// The model of the new store.
    public var model: ManagedObjectModel
    /// The pass over the objects.
    public var forEach: Pass

    /// Objects of a model.
    public init(model: ManagedObjectModel, forEach: @escaping Pass) {
        self.model = model
        self.forEach = forEach
    }

    /// The objects of a store, unchanged. The values of transformable attributes are the data of their transformers.
    /// - Throws: `.refused` for a store without a model, since its names are unknown.
    public init(of store: any PersistentStore) throws(FileProblem) {
        guard let model = store.model else {
            throw FileProblem(
                .refused, path: store.path, "a store without a model cannot become a new store",
                found: "no model, and names of the file alone",
                advice:
                    "Give the model of the app with --model; ticds-model find looks for it in folders and apps"
            )
        }
        let source = store.withTransformedData()
        self.init(model: model) { onDamage, body throws(FileProblem) in
            try source.forEachObject(entity: nil, onDamage: onDamage, body)
        }
    }
}

/// Writes the objects of a store into a new store, and counts what the new store lacks.
public struct StoreMigration: Sendable {
    /// Values of one property that the new store lacks, or has in another form, for one reason.
    public struct Loss: Sendable, Hashable {
        /// The first of them.
        public var first: StoreLoss
        /// Their number.
        public var count: Int
    }

    /// The kind of the new store.
    public let kind: NewStore.Kind
    /// The number of objects by entity.
    public private(set) var counts: [String: Int] = [:]
    /// The number of objects that could not be read or written.
    public private(set) var leftOut = 0
    /// The keys of the app's metadata that the kind of store cannot contain.
    public private(set) var droppedKeys: [String] = []
    /// Facts about the new store.
    public private(set) var result = NewStoreResult(objects: 0)
    private var groups: [Group: Loss] = [:]
    private var order: [Group] = []

    private struct Group: Hashable {
        var entity: String
        var property: String
        var kind: StoreLoss.Kind
    }

    /// A migration to a kind of store.
    public init(to kind: NewStore.Kind) { self.kind = kind }

    /// The values that the new store lacks or has in another form, in the order in which they were found.
    public var losses: [Loss] { order.compactMap { groups[$0] } }

    /// Whether the new store has everything that was read.
    public var isWhole: Bool {
        leftOut == 0 && droppedKeys.isEmpty && !order.contains { $0.kind.isLoss } && result.dangling.isEmpty
            && result.contradictions.isEmpty
    }

    /// Writes a new store at `path`, where nothing must exist. Calls `onProblem` for each object that is left out.
    /// - Throws: the errors of writing, and `.refused` for a model that the kind of store cannot contain.
    public mutating func write(
        _ objects: MigratedObjects, to path: FilePath, metadata: NewStoreMetadata,
        onProblem: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var metadata = metadata
        droppedKeys = metadata.unwritableKeys(in: kind)
        metadata.appPairs.removeAll { droppedKeys.contains($0.key.stringValue ?? "") }
        var new = try NewStore(creating: path, kind: kind, model: objects.model, metadata: metadata)
        // The number of objects since the last one of another entity.
        var (entity, count) = ("", 0)
        // One thread reads and makes the objects, this one writes them.
        try ReadAhead.forEach(weight: { (step: MigrationStep) in step.weight }) { give in
            objects.steps(give)
        } use: { (step) throws(FileProblem) in
            switch step {
            case .object(let object):
                do throws(FileProblem) {
                    try new.insert(object) { add($0) }
                    if object.entity != entity {
                        if count > 0 { counts[entity, default: 0] += count }
                        (entity, count) = (object.entity, 0)
                    }
                    count += 1
                } catch {
                    guard error.isRefusal else { throw error }
                    leftOut += 1
                    try onProblem(error)
                }
            case .problem(let problem):
                leftOut += 1
                try onProblem(problem)
            case .failure(let failure): throw failure
            }
        }
        if count > 0 { counts[entity, default: 0] += count }
        result = try new.finish()
    }

    private mutating func add(_ loss: StoreLoss) {
        let group = Group(entity: loss.entity, property: loss.property, kind: loss.kind)
        if groups[group] == nil {
            order.append(group)
            groups[group] = Loss(first: loss, count: 1)
        } else {
            groups[group]?.count += 1
        }
    }
}

/// A step of a pass over objects.
private enum MigrationStep: Sendable {
    case object(StoredObject)
    /// An object cannot be read or made.
    case problem(FileProblem)
    /// The pass ends without the rest.
    case failure(FileProblem)

    /// The weight of a piece in `ReadAhead`: 256 objects, or 256 KiB of values, make a full piece.
    var weight: Double {
        guard case .object(let object) = self else { return 1.0 / 256 }
        let size = object.attributes.reduce(0) { size, attribute in
            switch attribute.value {
            case .string(let text): size +| text.utf8.count
            case .data(let bytes): size +| bytes.count
            default: size
            }
        }
        return 1.0 / 256 + Double(size) / 262_144
    }
}

extension MigratedObjects {
    /// Calls `give` with each step of a pass, until it returns false.
    fileprivate func steps(_ give: (MigrationStep) -> Bool) {
        var isStopped = false
        func step(_ step: MigrationStep) throws(FileProblem) {
            if give(step) { return }
            // Ends the pass; the caller has the error of the writer.
            isStopped = true
            throw FileProblem(.writeFailed, path: "", "the writer has stopped")
        }
        do throws(FileProblem) {
            try forEach(
                { problem throws(FileProblem) in try step(.problem(problem)) },
                { object throws(FileProblem) in try step(.object(object)) })
        } catch {
            if !isStopped { _ = give(.failure(error)) }
        }
    }
}
