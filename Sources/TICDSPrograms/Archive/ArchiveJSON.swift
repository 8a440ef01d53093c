import KeyedArchive
import SystemCalls
public import TICDSCommandLine
public import TICDSArchive
import TICDSCore

extension ArchiveManifest {
    /// What a manifest says of its archive as a whole.
    static let summary = JSONFields<ArchiveManifest>(home: "ticds.archiveExport/1") {
        $0("program", "The program that wrote it.", \.program)
        $0("application", "The name of the application folder.", \.application)
        $0("encrypted", "Whether the files in it are encrypted.", \.isEncrypted)
        $0("decrypted", "Whether they were decrypted.", \.wasDecrypted)
        $0("documents", "The documents in it; null for all.", \.scope.documents)
        $0("clients", "The clients in it; null for all.", \.scope.clients)
        $0("onlyWholeStores", "Whether it contains whole stores only.", \.scope.isOnlyWholeStores)
        $0("files", "Plain files in the archive.", \.totals)
        $0("leftOut", "Files that are not in it.", \.leftOut, exception)
    }

    /// A file that is not in an archive.
    static let exception = JSONFields<ArchiveManifest.LeftOut> {
        $0("path", "Below the remote.", \.path)
        $0("problem", "", \.problem)
    }

    /// Written by the library.
    static let schema = JSONSchema<Void>(
        "ticds.archive/1",
        "The manifest at the beginning of an archive; ticds-archive-format(5) describes its keys."
    ) {
        let scope = JSONFields<Void> { $0("identifier", "", as: bytes) }
        $0("program", "", as: .text)
        $0("application", "", as: bytes)
        $0("remote", "", as: .hexadecimal(16), isOptional: true)
        $0("encrypted", "", as: .boolean)
        $0("decrypted", "", as: .boolean)
        $0("documents", "", as: .orNull(.array(scope.type)))
        $0("clients", "", as: .orNull(.array(scope.type)))
        $0("onlyWholeStores", "", as: .boolean)
        $0("files", "", as: .count)
        $0("bytes", "", as: .count)
        $0(
            "leftOut", "",
            as: .array(
                JSONFields<Void> {
                    $0("path", "", as: bytes)
                    $0("problem", "", as: .text)
                }.type))
        $0(
            "entries", "",
            as: .array(
                JSONFields<Void> {
                    $0("path", "", as: bytes)
                    $0("kind", "", as: .text)
                    $0("modified", "", as: FileTime.json)
                    $0("size", "Of a file.", as: .count, isOptional: true)
                    $0("sha256", "Of a file.", as: .hexadecimal(64), isOptional: true)
                }.type))
    }

    private static let bytes = JSONType.raw("\"$ref\": \"ticds.plan-1.schema.json#/$defs/bytes\"")
}

extension ArchiveListing.Member: JSONObject {
    public static let fields = JSONFields<ArchiveListing.Member> {
        $0(
            "path", "Below the remote, or in the archive if there is no manifest.",
            { RemotePath([RemoteName($0.path)]) })
        $0("kind", "", \.kind)
        $0("size", "", \.size)
        $0("modified", "", \.modified)
        $0("sha256", "", as: .orNull(.hexadecimal(64)), { $0.digest.map { hexadecimalDigits(of: $0) } })
    }
}
