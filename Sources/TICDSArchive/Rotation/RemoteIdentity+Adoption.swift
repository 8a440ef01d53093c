import TICDSCore

extension RemoteIdentity {
    /// A dated archive that the user assigned to this remote.
    public struct Adoption: Sendable {
        let archive: DatedArchiveName
        let keys: Set<String>
    }

    /// Assigns a dated archive to this remote, and all others with the same identifier.
    public mutating func adopt(_ adoption: Adoption) {
        adoptedKeys.formUnion(adoption.keys)
        if let other = adoption.archive.identifier {
            if other != identifier { adoptedIdentifiers.insert(other) }
        } else {
            adoptedNames.insert(Self.ending(of: adoption.archive))
        }
    }

    /// Whether a dated archive is of this remote, according to its name.
    public func claims(_ archive: DatedArchiveName) -> Bool {
        guard let other = archive.identifier else { return adoptedNames.contains(Self.ending(of: archive)) }
        return other == identifier || adoptedIdentifiers.contains(other)
    }

    /// Without the tag, so that a rename does not end an adoption.
    private static func ending(of archive: DatedArchiveName) -> String {
        String(
            decoding: archive.tagged(nil).name.bytes.dropFirst(archive.application.bytes.count + 1),
            as: UTF8.self)
    }
}
