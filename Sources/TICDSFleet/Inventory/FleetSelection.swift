import Base
import Cryptography
package import SystemCalls
import SystemPackage

/// The selection of remotes of an inventory for a command. Conditions of different kinds must all hold.
package struct FleetSelection: Sendable {
    /// Tags that a remote must all have.
    package var tags: [String] = []
    /// Application identifiers of which a remote must have one; empty for any.
    package var applications: [String] = []
    /// Beginnings of which a remote's identifier must have one; empty for any.
    package var identifiers: [String] = []
    /// The largest number of remotes, always the same ones of the same fleet.
    package var sample: Int?

    package init() {}

    /// Whether no condition is given.
    package var isEverything: Bool {
        tags.isEmpty && applications.isEmpty && identifiers.isEmpty && sample == nil
    }

    /// The matching remotes, in the order of their identifiers.
    /// - Throws: `.unknownName` for an identifier, a tag or an application identifier that no remote has.
    package func choose(from inventory: FleetInventory) throws(FileProblem) -> [FleetRemote] {
        for beginning in identifiers
        where !inventory.remotes.keys.contains(where: { $0.hasPrefix(beginning) }) {
            throw FileProblem(
                .unknownName, path: FilePath(beginning), "no remote of the inventory has this identifier",
                advice: "See: ticds-fleet list")
        }
        try Self.check(tags, "tag", among: Set(inventory.remotes.values.flatMap(\.tags)))
        try Self.check(applications, "application", among: Set(inventory.remotes.values.map(\.application)))
        let fitting = inventory.sorted.filter { remote in
            tags.allSatisfy(remote.tags.contains)
                && (applications.isEmpty || applications.contains(remote.application))
                && (identifiers.isEmpty || identifiers.contains { remote.identifier.hasPrefix($0) })
        }
        guard let sample, sample < fitting.count else { return fitting }
        return Self.sampled(fitting, sample)
    }

    /// Refuses a name that no remote has; suggests the nearest one.
    private static func check(_ names: [String], _ noun: String, among known: Set<String>) throws(FileProblem)
    {
        for name in names where !known.contains(name) {
            let nearest = EditDistance.nearest(to: name, among: known)
            throw FileProblem(
                .unknownName, path: FilePath(name), "no remote of the inventory has this \(noun)",
                advice: nearest.map { "Did you mean \($0)?" } ?? "See: ticds-fleet list")
        }
    }

    /// A number of these remotes, always the same ones, in the order of their identifiers.
    package static func sampled(_ remotes: [FleetRemote], _ count: Int) -> [FleetRemote] {
        // The digest of an identifier is independent of its shard, and a larger sample contains a smaller one.
        let ordered = remotes.map { ($0, SHA256.hash(Array("sample \($0.identifier)".utf8))) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
        return ordered.prefix(max(0, count)).map(\.0).sorted { $0.identifier < $1.identifier }
    }
}
