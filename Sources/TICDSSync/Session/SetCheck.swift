import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks that every change of a set can be applied. A set that fails the check may crash apps; none of it is applied.
struct SetCheck {
    let model: ManagedObjectModel
    private let hasEntity: (String) -> Bool
    private var properties: [String: Set<String>] = [:]

    init(_ store: WritableStore) {
        model = store.model
        hasEntity = { store.hasEntity($0) }
    }

    private static let hash = FrameworkModels.syncChange.versionHashes[FrameworkModels.syncChangeEntity]

    /// Reads the whole set.
    /// - Throws: `.unsupported` with the number of the first change that cannot be applied; `.damaged`.
    mutating func read(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> CheckedSet {
        let reader = try ChangeSetReader(bytes, path: path)
        if let problem = reader.shortfall { throw problem }
        guard reader.versionHash(of: FrameworkModels.syncChangeEntity) == Self.hash else {
            throw FileProblem(
                .unsupported, path: path, "the set was written with another model of sync changes",
                expected: "the version hash of the framework's \(FrameworkModels.syncChangeEntity)",
                found: "another hash, or none",
                advice: "Update the app, or ask its developer which version of the framework it uses")
        }
        var number = 0
        var kept: [SyncChange] = []
        let keeps = bytes.count <= CheckedSet.keptSize
        var properties = self.properties
        defer { self.properties = properties }
        try reader.forEachChange { (change) throws(FileProblem) in
            number += 1
            if let fault = fault(of: change, &properties) {
                throw FileProblem(
                    .unsupported, path: path, "change \(number) cannot be applied", found: fault,
                    advice: "ticds-changes dump shows it")
            }
            if keeps { kept.append(change) }
        }
        return CheckedSet(reader: reader, kept: keeps ? kept : nil)
    }

    private func fault(of change: SyncChange, _ properties: inout [String: Set<String>]) -> String? {
        if case .unknown(let number) = change.type { return "the unknown type \(number)" }
        guard change.objectSyncID != nil else { return "no sync ID" }
        if change.entity.isEmpty { return "no name of an entity" }
        guard hasEntity(change.entity) else { return "the unknown entity “\(change.entity)”" }
        let known = properties[change.entity] ?? names(of: change.entity)
        properties[change.entity] = known
        switch change.type {
        case .insert:
            if let fault = change.syncIDFault { return fault }
            let names = (change.changedAttributes.pairs ?? []).map { $0.key.stringValue ?? "\($0.key)" }
            return names.first { !known.contains($0) }.map { "the unknown attribute “\($0)”" }
        case .attribute, .toOne, .addToMany, .removeFromMany:
            guard let key = change.key else { return "no name of a property" }
            if let fault = change.syncIDFault { return fault }
            return known.contains(key) ? nil : "the unknown property “\(key)” of “\(change.entity)”"
        case .delete, .unknown: return nil
        }
    }

    /// The properties of the entity and of its subentities: a change may name the parent entity.
    private func names(of entity: String) -> Set<String> {
        var names: Set<String> = []
        for candidate in model.entities where isSame(candidate.name, orBelow: entity) {
            names.formUnion(model.attributes(of: candidate.name).map(\.name))
            names.formUnion(model.relationships(of: candidate.name).map(\.name))
        }
        return names
    }

    private func isSame(_ name: String, orBelow ancestor: String) -> Bool {
        var current: String? = name
        var steps = 0
        while let name = current, steps <= model.entities.count {
            if name == ancestor { return true }
            current = model[name]?.superentity
            steps += 1
        }
        return false
    }
}

/// A change set that passed the check.
struct CheckedSet {
    fileprivate let reader: ChangeSetReader
    /// The changes; nil for a set above `keptSize`, which is read again to save memory.
    fileprivate let kept: [SyncChange]?

    /// The largest set, in bytes, whose changes stay in memory.
    fileprivate static let keptSize = 24 << 20

    func forEachChange(_ body: (SyncChange) throws(FileProblem) -> Void) throws(FileProblem) {
        guard let kept else { return try reader.forEachChange(body) }
        for change in kept { try body(change) }
    }
}
