import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads a manifest, which comes in pieces; hostile input. The text of an entry that was read is not kept: it is twice as
/// large as the entry.
struct ManifestReader {
    private typealias Problem = JSONScanner.Problem

    /// The text that was not read yet, and the number of bytes before it.
    private var text: [UInt8] = []
    private var countBefore = 0
    /// The number of bytes of text at which to read on.
    private var wanted: Int
    private let step: Int
    private let keepsDigests: Bool
    private var phase = Phase.head
    private var entryCount = 0

    private enum Phase { case head, entries, end }

    /// - Parameters:
    ///   - keepsDigests: whether entries get their digests; they are checked in any case.
    ///   - step: the least number of bytes that are read at once.
    init(keepsDigests: Bool = true, step: Int = 128 << 10) {
        self.keepsDigests = keepsDigests
        self.step = step
        wanted = step
    }

    /// - Returns: the manifest, and the SHA-256 of its text.
    /// - Throws: `.damaged`, or `.unsupported` for a manifest of a later version.
    static func read(
        _ bytes: [UInt8], path: FilePath
    ) throws(FileProblem) -> (manifest: ArchiveManifest, digest: [UInt8]) {
        var reader = ManifestReader()
        var digest = try ManifestDigest(path: path)
        bytes.withUnsafeBytes {
            digest.add($0)
            reader.add($0)
        }
        return try reader.finish(digest.value, path: path)
    }

    /// Adds a piece of the text.
    mutating func add(_ piece: UnsafeRawBufferPointer) {
        text += piece
        guard text.count >= wanted else { return }
        switch phase {
        case .head: readHead()
        // try?: the entry may go on in the next piece; if it is damaged, `finish` finds that again
        case .entries: try? readEntries()
        case .end: break
        }
        wanted = max(step, 2 *| text.count)
    }

    /// - Parameter digest: the digest of the whole text; nil if its seal is wrong.
    /// - Returns: the manifest, and the SHA-256 of its text.
    mutating func finish(
        _ digest: [UInt8]?, path: FilePath
    ) throws(FileProblem) -> (manifest: ArchiveManifest, digest: [UInt8]) {
        guard let digest else {
            throw Self.damage(path, expected: "its own SHA-256 at its end", found: "another SHA-256, or none")
        }
        do throws(Problem) {
            try readRest()
        } catch {
            throw Self.damage(path, offset: countBefore +| error.offset, expected: error.expected)
        }
        guard [ArchiveManifest.schema, ArchiveManifest.incrementalSchema].contains(schema) else {
            throw FileProblem(
                .unsupported, path: path, "the archive has a manifest with another schema",
                expected: "\(ArchiveManifest.schema) or \(ArchiveManifest.incrementalSchema)",
                found: schema,
                advice: "Use a later version of the suite, or tar or unzip")
        }
        let bases = manifest.bases.count
        guard bases <= ArchiveBase.limit else {
            throw FileProblem(
                .unsupported, path: path, "the archive depends on too many others",
                expected: "at most \(ArchiveBase.limit)",
                found: "\(bases)")
        }
        // Keys may come in any order.
        let entries = manifest.entries
        if let position = entries.indices.first(where: { position in
            entries.base(at: position).map { $0 < 0 || $0 >= bases } ?? false
        }) {
            let entry = entries[position]
            throw .damagedArchive(
                path, expected: "one of \(bases) earlier archives for \(entry.path)",
                found: "\(entry.base ?? 0)")
        }
        return (manifest, digest)
    }

    /// Reads the fields before the entries, if the text has them all; otherwise nothing.
    private mutating func readHead() {
        var reader = ManifestReader(keepsDigests: keepsDigests)
        var scanner = JSONScanner(text)
        var start: Int?
        // try?: the text may go on in the next piece; if it is damaged, `finish` finds that again
        try? scanner.object { (scanner, key) throws(Problem) in
            guard key == "entries" else { return try reader.field(key, &scanner) }
            try scanner.beginArray()
            start = scanner.offset
            throw scanner.problem("the entries")
        }
        guard let start else { return }
        schema = reader.schema
        manifest = reader.manifest
        previous = reader.previous
        phase = .entries
        drop(start)
        // try?: as in `add`
        try? readEntries()
    }

    /// Reads the entries that the text has whole.
    /// - Throws: the problem of the first other one; what was read before it is dropped.
    private mutating func readEntries() throws(Problem) {
        var scanner = JSONScanner(text, depth: 2)
        var end = 0
        do throws(Problem) {
            while try scanner.nextElement(isFirst: entryCount == 0) {
                guard entryCount < JSONScanner.mostElements else {
                    throw scanner.problem("at most \(JSONScanner.mostElements) elements")
                }
                try readEntry(&scanner)
                entryCount += 1
                end = scanner.offset
            }
        } catch {
            drop(end)
            throw Problem(offset: error.offset -| end, expected: error.expected)
        }
        drop(scanner.offset)
        phase = .end
    }

    private mutating func readRest() throws(Problem) {
        if phase == .entries { try readEntries() }
        var scanner = JSONScanner(text, depth: phase == .head ? 0 : 1)
        if phase == .head {
            try scanner.object { (scanner, key) throws(Problem) in try field(key, &scanner) }
        } else {
            try scanner.restOfObject { (scanner, key) throws(Problem) in try field(key, &scanner) }
        }
        try scanner.end()
    }

    private mutating func drop(_ count: Int) {
        text.removeFirst(count)
        countBefore +|= count
    }

