import Base
import Cryptography
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCore

/// A tar archive, compressed or not, with and without a manifest: as it is, and with the checksums of its headers
/// set right, so that what lies behind these is reached.
@Sendable func readTar(_ bytes: SharedBytes) throws {
    try readArchiveFile(bytes.array)
    try readArchiveFile(Tar.repaired(bytes.array))
}

/// A zip archive: its directory, and its members through libarchive.
@Sendable func readZip(_ bytes: SharedBytes) throws {
    try readArchiveFile(bytes.array)
    try readArchiveFile([0x50, 0x4B, 3, 4] + bytes.array)
}

/// The JSON at the beginning of an archive.
@Sendable func readManifest(_ bytes: SharedBytes) throws {
    try readArchiveFile(
        Tar.archive([("ticds-manifest.json", sealed(bytes.array)), ("app/ReadMe.txt", [65])]))
}

/// A manifest with its digest, which it has in place of its last brace.
private func sealed(_ text: [UInt8]) -> [UInt8] {
    let lines = text.dropLast() + Array(",\n".utf8)
    let digest = SHA256.hash(Array(lines)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return lines + Array("\"sha256\":\"\(digest)\"\n}\n".utf8)
}

/// A size in an extended header, and in a manifest.
func readSizeText(_ text: [UInt8]) throws {
    let rest = Array(" size=".utf8) + text + [0x0A]
    let count = [1, 2, 3, 4, 5].map { rest.count + $0 }.first { "\($0)".utf8.count == $0 - rest.count }
    guard let count else { return }
    let record = Array("\(count)".utf8) + rest
    try readArchiveFile(Tar.archive([("app/ReadMe.txt", [65])], extended: [(UInt8(ascii: "x"), record)]))
    let entry = Array(
        "{\"path\":\"ReadMe.txt\",\"kind\":\"readMe\",\"modified\":\"2013-05-01T10:00:00Z\",\"size\":".utf8)
    let head = Array(
        "{\"schema\":\"ticds.archive/1\",\"program\":\"p\",\"application\":\"app\",\"entries\":[".utf8)
    let digest = Array(",\"sha256\":\"\(String(repeating: "0", count: 64))\"}".utf8)
    let list = entry + text + digest
    let bytes = head + list + [0x2C] + list + Array("]}".utf8)
    try readArchiveFile(Tar.archive([("ticds-manifest.json", sealed(bytes)), ("app/ReadMe.txt", [65])]))
}

private func readArchiveFile(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("archive")
    try NewFile.write(bytes, to: path)
    _ = try? ArchiveListing(.file(path))
    _ = try? ArchiveCheck(.file(path))
}

private let manifest = """
    {
    "schema":"ticds.archive/1",
    "program":"ticds 1.0",
    "application":"app",
    "encrypted":false,"decrypted":true,
    "documents":[{"identifier":"note \\u00fc\\ud83d\\ude00"},{"identifierBase64":"/w=="}],
    "clients":null,
    "onlyWholeStores":false,
    "files":2,"bytes":1,"leftOut":[
    {"path":"Documents/x","problem":"it changed"}],"entries":[
    {"path":"","kind":"folder","modified":"2013-05-01T10:00:00.123456789Z"},
    {"path":"ReadMe.txt","kind":"readMe","modified":"2013-05-01T10:00:00Z","size":1,
    "sha256":"559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd"},
    {"pathBase64":"/w==","kind":"stray","modified":"1969-12-31T23:59:59.5Z","size":0,"sha256":"00","more":[1.5e3,null]}]
    }
    """

@Sendable func manifestSeeds() -> [[UInt8]] { [Array(manifest.utf8), Array("{}".utf8)] }

@Sendable func tarSeeds() -> [[UInt8]] {
    let files: [(String, [UInt8])] = [
        ("ticds-manifest.json", sealed(Array(manifest.utf8))), ("app/ReadMe.txt", [65]),
    ]
    let pax = Array("22 path=app/ä/ReadMe\n20 mtime=1.000000001\n9 size=1\n".utf8)
    let long = Array("app/".utf8) + [UInt8](repeating: 120, count: 200) + [0]
    return [
        Tar.archive(files), Tar.archive([]),
        Tar.archive(files, extended: [(UInt8(ascii: "x"), pax)]),
        Tar.archive(files, extended: [(UInt8(ascii: "g"), pax), (UInt8(ascii: "L"), long)]),
        Tar.archive(files, extended: [(UInt8(ascii: "x"), Array("24 GNU.sparse.major=1\n".utf8))]),
        Tar.archive(files, extended: [(UInt8(ascii: "x"), Array("30 mtime=-9223372036854775808\n".utf8))]),
    ]
}

/// What the exporter itself writes, besides a zip with two members that another program made.
@Sendable func zipSeeds() throws -> [[UInt8]] {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("app")
    try NewFile.makeFolder(path)
    try NewFile.makeFolder(path.appending("ClientDevices"))
    try NewFile.makeFolder(path.appending("Documents"))
    try NewFile.write([65], to: path.appending("ReadMe.txt"))
    var seeds: [[UInt8]] = []
    for form in ArchiveForm.allCases {
        let target = folder.path.appending("made")
        let exporter = ArchiveExporter(LocalStorage(root: path), .init(form: form, program: "fuzz"))
        _ = try ArchiveFile.export(exporter, to: target, isReplacing: true)
        seeds.append(try FileBytes.read(target, limit: .binaryStore).array)
    }
    return seeds
}

/// Simple tar archives.
private enum Tar {
    private static let block = 512

    /// - Parameter extended: headers of these types, with what they say, before the last file.
    static func archive(
        _ files: [(name: String, content: [UInt8])], extended: [(type: UInt8, content: [UInt8])] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for (position, file) in files.enumerated() {
            if position == files.count - 1 {
                for (type, content) in extended { bytes += member("extended", content, type) }
            }
            bytes += member(file.name, file.content, UInt8(ascii: "0"))
        }
        return bytes + [UInt8](repeating: 0, count: 2 * block)
    }

    private static func member(_ name: String, _ content: [UInt8], _ type: UInt8) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: some Sequence<UInt8>, at offset: Int) {
            for (position, byte) in text.enumerated() { header[offset + position] = byte }
        }
        put(name.utf8.prefix(100), at: 0)
        put("0000644\0".utf8, at: 100)
        put(octal(content.count, 11), at: 124)
        put(octal(1_367_402_400, 11), at: 136)
        header[156] = type
        put("ustar\0".utf8, at: 257)
        put("00".utf8, at: 263)
        let padding = (block - content.count % block) % block
        return withCheckSum(header[...]) + content + [UInt8](repeating: 0, count: padding)
    }

    /// The archive with right checksums in all headers, wherever the sizes in them lead.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var repaired: [UInt8] = []
        var rest = bytes[...]
        while rest.count >= block {
            let header = rest.prefix(block)
            guard header.contains(where: { $0 != 0 }) else { break }
            repaired += withCheckSum(header)
            rest = rest.dropFirst(block)
            let digits = header.dropFirst(124).prefix(12).prefix { (48...55).contains($0) }
            let size = digits.reduce(0) { ($0 << 3 | Int($1 - 48)) & 0xFF_FFFF }
            let length = (size + block - 1) / block * block
            repaired += rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        return repaired + rest
    }

    private static func withCheckSum(_ header: ArraySlice<UInt8>) -> [UInt8] {
        var header = Array(header)
        header.replaceSubrange(148..<156, with: repeatElement(32, count: 8))
        let sum = header.reduce(0) { $0 + Int($1) }
        header.replaceSubrange(148..<156, with: octal(sum, 6) + [0, 32])
        return header
    }

    private static func octal(_ number: Int, _ digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
    }
}
