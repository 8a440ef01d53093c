import TICDSCore

extension RemoteIdentity {
    /// A snapshot that somebody said is of this remote.
    public struct Adoption: Sendable {
        let snapshot: SnapshotName
        let keys: Set<String>
    }

    /// Counts a snapshot, and where it has an identifier all others that have it, among those of this remote.
    public mutating func adopt(_ adoption: Adoption) {
        adoptedKeys.formUnion(adoption.keys)
        if let other = adoption.snapshot.identifier {
            if other != identifier { adoptedIdentifiers.insert(other) }
        } else {
            adoptedNames.insert(Self.ending(of: adoption.snapshot))
        }
    }

    /// Whether a snapshot is of this remote, as far as its name tells.
    public func claims(_ snapshot: SnapshotName) -> Bool {
        guard let other = snapshot.identifier else { return adoptedNames.contains(Self.ending(of: snapshot)) }
        return other == identifier || adoptedIdentifiers.contains(other)
    }

    private static func ending(of snapshot: SnapshotName) -> String {
        String(decoding: snapshot.name.bytes.dropFirst(snapshot.application.bytes.count + 1), as: UTF8.self)
    }
}
