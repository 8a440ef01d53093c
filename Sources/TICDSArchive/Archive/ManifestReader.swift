import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads a manifest; hostile input.
struct ManifestReader {
    private typealias Problem = JSONScanner.Problem

    /// - Returns: the manifest, and the SHA-256 of its text.
    /// - Throws: `.damaged`, or `.unsupported` for a manifest of a later version.
    static func read(
        _ bytes: [UInt8], path: FilePath
    ) throws(FileProblem) -> (manifest: ArchiveManifest, digest: [UInt8]) {
        guard let digest = ManifestSeal.digest(ofSealed: bytes) else {
            throw damage(path, expected: "its own SHA-256 at its end", found: "another SHA-256, or none")
        }
        var reader = ManifestReader()
        do throws(Problem) {
            var scanner = JSONScanner(bytes)
            try scanner.object { (scanner, key) throws(Problem) in try reader.field(key, &scanner) }
            try scanner.end()
        } catch {
            throw damage(path, offset: error.offset, expected: error.expected)
        }
        guard [ArchiveManifest.schema, ArchiveManifest.incrementalSchema].contains(reader.schema) else {
            throw FileProblem(
                .unsupported, path: path, "the archive has a manifest with another schema",
                expected: "\(ArchiveManifest.schema) or \(ArchiveManifest.incrementalSchema)",
                found: reader.schema,
                advice: "Use a later version of the suite, or tar or unzip")
        }
        let bases = reader.manifest.bases.count
        guard bases <= ArchiveBase.limit else {
            throw FileProblem(
                .unsupported, path: path, "the archive depends on too many others",
                expected: "at most \(ArchiveBase.limit)",
                found: "\(bases)")
        }
        // Keys may come in any order.
        let entries = reader.manifest.entries
        if let position = entries.indices.first(where: { position in
            entries.base(at: position).map { $0 < 0 || $0 >= bases } ?? false
        }) {
            let entry = entries[position]
            throw .damagedArchive(
                path, expected: "one of \(bases) earlier archives for \(entry.path)",
                found: "\(entry.base ?? 0)")
        }
        return (reader.manifest, digest)
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
                size: isFolder ? 0 : size, modified: time, digest: isFolder ? nil : digest,
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

/// The entries of a manifest, marked as seen while the members of the archive are read.
struct ManifestIndex {
    let manifest: ArchiveManifest
    /// SHA-256 of the manifest's text.
    let digest: [UInt8]
    /// Positions by path; nil if the entries are sorted by path, as in manifests that ticds wrote, and binary search
    /// finds them.
    private var positions: [RemotePath: Int]?
    private var isSeen: [Bool]
    /// The position after the entry that was taken last.
    private var next = 0

    /// The position of the entry that was taken last.
    var lastTaken: Int { next - 1 }

    /// - Throws: `.damaged` if the manifest names an entry twice.
    init(_ manifest: ArchiveManifest, digest: [UInt8] = [], path: FilePath) throws(FileProblem) {
        self.manifest = manifest
        self.digest = digest
        isSeen = Array(repeating: false, count: manifest.entries.count)
        if manifest.entries.areSorted { return }
        var positions: [RemotePath: Int] = [:]
        positions.reserveCapacity(manifest.entries.count)
        for position in manifest.entries.indices {
            let entry = manifest.entries.path(at: position)
            guard positions.updateValue(position, forKey: entry) == nil else {
                throw .damagedArchive(
                    path, expected: "each entry once in the manifest", found: "\(entry) twice")
            }
        }
        self.positions = positions
    }

    /// The position of the entry with this path.
    /// - Parameter next: the position that is compared first, since paths usually come in order.
    func position(of path: RemotePath, next: Int) -> Int? {
        let entries = manifest.entries
        if next < entries.count, entries.has(path, at: next) { return next }
        return if let positions { positions[path] } else { entries.sortedPosition(of: path) }
    }

    /// The largest number of bytes that is reserved for a manifest: as much as 250,000 entries take.
    private static let reserved: Int64 = 64 << 20

    /// Reads the manifest from the first member of an archive; nil if that is an ordinary member.
    static func read(
        _ member: ArchiveMember, _ reader: any MemberReader, path: FilePath
    ) throws(FileProblem) -> ManifestIndex? {
        guard member.kind == .file, member.name.elementsEqual(ArchiveManifest.memberName.utf8) else {
            return nil
        }
        var bytes: [UInt8] = []
        // Growing takes twice the space; a damaged header may promise any size.
        bytes.reserveCapacity(Int(clamping: max(0, min(member.size ?? 0, reserved))))
        try reader.content { (piece) throws(FileProblem) in
            guard bytes.count + piece.count <= ArchiveManifest.sizeLimit else {
                throw FileProblem(
                    .unsupported, path: path, "the manifest is too large",
                    expected: "at most \(ArchiveManifest.sizeLimit) bytes")
            }
            bytes += piece
        }
        let (manifest, digest) = try ManifestReader.read(bytes, path: path)
        return try ManifestIndex(manifest, digest: digest, path: path)
    }

    /// The entry for a member, which is marked as seen; a failure if the member does not match.
    mutating func take(_ path: RemotePath, _ member: ArchiveMember) -> Result<
        BackupEntry, MemberPath.Refusal
    > {
        guard path.names.first == manifest.application,
            let position = position(of: RemotePath(Array(path.names.dropFirst())), next: next)
        else { return .failure(.init("a member that is not in the manifest")) }
        let entry = manifest.entries[position]
        guard entry.base == nil else {
            return .failure(.init("a member that is in an earlier archive, according to the manifest"))
        }
        guard !isSeen[position] else { return .failure(.init("a member that occurs twice")) }
        isSeen[position] = true
        next = position + 1
        guard entry.isFolder == (member.kind == .folder) else {
            return .failure(.init("a member of another kind than the manifest says"))
        }
        if let size = member.size, size != entry.size {
            return .failure(.init("a member of another size than the manifest says"))
        }
        return .success(entry)
    }

    /// The entry for a member of an earlier archive, which is marked as seen; nil if the manifest does not take the
    /// file from that archive.
    mutating func take(_ path: RemotePath, fromBase number: Int) -> BackupEntry? {
        guard path.names.first == manifest.application,
            let position = position(of: RemotePath(Array(path.names.dropFirst())), next: next),
            !isSeen[position], manifest.entries.base(at: position) == number
        else { return nil }
        isSeen[position] = true
        next = position + 1
        return manifest.entries[position]
    }

    /// Entries without a member, except entries of earlier archives.
    var missing: [BackupEntry] { unmatched { manifest.entries.base(at: $0) == nil } }

    /// Entries without a member, including those of earlier archives.
    var unmatched: [BackupEntry] { unmatched { _ in true } }

    private func unmatched(_ isWanted: (Int) -> Bool) -> [BackupEntry] {
        isSeen.indices.filter { !isSeen[$0] && isWanted($0) }.map { manifest.entries[$0] }
    }
}
