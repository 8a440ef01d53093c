import Base
import CoreDataStore
import KeyedArchive
import SystemCalls

/// Reads all objects and checks each by itself.
struct ObjectCheck {
    private let store: any PersistentStore
    private let syncID: String
    private let superentities: [String: String]
    private var groups = FindingGroups()
    /// The mandatory attributes of each entity, each with whether the model has a default value.
    private var mandatory: [String: [String: Bool]] = [:]
    /// Hashes of root entity and sync ID.
    private var seen: Set<Int> = []
    private var present: Set<String> = []
    private var missing: [String: (count: Int, examples: [Int64])] = [:]
    private(set) var count = 0
    private var unreadObjects = 0
    /// The first few files of external data that cannot be read.
    private(set) var unread: [FileProblem] = []
    /// The name of the sync ID attribute in the store.
    private var shownName: String?
    /// The place where files of external data are expected.
    private let externalPlace: String

    init(_ store: any PersistentStore, syncID: String) {
        self.store = store
        // try?: only a part of a message
        let place = try? (store as? SQLiteStore)?.external.place()
        externalPlace = place.map { " in \($0)" } ?? ""
        self.syncID = store.model == nil ? syncID.lowercased() : syncID
        if let model = store.model {
            superentities = model.entities.reduce(into: [:]) { $0[$1.name] = $1.superentity }
        } else {
            superentities = (store as? SQLiteStore)?.superentities ?? [:]
        }
        for entity in store.model?.entities ?? [] {
            for attribute in store.model?.attributes(of: entity.name) ?? []
            where !attribute.isOptional && attribute.isStored {
                mandatory[entity.name, default: [:]][attribute.name] = attribute.defaultValue != nil
            }
        }
    }

    mutating func run() throws(FileProblem) {
        guard let store = store as? SQLiteStore else { return try run(entity: nil) }
        // SQLiteStoreCheck reports rows without an entity and missing tables.
        for layout in store.layouts where store.tableNames.contains(layout.table) {
            try run(entity: layout.entity.name)
        }
    }

    private mutating func run(entity: String?) throws(FileProblem) {
        var objects = self
        self.seen = []
        try store.forEachObject(
            entity: entity,
            onDamage: { problem throws(FileProblem) in
                if problem.isUnread { return try objects.note(unread: problem) }
                let found = problem.found.map { ": \($0)" } ?? ""
                objects.groups.add(.unreadableObject, entity: entity, problem.problem + found)
            },
            { objects.look(at: $0) })
        self = objects
    }

    /// A file of external data that cannot be read leaves one object unchecked; any other error ends the check.
    private mutating func note(unread problem: FileProblem) throws(FileProblem) {
        guard let store = store as? SQLiteStore, store.external.holds(problem.path) else { throw problem }
        unreadObjects += 1
        let isKnown = unread.contains { $0.path == problem.path }
        if !isKnown, unread.count < FindingGroups.exampleLimit { unread.append(problem) }
    }

    var findings: [StoreFinding] {
        groups.findings
            + missing.sorted { $0.key < $1.key }.filter { isSynchronised($0.key) }.map { entity, found in
                StoreFinding(
                    kind: .missingSyncID, entity: entity, property: shownName, count: found.count,
                    examples: found.examples, detail: "object \(found.examples.first ?? 0) has none")
            }
    }

    var hasSyncIDs: Bool { !present.isEmpty || !missing.isEmpty }

    var unchecked: [String] {
        var texts: [String] = []
        if unreadObjects > 0 {
            let objects = counted(unreadObjects, "object")
            texts.append("values of \(objects): their external data cannot be read")
        }
        if store.model == nil {
            texts.append(
                store is SQLiteStore
                    ? "without a model: which attributes are mandatory, and which are kept in files"
                    : store is XMLStore
                        ? "without a model: which attributes are mandatory"
                        : "without a model: names, types and sync IDs of a binary store")
        }
        return texts
    }

    /// Without a model, all entities of a table have the attribute, even those that are not synchronised.
    private func isSynchronised(_ entity: String) -> Bool {
        if store.model != nil || present.contains(entity) { return true }
        return superentities[entity] == nil && !superentities.values.contains(entity)
    }

    private mutating func look(at object: StoredObject) {
        count += 1
        let wanted = mandatory[object.entity]
        for attribute in object.attributes {
            if attribute.name == syncID || (store.model == nil && attribute.name.lowercased() == syncID) {
                lookAtSyncID(attribute, object)
            }
            if attribute.value.isNil {
                if let hasDefault = wanted?[attribute.name] {
                    groups.add(
                        .missingValue, entity: object.entity, property: attribute.name,
                        key: object.primaryKey, isTolerated: hasDefault,
                        "object \(object.primaryKey)")
                }
            } else if let file = attribute.value.missingExternalFile {
                switch attribute.value.externalFileState {
                case .unread: break
                case .empty:
                    groups.add(
                        .emptyExternalData, entity: object.entity, property: attribute.name,
                        key: object.primaryKey, "object \(object.primaryKey): \(file) has 0 bytes")
                case .absent, nil:
                    let place = externalPlace
                    groups.add(
                        .missingExternalData, entity: object.entity, property: attribute.name,
                        key: object.primaryKey,
                        "object \(object.primaryKey): \(file) does not exist\(place)")
                }
            }
        }
    }

    private mutating func lookAtSyncID(_ attribute: StoredAttribute, _ object: StoredObject) {
        shownName = attribute.name
        guard let text = attribute.value.stringValue, !text.isEmpty else {
            var found = missing[object.entity] ?? (0, [])
            found.count += 1
            if found.examples.count < FindingGroups.exampleLimit { found.examples.append(object.primaryKey) }
            missing[object.entity] = found
            return
        }
        present.insert(object.entity)
        var root = object.entity
        var steps = 0
        while let above = superentities[root], steps < ManagedObjectModel.depthLimit {
            root = above
            steps += 1
        }
        var hasher = Hasher()
        hasher.combine(root)
        for byte in text.utf8 { hasher.combine(byte) }
        guard !seen.insert(hasher.finalize()).inserted else { return }
        groups.add(
            .duplicateSyncID, entity: object.entity, property: attribute.name, key: object.primaryKey,
            "object \(object.primaryKey): \(text)")
    }
}
