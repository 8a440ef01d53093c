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
        for (position, entry) in manifest.entries.enumerated() {
            append(position == 0 ? "\n{" : ",\n{")
            append(entry)
            append("}")
        }
        append("]\n}\n")
    }

    private mutating func append(_ entry: ArchivedEntry) {
        append("path", entry.path.bytes)
        append(",\"kind\":\"\(entry.role.rawValue)\",\"modified\":\"\(entry.modified.iso)\"")
        guard let digest = entry.digest else { return }
        append(",\"size\":\(entry.size),\"sha256\":\"\(hexadecimalDigits(of: digest))\"")
    }

    /// A path or name by the rules of ticds-json(5).
    private mutating func append(_ key: String, _ name: [UInt8]) {
        append("\"\(key)\":")
        if let text = String(validating: name, as: UTF8.self) { return append(quoted: text) }
        append(quoted: escapedIllFormed(name))
        append(",\"\(key)Base64\":\"\(Data(name).base64EncodedString())\"")
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
