import Base
import SystemCalls
import TICDSCore

/// A manifest as JSON, one entry a line: no times of now, so that the same remote gives the same bytes.
struct ManifestText: Sendable {
    private let manifest: ArchiveManifest
    var partCount: Int { max(1, (manifest.entries.count + Self.share - 1) / Self.share) }

    /// Entries of a part.
    private static let share = 8_000
    /// Typical size of an entry in bytes.
    private static let usualLength = 400

    init(_ manifest: ArchiveManifest) { self.manifest = manifest }

    var bytes: [UInt8] { (0..<partCount).reduce(into: []) { $0 += part($1) } }

    func part(_ number: Int) -> [UInt8] {
        let end = min((number + 1) * Self.share, manifest.entries.count)
        let entries = manifest.entries[number * Self.share..<end]
        var writer = ManifestWriter(capacity: Self.usualLength * entries.count)
        if number == 0 { writer.append(headOf: manifest) }
        for position in entries.indices { writer.append(entries[position], isFirst: position == 0) }
        if number == partCount - 1 { writer.appendEnd() }
        return writer.bytes
    }
}

/// Puts a manifest into words, by the rules of ticds-json(5).
private struct ManifestWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(headOf manifest: ArchiveManifest) {
        let totals = manifest.totals
        let schema = manifest.bases.isEmpty ? ArchiveManifest.schema : ArchiveManifest.incrementalSchema
        append("{\n\"schema\":\"\(schema)\",\n\"program\":")
        append(quoted: manifest.program)
        append(",\n\"application")
        append(nameFrom: [manifest.application], key: "application")
        if let remote = manifest.remote {
            append(",\n\"remote\":")
            append(quoted: remote)
        }
        append(",\n\"encrypted\":\(manifest.isEncrypted),\n\"decrypted\":\(manifest.wasDecrypted),\n")
        append("\"documents\":")
        append(manifest.scope.documents)
        append(",\n\"clients\":")
        append(manifest.scope.clients)
        append(",\n\"onlyWholeStores\":\(manifest.scope.isOnlyWholeStores),\n")
        append("\"files\":\(totals.count),\n\"bytes\":\(totals.bytes),\n\"leftOut\":[")
        for (position, entry) in manifest.leftOut.enumerated() {
            append(position == 0 ? "\n{\"path" : ",\n{\"path")
            append(nameFrom: entry.path.names, key: "path")
            append(",\"problem\":")
            append(quoted: entry.problem)
            append("}")
        }
        if !manifest.bases.isEmpty { append(manifest.bases) }
        append("],\n\"entries\":[")
    }

    private mutating func append(_ bases: [ArchiveBase]) {
        append("],\n\"bases\":[")
        for (position, base) in bases.enumerated() {
            append(position == 0 ? "\n{\"name" : ",\n{\"name")
            append(nameFrom: [base.name], key: "name")
            append(",\"sha256\":\"")
            append(digitsOf: base.digest)
            append("\"}")
        }
    }

    mutating func append(_ entry: BackupEntry, isFirst: Bool) {
        append(isFirst ? "\n{\"path" : ",\n{\"path")
        append(nameFrom: entry.path.names, key: "path")
        append(",\"kind\":\"")
        append(entry.role.rawValue)
        append("\",\"modified\":\"")
        append(entry.modified)
        append("\"")
        if let digest = entry.digest {
            append(",\"size\":")
            append(String(entry.size))
            append(",\"sha256\":\"")
            append(digitsOf: digest)
            append("\"")
        }
        if let base = entry.base {
            append(",\"base\":")
            append(String(base))
        }
        append("}")
    }

    mutating func appendEnd() { append("]\n}\n") }

    /// The rest of a key that has been begun, and a path or name as its value.
    private mutating func append(nameFrom names: [RemoteName], key: String) {
        if names.allSatisfy({ $0.bytes.allSatisfy(Self.isPlain) }) {
            append("\":\"")
            for (position, name) in names.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: "/")) }
                bytes += name.bytes
            }
            return append("\"")
        }
        append("\":")
        let name = RemotePath(names).bytes
        if let text = String(validating: name, as: UTF8.self) { return append(quoted: text) }
        append(quoted: escapedIllFormed(name))
        append(",\"\(key)Base64\":\"\(Base64.text(name))\"")
    }

    /// True for what stands in JSON as it is, and in ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func append(_ names: [RemoteName]?) {
        guard let names else { return append("null") }
        append("[")
        for (position, name) in names.enumerated() {
            append(position == 0 ? "{\"identifier" : ",{\"identifier")
            append(nameFrom: [name], key: "identifier")
            append("}")
        }
        append("]")
    }

    private mutating func append(_ time: FileTime) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: CalendarText.longest) { room in
            guard let start = room.baseAddress else { return }
            var text = CalendarText(at: start)
            text.append(iso: time)
            bytes.append(contentsOf: room[..<text.count])
        }
    }

    private mutating func append(digitsOf digest: [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * digest.count) { room in
            for (position, byte) in digest.enumerated() {
                room[2 * position] = hexadecimalDigit(byte >> 4)
                room[2 * position + 1] = hexadecimalDigit(byte & 15)
            }
            bytes.append(contentsOf: room)
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F: bytes += "\\u00\(hexadecimalDigits(of: [byte]))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
