import TICDSCore

extension RemoteIdentity {
    /// A dated archive that somebody said is of this remote.
    public struct Adoption: Sendable {
        let archive: DatedArchiveName
        let keys: Set<String>
    }

    /// Counts a dated archive, and where it has an identifier all others that have it, among those of this remote.
    public mutating func adopt(_ adoption: Adoption) {
        adoptedKeys.formUnion(adoption.keys)
        if let other = adoption.archive.identifier {
            if other != identifier { adoptedIdentifiers.insert(other) }
        } else {
            adoptedNames.insert(Self.ending(of: adoption.archive))
        }
    }

    /// Whether a dated archive is of this remote, as far as its name tells.
    public func claims(_ archive: DatedArchiveName) -> Bool {
        guard let other = archive.identifier else { return adoptedNames.contains(Self.ending(of: archive)) }
        return other == identifier || adoptedIdentifiers.contains(other)
    }

    private static func ending(of archive: DatedArchiveName) -> String {
        String(decoding: archive.name.bytes.dropFirst(archive.application.bytes.count + 1), as: UTF8.self)
    }
}
