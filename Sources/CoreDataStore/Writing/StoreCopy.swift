public import SystemCalls
public import SystemPackage

/// Makes a private copy of a store that can be written to.
public enum StoreCopy {
    /// Copies an SQLite store with its write-ahead log or journal. `target` must not exist.
    public static func copy(_ source: FilePath, to target: FilePath) throws(FileProblem) {
        let pending = try PendingFiles(of: source)
        try SQLiteFileCopy.copy(source, to: target)
        try pending.copy(beside: target)
        try pending.checkUnchanged()
    }

    /// Writes the objects of a store of a different type, such as a binary one, to a new SQLite store. Calls `onDamage`
    /// for objects that cannot be read, and for parts that the new store lacks.
    /// - Throws: `.refused` for a store without a model, since its attribute names are unknown.
    public static func convert(
        _ store: any PersistentStore, to target: FilePath,
        onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard let model = store.model else {
            throw FileProblem(
                .refused, path: store.path, "this store cannot be converted", found: "no model",
                advice: "Give the model of the app that the store was saved with")
        }
        var names: [String: (attributes: Set<String>, relationships: Set<String>)] = [:]
        for entity in model.entities {
            names[entity.name] = (
                Set(model.attributes(of: entity.name).filter(\.isStored).map(\.name)),
                Set(model.relationships(of: entity.name).filter { !$0.isTransient }.map(\.name))
            )
        }
        var writer = try SQLiteStoreWriter(creating: target, model: model)
        try store.forEachObject(entity: nil, onDamage: onDamage) { (object) throws(FileProblem) in
            var object = object
            let known = names[object.entity]
            object.attributes.removeAll { known?.attributes.contains($0.name) != true }
            object.relationships.removeAll { known?.relationships.contains($0.name) != true }
            do throws(FileProblem) {
                try writer.insert(object)
            } catch {
                guard error.isRefusal else { throw error }
                try onDamage(error)
            }
        }
        for gap in store.gaps { try onDamage(gap.problem) }
        try writer.finish()
    }
}
