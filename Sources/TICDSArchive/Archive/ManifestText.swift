import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore

/// A manifest as JSON, one entry per line, without the present time, so that the same remote gives the same bytes.
struct ManifestText: Sendable {
    private let manifest: ArchiveManifest
    var partCount: Int { max(1, (manifest.entries.count + Self.share - 1) / Self.share) }

    /// The number of entries in a part.
    private static let share = 8_000

    init(_ manifest: ArchiveManifest) { self.manifest = manifest }

    var bytes: [UInt8] {
        let parts = (0..<partCount).reduce(into: []) { $0 += part($1) }
        return parts + ManifestSeal.bytes(SHA256.hash(parts))
    }

    /// The SHA-256 of ``bytes``, by which later archives name this one.
    func digest(for path: FilePath) throws(FileProblem) -> [UInt8] {
        var whole = try SHA256(for: path)
        var lines = try SHA256(for: path)
        for number in 0..<partCount {
            let part = part(number)
            whole.update(part)
            lines.update(part)
        }
        whole.update(ManifestSeal.bytes(lines.finalize()))
        return whole.finalize()
    }

    /// A part of complete lines. The ``ManifestSeal`` follows the last part.
    func part(_ number: Int) -> [UInt8] {
        let end = min((number + 1) * Self.share, manifest.entries.count)
        // The entries are elements of an array of the document.
        var json = JSONWriter(nil, layout: .lines, depth: number == 0 ? 0 : 2)
        if number == 0 {
            json.beginObject()
            writeHead(to: &json)
            json.beginArray("entries")
        }
        for entry in manifest.entries[number * Self.share..<end] { Self.write(entry, to: &json) }
        guard number == partCount - 1 else { return json.output.collected }
        json.endArray()
        return json.output.collected + Array(",\n".utf8)
    }

    private func writeHead(to json: inout JSONWriter) {
        let totals = manifest.totals
        let isWhole = manifest.bases.isEmpty
        json.field("schema", isWhole ? ArchiveManifest.schema : ArchiveManifest.incrementalSchema)
        json.field("program", manifest.program)
        json.field("application", manifest.application)
        if let remote = manifest.remote { json.field("remote", remote) }
        json.field("encrypted", manifest.isEncrypted)
        json.field("decrypted", manifest.wasDecrypted)
        Self.write(manifest.scope.documents, to: &json, under: "documents")
        Self.write(manifest.scope.clients, to: &json, under: "clients")
        json.field("onlyWholeStores", manifest.scope.isOnlyWholeStores)
        json.field("files", totals.count)
        json.field("bytes", totals.bytes)
        json.objects("leftOut", manifest.leftOut) { json, entry in
            json.field("path", entry.path)
            json.field("problem", entry.problem)
        }
        if isWhole { return }
        json.objects("bases", manifest.bases) { json, base in
            json.field("name", base.name)
            Self.write(digest: base.digest, to: &json)
        }
    }

    private static func write(_ names: [RemoteName]?, to json: inout JSONWriter, under key: String) {
        guard let names else {
            json.key(key)
            return json.null()
        }
        json.objects(key, names) { $0.field("identifier", $1) }
    }

    private static func write(_ entry: BackupEntry, to json: inout JSONWriter) {
        json.beginObject()
        json.field("path", entry.path)
        json.field("kind", entry.role.rawValue)
        json.field("modified", entry.modified)
        if let digest = entry.digest {
            json.field("size", entry.size)
            write(digest: digest, to: &json)
        }
        if let base = entry.base { json.field("base", Int64(base)) }
        json.endObject()
    }

    private static func write(digest: [UInt8], to json: inout JSONWriter) {
        json.key("sha256")
        json.appendValue { output in
            output.append(byte: UInt8(ascii: "\""))
            output.fill(2 * digest.count) { room in
                for (position, byte) in digest.enumerated() {
                    room[2 * position] = hexadecimalDigit(byte >> 4)
                    room[2 * position + 1] = hexadecimalDigit(byte & 15)
                }
                return 2 * digest.count
            }
            output.append(byte: UInt8(ascii: "\""))
        }
    }
}

/// The last two lines of a manifest, with the SHA-256 of the lines before them. They have the same length in every
/// manifest, so that a reader finds them without parsing.
enum ManifestSeal {
    static let count = bytes(Array(repeating: 0, count: 32)).count

    static func bytes(_ digest: [UInt8]) -> [UInt8] {
        Array("\"sha256\":\"\(hexadecimalDigits(of: digest))\"\n}\n".utf8)
    }
}

/// The SHA-256 of the text of a manifest, which comes in pieces.
struct ManifestDigest: ~Copyable {
    private var whole: SHA256
    private var lines: SHA256
    /// The last bytes, which may be the seal.
    private var end: [UInt8] = []

    init(path: FilePath) throws(FileProblem) {
        let first = try SHA256(for: path)
        let second = try SHA256(for: path)
        whole = first
        lines = second
    }

    mutating func add(_ piece: UnsafeRawBufferPointer) {
        whole.update(piece)
        let kept = max(0, min(end.count, ManifestSeal.count -| piece.count))
        lines.update(Array(end.dropLast(kept)))
        end.removeFirst(end.count -| kept)
        let rest = piece.suffix(ManifestSeal.count -| kept)
        lines.update(UnsafeRawBufferPointer(rebasing: piece.dropLast(rest.count)))
        end += rest
    }

    /// The SHA-256 of the whole text, if it ends with the SHA-256 of its lines; nil otherwise. No piece may follow.
    var value: [UInt8]? {
        end == ManifestSeal.bytes(lines.finalize()) ? whole.finalize() : nil
    }
}
