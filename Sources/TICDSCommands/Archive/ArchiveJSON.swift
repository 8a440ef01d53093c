package import Base
import SystemCalls
import TICDSCommandLine
package import TICDSArchive
import TICDSCore

extension ArchiveManifest {
    /// The data of a manifest about its archive as a whole.
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
        $0("bases", "The earlier archives on which it rests.", \.bases, base)
        $0("stored", "Files that are in the archive itself, and in none of these.", \.stored)
    }

    /// An archive on which another one depends.
    static let base = JSONFields<ArchiveBase> {
        $0("name", "The name of its file, in the same folder.", \.name)
        $0("sha256", "Of its manifest.", as: .hexadecimal(64), { hexadecimalDigits(of: $0.digest) })
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
    ) { describe(&$0, isIncremental: false) }

    /// The manifest of an archive that depends on earlier ones, written by the library.
    static let incremental = JSONSchema<Void>(
        "ticds.archive/2",
        "The manifest of an archive that depends on earlier ones; ticds-archive-format(5) describes its keys."
    ) { describe(&$0, isIncremental: true) }

    private static func describe(_ fields: inout JSONFields<Void>, isIncremental: Bool) {
        let scope = JSONFields<Void> { $0("identifier", "", as: bytes) }
        fields("program", "", as: .text)
        fields("application", "", as: bytes)
        fields("remote", "", as: .hexadecimal(16), isOptional: true)
        fields("encrypted", "", as: .boolean)
        fields("decrypted", "", as: .boolean)
        fields("documents", "", as: .orNull(.array(scope.type)))
        fields("clients", "", as: .orNull(.array(scope.type)))
        fields("onlyWholeStores", "", as: .boolean)
        fields("files", "", as: .count)
        fields("bytes", "", as: .count)
        fields(
            "leftOut", "",
            as: .array(
                JSONFields<Void> {
                    $0("path", "", as: bytes)
                    $0("problem", "", as: .text)
                }.type))
        if isIncremental {
            fields(
                "bases", "",
                as: .array(
                    JSONFields<Void> {
                        $0("name", "", as: bytes)
                        $0("sha256", "", as: .hexadecimal(64))
                    }.type))
        }
        fields(
            "entries", "",
            as: .array(
                JSONFields<Void> {
                    $0("path", "", as: bytes)
                    $0("kind", "", as: .text)
                    $0("modified", "", as: FileTime.json)
                    $0("size", "Of a file.", as: .count, isOptional: true)
                    $0("sha256", "Of a file.", as: .hexadecimal(64), isOptional: true)
                    if isIncremental { $0("base", "", as: .count, isOptional: true) }
                }.type))
        fields("sha256", "Of the lines before it.", as: .hexadecimal(64))
    }

    private static let bytes = JSONType.raw("\"$ref\": \"ticds.plan-1.schema.json#/$defs/bytes\"")
}

extension ArchiveListing.Member: JSONObject {
    package static let fields = JSONFields<ArchiveListing.Member> {
        $0(
            "path", "Below the remote, or in the archive if there is no manifest.",
            { RemotePath([RemoteName($0.path)]) })
        $0("kind", "", \.kind)
        $0("size", "", \.size)
        $0("modified", "", \.modified)
        $0("sha256", "", as: .orNull(.hexadecimal(64)), { $0.digest.map { hexadecimalDigits(of: $0) } })
        $0("base", "The earlier archive that has the file; null if it is in the archive itself.", \.base)
    }
}

extension ArchiveListing.Members: JSONWritable {
    package static var json: JSONType { [ArchiveListing.Member].json }

    package func write(to json: inout JSONWriter) {
        json.beginArray()
        for member in self { member.write(to: &json) }
        json.endArray()
    }
}
