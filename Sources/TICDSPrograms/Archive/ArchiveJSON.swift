import KeyedArchive
import SystemCalls
import TICDSCommandLine
import TICDSArchive
import TICDSCore

extension JSONWriter {
    /// What a manifest says of its archive as a whole.
    mutating func summary(_ manifest: ArchiveManifest) {
        field("program", manifest.program)
        field("application", manifest.application)
        field("encrypted", manifest.isEncrypted)
        field("decrypted", manifest.wasDecrypted)
        names("documents", manifest.scope.documents)
        names("clients", manifest.scope.clients)
        field("onlyWholeStores", manifest.scope.isOnlyWholeStores)
        field("files", manifest.totals)
        objects("leftOut", manifest.leftOut) { json, entry in
            json.field("path", entry.path)
            json.field("problem", entry.problem)
        }
    }

    private mutating func names(_ key: String, _ names: [RemoteName]?) {
        if let names { field(key, names) } else { field(key, String?.none) }
    }

    mutating func value(_ member: ArchiveListing.Member) {
        beginObject()
        field("path", RemotePath([RemoteName(member.path)]))
        field("kind", member.kind)
        field("size", member.size)
        field("modified", member.modified)
        field("sha256", member.digest.map { hexadecimalDigits(of: $0) })
        endObject()
    }
}
