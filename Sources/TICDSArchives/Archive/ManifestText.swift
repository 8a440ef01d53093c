import Synchronization
import SystemCalls
import TICDSCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A manifest as JSON, one entry a line: no times of now, so that the same remote gives the same bytes.
struct ManifestText {
    private(set) var bytes: [UInt8] = []

    private static let digits = Array("0123456789abcdef".utf8)
    /// Entries that one thread turns into text at a time.
    private static let share = 1_000

    init(_ manifest: ArchiveManifest) {
        let totals = manifest.totals
        append("{\n\"schema\":\"\(ArchiveManifest.schema)\",\n\"program\":")
        append(quoted: manifest.program)
        append(",\n")
        append("application", manifest.application.bytes)
        append(",\n\"encrypted\":\(manifest.isEncrypted),\n\"decrypted\":\(manifest.wasDecrypted),\n")
        append("\"documents\":")
        append(manifest.scope.documents)
        append(",\n\"clients\":")
        append(manifest.scope.clients)
        append(",\n\"onlyWholeStores\":\(manifest.scope.isOnlyWholeStores),\n")
        append("\"files\":\(totals.count),\n\"bytes\":\(totals.bytes),\n\"leftOut\":[")
        for (position, entry) in manifest.leftOut.enumerated() {
            append(position == 0 ? "\n{" : ",\n{")
            append("path", entry.path.bytes)
            append(",\"problem\":")
            append(quoted: entry.problem)
            append("}")
        }
        append("],\n\"entries\":[")
        let shares = Self.shares(of: manifest.entries)
        bytes.reserveCapacity(shares.reduce(bytes.count + 4) { $0 + $1.count })
        for share in shares { bytes += share }
        append("]\n}\n")
    }

    /// The entries as text, made on all cores.
    private static func shares(of entries: [ArchivedEntry]) -> [[UInt8]] {
        let count = (entries.count + share - 1) / share
        let shares = Mutex<[[UInt8]]>(Array(repeating: [], count: count))
        ParallelWork.forEach(below: count, workers: Cores.count) { number in
            let text = ManifestText(number * share..<min((number + 1) * share, entries.count), of: entries)
            shares.withLock { $0[number] = text.bytes }
        }
        return shares.withLock { $0 }
    }

    private init(_ positions: Range<Int>, of entries: [ArchivedEntry]) {
        bytes.reserveCapacity(512 * positions.count)
        for position in positions {
            append(position == 0 ? "\n{" : ",\n{")
            append(entries[position])
            append("}")
        }
    }

    private mutating func append(_ entry: ArchivedEntry) {
        append("path", entry.path.bytes)
        append(",\"kind\":\"")
        append(entry.role.rawValue)
        append("\",\"modified\":\"")
        append(entry.modified.iso)
        append("\"")
        guard let digest = entry.digest else { return }
        append(",\"size\":")
        append(String(entry.size))
        append(",\"sha256\":\"")
        for byte in digest {
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
        append("\"")
    }

    /// A path or name by the rules of ticds-json(5).
    private mutating func append(_ key: String, _ name: [UInt8]) {
        append("\"")
        append(key)
        append("\":")
        if name.allSatisfy(Self.isPlain) {
            append("\"")
            bytes += name
            return append("\"")
        }
        if let text = String(validating: name, as: UTF8.self) { return append(quoted: text) }
        append(quoted: escapedIllFormed(name))
        append(",\"\(key)Base64\":\"\(Data(name).base64EncodedString())\"")
    }

    /// True for what stands in JSON as it is, and in ASCII.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func append(_ names: [RemoteName]?) {
        guard let names else { return append("null") }
        append("[")
        for (position, name) in names.enumerated() {
            append(position == 0 ? "{" : ",{")
            append("identifier", name.bytes)
            append("}")
        }
        append("]")
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

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
