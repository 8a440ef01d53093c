import Cryptography
import Glibc
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Extracts parts of an archive into a new folder that appears when they are complete and checked.
public struct ArchiveExtraction: Sendable {
    /// The files that were extracted.
    public private(set) var files = FileTotals()
    /// The manifest; nil for an archive of a different program.
    public private(set) var manifest: ArchiveManifest?
    /// Files whose times the volume could not keep.
    public private(set) var changedTimes = ChangedTimes()
    /// The damage before the companions; nil if none of them is missing because of damage.
    public private(set) var damage: FileProblem?
    /// The reason why nothing was extracted: each part was left out when the archive was made. No new folder exists
    /// then.
    public private(set) var absence: FileProblem?

    /// - Parameters:
    ///   - parts: paths below the remote: files, or folders with everything in them.
    ///   - companions: further paths, which may be missing.
    ///   - target: the new folder, outside of any remote.
    /// - Throws: `.refused` for a hostile archive or a target that exists, `.missing` if the archive lacks a part, and
    ///   `.damaged`. The target is then removed.
    public init(
        of origin: ArchiveOrigin, parts: [RemotePath], companions: [RemotePath] = [], to target: FilePath,
        limits: UnpackLimits, progress: (Int64, Int64?) -> Void = { _, _ in }
    ) throws(FileProblem) {
        let place = try AtomicOutput(target, isReplacing: false)
        try NewFile.makeFolder(place.path)
        // The umask decides about the modes, as with tar; but the files are not more readable than the archive.
        let model = try FileStatus.of(place.path)
        let selection = UnpackSelection(parts, companions: companions)
        (manifest, changedTimes) = try Unpacker.unpack(
            origin, into: place.path, model: model, limits: limits, selection: selection,
            check: { _ in }, progress: progress)
        let lacking = parts.filter { !selection.hasFound($0) }
        for part in lacking where manifest?.leftOut(at: part) == nil {
            let options = try Self.likePaths(part, in: origin, manifest)
                .map { "--path \(ShellWord.quoted($0.bytes))" }
            throw FileProblem(
                .missing, path: origin.path, "the archive does not contain \(part)",
                advice: options.isEmpty
                    ? "ticds-archive find shows what it contains"
                    : "Did you mean \(options.joined(separator: " or "))?")
        }
        if lacking.count == parts.count, let first = lacking.first.flatMap({ manifest?.leftOut(at: $0) }) {
            absence = first.problem(in: origin.path)
            return
        }
        files = selection.files
        damage = selection.damage
        if let mode = try FileStatus.ifPresent(origin.path)?.mode { try place.restrict(to: mode) }
        try place.finish()
    }
}

extension ArchiveExtraction {
    /// The file of a part in the new folder; nil if the part is a folder.
    public func file(_ part: RemotePath, in target: FilePath) throws(FileProblem) -> FilePath? {
        // Another program may have packed the remote with the folder around it, or without.
        let tops = try LocalStorage(root: target).list(.root).whole().map(\.name)
        let places = tops.map { RemotePath([$0] + part.names) } + (manifest == nil ? [part] : [])
        for place in places {
            let path = place.filePath(under: target)
            if try FileStatus.ifPresent(path)?.kind == .file { return path }
        }
        return nil
    }

    /// At most five paths of the archive that `part` may mean: it begins with the name of the application folder, is
    /// only the end of a path, or is a pattern.
    private static func likePaths(
        _ part: RemotePath, in origin: ArchiveOrigin, _ manifest: ArchiveManifest?
    ) throws(FileProblem) -> [RemotePath] {
        var entries = manifest?.entries ?? []
        if manifest == nil, case .file = origin {
            entries = try ArchiveContents(of: origin, digests: false, descriptions: false).entries
        }
        let inside = part.names.dropFirst()
        return Array(
            entries.lazy.map(\.path).filter { path in
                guard path.names.count >= inside.count, !path.names.isEmpty else { return false }
                return fits(path.names.suffix(part.names.count), part.names[...])
                    || path.names.count == inside.count && fits(path.names[...], inside)
            }.prefix(5))
    }

    /// Whether each name matches the pattern at its place.
    private static func fits(_ names: ArraySlice<RemoteName>, _ patterns: ArraySlice<RemoteName>) -> Bool {
        names.count == patterns.count
            && zip(names, patterns).allSatisfy { name, pattern in
                fnmatch(
                    pattern.bytes.map { CChar(bitPattern: $0) } + [0],
                    name.bytes.map { CChar(bitPattern: $0) } + [0], 0) == 0
            }
    }
}

/// The selection of the members of an archive to unpack, and of those that were found.
final class UnpackSelection {
    private let parts: [RemotePath]
    private let companions: [RemotePath]
    /// The damage that ended the reading before companions.
    var damage: FileProblem?
    private var found: Set<RemotePath> = []
    private(set) var files = FileTotals()
    /// Wanted entries of the manifest that have not been unpacked yet; nil without a manifest.
    private var waiting: Int?

    /// - Parameter companions: further paths that are unpacked, but may be missing.
    init(_ parts: [RemotePath], companions: [RemotePath] = []) {
        self.parts = parts + companions
        self.companions = companions
    }

    func hasFound(_ part: RemotePath) -> Bool { found.contains(part) }

    /// Whether all of these entries, which were not unpacked, are only companions.
    func lacksOnlyCompanions(_ missing: [BackupEntry]) -> Bool {
        missing.allSatisfy { entry in
            part(of: entry.path) == nil || companions.contains { Self.lies(entry.path, in: $0) }
        }
    }

    /// Whether everything wanted was unpacked, so that the rest of the archive does not matter.
    var isComplete: Bool { waiting == 0 }

    func begin(_ manifest: ArchiveManifest) {
        waiting = manifest.entries.indices.count { part(of: manifest.entries.path(at: $0)) != nil }
    }

    /// Whether to unpack a member.
    /// - Parameter path: the path in the archive, where the application identifier comes first, except in some archives
    ///   of other programs.
    func wants(_ path: RemotePath, isFolder: Bool, hasManifest: Bool) -> Bool {
        let candidates = Self.candidates(path, hasManifest)
        return candidates.contains { part(of: $0) != nil }
            || isFolder && candidates.contains { outer in parts.contains { Self.lies($0, in: outer) } }
    }

    /// Records that a member was unpacked.
    /// - Parameter size: the size in bytes; nil for a folder.
    func add(_ path: RemotePath, _ size: Int64?, hasManifest: Bool) {
        guard let part = Self.candidates(path, hasManifest).lazy.compactMap(part).first else { return }
        found.insert(part)
        if let size { files.add(size) }
        waiting = waiting.map { $0 - 1 }
    }

    private static func candidates(_ path: RemotePath, _ hasManifest: Bool) -> [RemotePath] {
        let inside = RemotePath(Array(path.names.dropFirst()))
        return hasManifest ? [inside] : [inside, path]
    }

    private func part(of path: RemotePath) -> RemotePath? { parts.first { Self.lies(path, in: $0) } }

    private static func lies(_ path: RemotePath, in folder: RemotePath) -> Bool {
        path.names.starts(with: folder.names)
    }
}
