import Base
import Cryptography
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Reads an archive to its end, and compares it with its manifest.
public struct ArchiveCheck: Sendable {
    /// A fault of one member.
    public struct Finding: Sendable, Hashable {
        /// The name in the archive, byte for byte.
        public var name: [UInt8]
        /// The fault, in words.
        public var problem: String
    }

    /// The manifest; nil for an archive of a different program, and if it is damaged.
    public private(set) var manifest: ArchiveManifest?
    /// Whether the archive has an unusable manifest, so that it is unknown whether the files are right.
    public private(set) var hasDamagedManifest = false
    /// "tar" or "zip".
    public private(set) var form = ""
    /// The intact files; with a manifest, those with the right SHA-256.
    public private(set) var whole = FileTotals()
    /// Their paths below the remote; without a manifest, their names in the archive.
    public var intact: [RemotePath] {
        manifest.map { manifest in intactEntries.map { manifest.entries.path(at: $0) } } ?? intactMembers
    }
    /// The same without a manifest, and as positions in the manifest.
    private var intactMembers: [RemotePath] = []
    private var intactEntries: [Int] = []
    /// Folders that were read.
    public private(set) var folders = 0
    /// The faults of members.
    public private(set) var findings: [Finding] = []
    /// Entries of the manifest that are not in the archive or, if it has an ``end``, could not be read.
    public private(set) var missing: [BackupEntry] = []
    /// The reason why the archive could not be read to its end; nil if it was.
    public private(set) var end: FileProblem?
    /// The commands that extract the most files from the archive if it is damaged.
    package private(set) var salvage: ArchiveSalvage
    /// The errors of earlier archives on which it depends and that cannot be used or are damaged.
    public private(set) var brokenBases: [FileProblem] = []

    /// The number of files of the manifest that are not intact; nil without a manifest.
    public var lostFiles: Int? { manifest.map { $0.totals.count -| whole.count } }

    /// Whether the archive is undamaged and complete, with the earlier archives on which it depends.
    public var isWhole: Bool { findings.isEmpty && missing.isEmpty && end == nil && brokenBases.isEmpty }

    /// The first fault, as an error of the archive at `path`; nil if the archive is whole.
    func problem(of path: FilePath) -> FileProblem? {
        if isWhole { return nil }
        if let problem = brokenBases.first { return problem }
        let fault = findings.first.map { "\(escapedName($0.name)): \($0.problem)" }
        let missing = missing.first.map { "no member \($0.path)" }
        return .damagedArchive(path, found: end?.problem ?? fault ?? missing)
    }

    /// Reads the archive.
    /// - Parameters:
    ///   - bases: the folder of the earlier archives on which it depends; nil for the folder of the archive.
    ///   - readsBases: whether to read the files that these contain; otherwise only their manifests are compared.
    ///   - progress: gets the bytes of files that were read, and the bytes of all files if there is a manifest.
    /// - Throws: `.unsupported` for a file that is not an archive; `.limit` without enough memory, which says nothing about
    ///   the archive.
    public init(
        _ origin: ArchiveOrigin, bases: FilePath? = nil, readsBases: Bool = true,
        progress: (Int64, Int64?) -> Void = { _, _ in }
    ) throws(FileProblem) {
        let reader = try origin.open()
        form = reader.form
        salvage = reader.salvage(isReadToEnd: true)
        var index: ManifestIndex?
        var isFirst = true
        var total: Int64?
        do throws(FileProblem) {
            while let member = try reader.next() {
                if isFirst {
                    isFirst = false
                    index = try readManifest(member, reader, origin.path)
                    manifest = index?.manifest
                    total = manifest?.totals.bytes
                    if index != nil || hasDamagedManifest { continue }
                }
                try check(member, reader, origin.path, &index)
                progress(whole.bytes, total)
            }
        } catch {
            if error.kind == .limit || isFirst && error.kind != .damaged { throw error }
            end = error
            salvage = reader.salvage(isReadToEnd: false)
        }
        missing = index?.missing ?? []
        guard var entries = index, !entries.manifest.bases.isEmpty else { return }
        let chain = try ArchiveChain(entries.manifest, of: origin, in: bases)
        guard readsBases else {
            brokenBases = chain.problems
            return
        }
        let all = total
        for number in entries.manifest.bases.indices {
            do throws(FileProblem) {
                try check(chain.open(number), number, &entries) { progress($0, all) }
            } catch {
                if error.kind == .limit { throw error }
                brokenBases.append(error)
            }
        }
        // The error of an unusable archive is enough.
        if brokenBases.isEmpty { missing += entries.unmatched.filter { $0.base != nil } }
    }