    private static func damage(
        _ path: FilePath, offset: Int? = nil, expected: String, found: String? = nil
    ) -> FileProblem {
        FileProblem(
            .damaged, path: path, offset: offset, "the manifest of the archive is damaged",
            expected: expected, found: found,
            advice: "ticds-archive verify prints the command that takes the files out without it")
    }

    private var schema = ""
    private var manifest = ArchiveManifest(
        program: "", application: "", isEncrypted: false, wasDecrypted: false, scope: ArchiveScope(),
        leftOut: [], entries: [])

    private mutating func field(_ key: String, _ scanner: inout JSONScanner) throws(Problem) {
        switch key {
        case "schema": schema = try scanner.text()
        case "program": manifest.program = try scanner.text()
        case "application": manifest.application = RemoteName(try scanner.string())
        case "applicationBase64": manifest.application = RemoteName(try base64(&scanner))
        case "remote": manifest.remote = scanner.null() ? nil : try scanner.text()
        case "encrypted": manifest.isEncrypted = try scanner.boolean()
        case "decrypted": manifest.wasDecrypted = try scanner.boolean()
        case "documents": manifest.scope.documents = try names(&scanner)
        case "clients": manifest.scope.clients = try names(&scanner)
        case "onlyWholeStores": manifest.scope.isOnlyWholeStores = try scanner.boolean()
        case "leftOut": try scanner.array { (scanner) throws(Problem) in try readLeftOut(&scanner) }
        case "bases": try scanner.array { (scanner) throws(Problem) in try readBase(&scanner) }
        case "entries": try scanner.array { (scanner) throws(Problem) in try readEntry(&scanner) }
        default: try scanner.skip()
        }
    }

    private func names(_ scanner: inout JSONScanner) throws(Problem) -> [RemoteName]? {
        if scanner.null() { return nil }
        var names: [RemoteName] = []
        try scanner.array { (scanner) throws(Problem) in
            var name: [UInt8] = []
            try scanner.object { (scanner, key) throws(Problem) in
                switch key {
                case "identifier": name = try scanner.string()
                case "identifierBase64": name = try base64(&scanner)
                default: try scanner.skip()
                }
            }
            names.append(RemoteName(name))
        }
        return names
    }

    private mutating func readLeftOut(_ scanner: inout JSONScanner) throws(Problem) {
        var path: [UInt8] = []
        var text = ""
        try scanner.object { (scanner, key) throws(Problem) in
            switch key {
            case "path": path = try scanner.string()
            case "pathBase64": path = try base64(&scanner)
            case "problem": text = try scanner.text()
            default: try scanner.skip()
            }
        }
        manifest.leftOut.append(.init(path: try self.path(path, scanner), problem: text))
    }

    private mutating func readBase(_ scanner: inout JSONScanner) throws(Problem) {
        var name: [UInt8] = []
        var digest: [UInt8]?
        try scanner.object { (scanner, key) throws(Problem) in
            switch key {
            case "name": name = try scanner.string()
            case "nameBase64": name = try base64(&scanner)
            case "sha256": digest = Self.bytes(hexadecimal: try scanner.string())
            default: try scanner.skip()
            }
        }
        guard RemoteName(name).isSafe, let digest, digest.count == 32 else {
            throw scanner.problem("the file name and the SHA-256 of the archive that ends here")
        }
        manifest.bases.append(ArchiveBase(name: RemoteName(name), digest: digest))
    }

    private mutating func readEntry(_ scanner: inout JSONScanner) throws(Problem) {
        var path: [UInt8] = []
        var kind = ""
        var modified = ""
        var size: Int64 = 0
        var digest: [UInt8]?
        var base: Int64?
        try scanner.object { (scanner, key) throws(Problem) in
            switch key {
            case "path": path = try scanner.string()
            case "pathBase64": path = try base64(&scanner)
            case "base": base = try scanner.integer()
            case "kind": kind = try scanner.text()
            case "modified": modified = try scanner.text()
            case "size": size = try scanner.integer()
            case "sha256": digest = Self.bytes(hexadecimal: try scanner.string())
            default: try scanner.skip()
            }
        }
        guard let time = FileTime(iso: modified) else {
            throw scanner.problem("the time of the entry that ends here")
        }
        let isFolder = kind == FileRole.folder.rawValue
        guard size >= 0, isFolder || digest?.count == 32 else {
            throw scanner.problem("the size and the SHA-256 of the entry that ends here")
        }
        // A role of a later version becomes that of a file.
        manifest.entries.append(
            BackupEntry(
                path: try self.path(path, scanner), role: FileRole(rawValue: kind) ?? .unknown,
                size: isFolder ? 0 : size, modified: time, digest: isFolder || !keepsDigests ? nil : digest,
                base: isFolder ? nil : base.map { Int(clamping: $0) }))
    }

    private var previous = RemotePath.root

    private mutating func path(_ bytes: [UInt8], _ scanner: JSONScanner) throws(Problem) -> RemotePath {
        if bytes.isEmpty { return .root }
        let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let path = RemotePath(names, sharing: previous)
        guard path.isSafe else {
            throw scanner.problem("a path that stays inside the archive, in the entry that ends here")
        }
        previous = path
        return path
    }

    private func base64(_ scanner: inout JSONScanner) throws(Problem) -> [UInt8] {
        guard let bytes = Base64.bytes(try scanner.string()) else { throw scanner.problem("base64") }
        return bytes
    }

    private static func bytes(hexadecimal digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[position]), let low = value(digits[position + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        default: nil
        }
    }
}
