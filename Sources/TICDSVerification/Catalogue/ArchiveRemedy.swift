import SystemCalls
import SystemPackage

/// The remedy for a remote in an archive, which is never changed: the archive is imported, and the remedy is for the new
/// remote.
enum ArchiveRemedy {
    /// The word for the imported remote.
    static let remote: FilePath = "REMOTE"

    /// The archive that contains a remote; nil for a remote in another place.
    static func archive(of root: FilePath) -> FilePath? {
        var place = root
        while !place.isEmpty {
            // try?: an archive that was read can be examined
            if let target = try? place.resolved() {
                // try?: as above
                return (try? FileStatus.of(target).kind) == .file ? place : nil
            }
            guard place.removeLastComponent() else { return nil }
        }
        return nil
    }

    /// The lines for a finding in an archive, with the rest of its remedy.
    /// - Parameter rest: the remedy for the imported remote.
    static func lines(_ archive: FilePath, of kind: FindingKind, _ rest: [String]) -> [String] {
        let word = ShellWord.quoted(archive)
        if kind.code == FindingKind.cannotBeRead.code {
            return [
                "Get another copy of the archive. To see what is intact in this one:",
                "ticds-archive verify \(word)",
            ]
        }
        return [
            "An archive is never changed. Import it first, as REMOTE:", "ticds-archive import \(word) REMOTE",
        ] + rest
    }
}
