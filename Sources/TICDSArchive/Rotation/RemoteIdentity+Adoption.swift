import TICDSCore

extension RemoteIdentity {
    /// A snapshot that the user assigned to this remote.
    public struct Adoption: Sendable {
        let archive: DatedArchiveName
        let keys: Set<String>
    }

    /// Assigns a snapshot to this remote, and all others with the same identifier.
    public mutating func adopt(_ adoption: Adoption) {
        adoptedKeys.formUnion(adoption.keys)
        if let other = adoption.archive.identifier {
            if other != identifier { adoptedIdentifiers.insert(other) }
        } else {
            adoptedNames.insert(Self.ending(of: adoption.archive))
        }
    }

    /// Whether a snapshot belongs to this remote, according to its name.
    public func claims(_ archive: DatedArchiveName) -> Bool {
        guard let other = archive.identifier else { return adoptedNames.contains(Self.ending(of: archive)) }
        return other == identifier || adoptedIdentifiers.contains(other)
    }

    /// The end of the name without the tag, so that a rename does not end an adoption.
    private static func ending(of archive: DatedArchiveName) -> String {
        String(
            decoding: archive.tagged(nil).name.bytes.dropFirst(archive.application.bytes.count + 1),
            as: UTF8.self)
    }
}