    /// Reads the manifest, if the member is one. A damaged manifest becomes a finding: the other members may be
    /// readable.
    private mutating func readManifest(
        _ member: ArchiveMember, _ reader: any MemberReader, _ path: FilePath
    ) throws(FileProblem) -> ManifestIndex? {
        do throws(FileProblem) {
            return try ManifestIndex.read(member, reader, path: path)
        } catch {
            guard [.damaged, .unsupported].contains(error.kind) else { throw error }
            hasDamagedManifest = true
            let place = error.offset.map { " at byte \($0)" } ?? ""
            let detail = error.found ?? error.expected.map { "expected \($0)" }
            let what = error.kind == .damaged ? "damaged" : error.problem
            find(member, what + place + (detail.map { " (\($0))" } ?? ""))
            return nil
        }
    }

    /// Reads the files that an earlier archive contains.
    private mutating func check(
        _ opened: ArchiveChain.Opened, _ number: Int, _ entries: inout ManifestIndex,
        _ progress: (Int64) -> Void
    ) throws(FileProblem) {
        while let member = try opened.reader.next() {
            guard member.kind == .file, case .success(let path) = MemberPath.path(of: member.name),
                let expected = entries.take(path, fromBase: number)
            else { continue }
            try compare(member, opened.reader, expected, at: entries.lastTaken, opened.path, isBase: true)
            progress(whole.bytes)
        }
    }

    private mutating func check(
        _ member: ArchiveMember, _ reader: any MemberReader, _ path: FilePath,
        _ index: inout ManifestIndex?
    ) throws(FileProblem) {
        var expected: BackupEntry?
        switch MemberPath.path(of: member.name) {
        case .failure(let refusal): find(member, refusal.problem)
        case .success(let place):
            if case .other(let kind) = member.kind { find(member, kind) }
            if var entries = index {
                index = nil
                switch entries.take(place, member) {
                case .success(let entry): expected = entry
                case .failure(let refusal): find(member, refusal.problem)
                }
                index = entries
            }
        }
        if let expected, let fault = reader.timeFault(member, expected) {
            find(member, fault)
            if member.kind == .file { return }
        }
        guard member.kind == .file else {
            if member.kind == .folder { folders += 1 }
            return
        }
        try compare(member, reader, expected, at: index?.lastTaken, path)
    }

    /// Compares the bytes of a file with its entry.
    /// - Parameters:
    ///   - position: the position of the entry in the manifest.
    ///   - path: the archive that contains the file.
    ///   - isBase: whether it is an earlier archive.
    private mutating func compare(
        _ member: ArchiveMember, _ reader: any MemberReader, _ expected: BackupEntry?,
        at position: Int?, _ path: FilePath, isBase: Bool = false
    ) throws(FileProblem) {
        let place = isBase ? " in \(path)" : ""
        var hash = try SHA256(for: path)
        var size: Int64 = 0
        do throws(FileProblem) {
            try reader.content { piece in
                hash.update(piece)
                size += Int64(piece.count)
            }
        } catch {
            if error.kind == .limit { throw error }
            find(member, "damaged\(place) (\(error.found ?? error.problem))")
            return
        }
        if let digest = expected?.digest, let expected {
            guard size == expected.size else {
                return find(member, "\(size) bytes\(place), and not \(expected.size)")
            }
            guard hash.finalize() == digest else {
                return find(member, "other bytes\(place) than those that were archived (SHA-256)")
            }
        }
        guard manifest == nil || expected != nil else { return }
        whole.add(size)
        if expected != nil, let position {
            intactEntries.append(position)
        } else {
            intactMembers.append(RemotePath([RemoteName(member.name)]))
        }
    }

    private mutating func find(_ member: ArchiveMember, _ problem: String) {
        findings.append(Finding(name: member.name, problem: problem))
    }
}
