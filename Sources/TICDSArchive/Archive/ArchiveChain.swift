import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// An earlier archive that contains files of an incremental archive (ticds-archive-format(5)).
public struct ArchiveBase: Sendable, Hashable {
    /// The name of its file, in the folder of the archive that depends on it.
    public var name: RemoteName
    /// SHA-256 of the text of its manifest.
    public var digest: [UInt8]

    /// The largest number of earlier archives on which an archive can depend.
    public static let limit = 100
}

/// Opens the earlier archives on which an archive depends. Each must be the right one: its manifest has the digest that
/// the later archive names.
struct ArchiveChain {
    private let manifest: ArchiveManifest
    private let archive: FilePath
    /// The folder of the archives; nil for an archive from standard input.
    private let folder: FilePath?

    /// - Parameter folder: the folder of the earlier archives; nil for the folder of the archive.
    init(_ manifest: ArchiveManifest, of origin: ArchiveOrigin, in folder: FilePath? = nil)
        throws(FileProblem)
    {
        self.manifest = manifest
        archive = origin.path
        switch origin {
        case .standardInput: self.folder = folder
        case .file(let path), .plainFile(let path):
            // For a link, the archives beside its target count.
            if let folder { self.folder = folder } else { self.folder = (try path.resolved() ?? path).parent }
        }
    }

    /// An open earlier archive, positioned after its manifest.
    struct Opened {
        let reader: any MemberReader
        let path: FilePath
    }

    /// - Throws: `.missing` if the archive does not exist, `.refused` if a different archive has its name.
    func open(_ number: Int) throws(FileProblem) -> Opened {
        let base = manifest.bases[number]
        guard let folder else {
            throw FileProblem(
                .refused, path: archive,
                "the archive depends on an earlier one, which standard input does not have",
                expected: base.name.description, advice: "Put both into one folder, and name the file")
        }
        let path = folder.pushing(FilePath(nameBytes: base.name.bytes))
        let count = manifest.entries.indices.count { manifest.entries.base(at: $0) == number }
        let files = counted(count, "file")
        do throws(FileProblem) {
            let opened = try Self.read(path)
            guard opened.index.digest == base.digest,
                opened.index.manifest.application == manifest.application
            else {
                throw FileProblem(
                    .refused, path: path, "is another archive than the one on which \(archive) rests",
                    expected: "a manifest with the SHA-256 \(hexadecimalDigits(of: base.digest))",
                    found: hexadecimalDigits(of: opened.index.digest),
                    advice:
                        "Find the archive that had this name, and put it there: it has \(files) of the later one"
                )
            }
            return Opened(reader: opened.reader, path: path)
        } catch {
            guard error.kind == .missing else { throw error }
            let renamed = renamed(base, in: folder)
            throw FileProblem(
                .missing, path: path, "this earlier archive is missing, and \(archive) depends on it",
                found: renamed.map {
                    "the same archive under another name, \(escapedName($0.lastComponent?.bytes ?? []))"
                },
                advice: renamed.map {
                    "Give it its former name: mv \(ShellWord.quoted($0)) \(ShellWord.quoted(path))"
                } ?? "Put it back there: it has \(files) of the later one")
        }
    }

    /// The path of a missing earlier archive if it was renamed, as when an archive gets, loses or changes its tag. Only
    /// names that begin alike count, so that few archives are opened.
    private func renamed(_ base: ArchiveBase, in folder: FilePath) -> FilePath? {
        guard let ending = ArchiveForm.ending(of: base.name) else { return nil }
        let stem = base.name.bytes.dropLast(ending.utf8.count)
        let start = stem.lastIndex(of: UInt8(ascii: "+")).map { stem[..<$0] } ?? stem
        guard !start.isEmpty else { return nil }
        var paths: [FilePath] = []
        // try?: only the hint is missing then, in an error that is reported anyway
        try? DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(folder)) { name, status in
            guard case .success(let status) = status, status.kind == .file, name.starts(with: start),
                ArchiveForm.ending(of: RemoteName(name)) != nil, paths.count < 10
            else { return }
            paths.append(folder.pushing(FilePath(nameBytes: name)))
        }
        // try?: as above
        return paths.first { (try? Self.read($0))?.index.digest == base.digest }
    }

    /// The problems of the earlier archives that cannot be used. Reads only their manifests.
    var problems: [FileProblem] {
        manifest.bases.indices.compactMap { number in
            do throws(FileProblem) {
                _ = try open(number)
                return nil
            } catch { return error }
        }
    }

    /// Opens an archive with a manifest.
    fileprivate static func read(
        _ path: FilePath
    ) throws(FileProblem) -> (reader: any MemberReader, index: ManifestIndex) {
        let origin = ArchiveOrigin.plainFile(path)
        let reader = try origin.open()
        guard let member = try reader.next(), let index = try ManifestIndex.read(member, reader, path: path)
        else {
            throw FileProblem(
                .refused, path: path, "the archive has no manifest, so that nothing shows what is in it",
                advice: "Only archives of this suite can be the base of others")
        }
        return (reader, index)
    }
}

/// The archive on which a new one will depend: files that are unchanged since then stay in it.
public struct EarlierArchive: Sendable {
    /// The path of its file.
    public let path: FilePath
    /// The archive itself, and the archives on which it depends.
    let bases: [ArchiveBase]
    private let index: ManifestIndex

    var manifest: ArchiveManifest { index.manifest }

    /// Reads the manifest of an archive. ``problem(progress:)`` reads the rest.
    /// - Throws: `.missing` if the file does not exist; `.refused` for an archive without a manifest; `.unsupported` or
    ///   `.damaged` for an archive that cannot be read.
    public init(_ path: FilePath) throws(FileProblem) {
        guard let place = try path.resolved() else {
            throw FileProblem(
                .missing, path: path, "there is no such archive",
                advice: "Check the name, or leave out --base for a full archive")
        }
        index = try ArchiveChain.read(place).index
        self.path = place
        bases =
            [ArchiveBase(name: RemoteName(place.lastComponent?.bytes ?? []), digest: index.digest)]
            + index.manifest.bases
    }

    /// The names of the archives on which a new one may depend.
    public var names: Set<RemoteName> { Set(bases.map(\.name)) }

    /// The number of earlier archives on which it depends.
    public var chainLength: Int { manifest.bases.count }

    /// The reason why its files could not be restored; nil if this archive, and the files of it in earlier archives,
    /// were read to their ends and agree with its manifest. A failing disk changes neither the size nor the time of a
    /// file, so that only reading shows whether a new archive can depend on this one.
    public func problem(progress: (Int64, Int64?) -> Void = { _, _ in }) -> FileProblem? {
        do throws(FileProblem) {
            return try ArchiveCheck(.plainFile(path), progress: progress).problem(of: path)
        } catch { return error }
    }

    /// - Throws: `.refused` for a new archive that could not find this one, or would replace it; `.limit` if the chain
    ///   already has the largest allowed length.
    public func check(for file: FilePath, of application: RemoteName) throws(FileProblem) {
        guard bases.count <= ArchiveBase.limit else {
            throw FileProblem(
                .limit, path: path, "the archive depends on \(counted(chainLength, "earlier archive"))",
                expected: "fewer than \(ArchiveBase.limit)", advice: "Write a full archive, without --base")
        }
        guard manifest.application == application else {
            throw FileProblem(
                .refused, path: path, "is an archive of another application",
                expected: application.description,
                found: manifest.application.description,
                advice: "Name the archive of this application, or export without --base")
        }
        guard try file.parent.resolved() == path.removingLastComponent() else {
            throw FileProblem(
                .refused, path: file, "lies in another folder than the archive on which it would rest",
                expected: "a file in \(path.removingLastComponent())",
                advice: "Keep the archives of a chain together")
        }
        if bases.contains(where: { $0.name.bytes == file.lastComponent?.bytes }) { throw Self.replaced(file) }
    }

    /// Refuses a new archive of the same name. For an earlier archive that cannot be read, only its own name is known.
    /// - Throws: `.refused` for a new archive of the same name.
    public static func checkNames(_ file: FilePath, replacing path: FilePath) throws(FileProblem) {
        guard let new = try file.resolved(), new == (try path.resolved()) else { return }
        throw replaced(file)
    }

    private static func replaced(_ file: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: file, "the new archive would replace one on which it rests",
            advice: "Choose another name")
    }

    /// Checks again before the new archive gets its name, since an archive on which it depends may have been moved.
    public func checkAgain() throws(FileProblem) {
        guard try ArchiveChain.read(path).index.digest == bases[0].digest else {
            throw FileProblem(
                .changedWhileReading, path: path, "the earlier archive was replaced while it was read",
                advice: "Try again")
        }
        if let problem = try ArchiveChain(manifest, of: .plainFile(path)).problems.first { throw problem }
    }

    /// The position in ``bases`` of the archive that has these bytes at this path; nil if none has.
    /// - Parameter next: where the path is searched first: after the last one that was found.
    fileprivate func place(of entry: BackupEntry, next: inout Int) -> Int? {
        let entries = index.manifest.entries
        guard !entry.isFolder, let position = position(of: entry.path, next: &next) else { return nil }
        guard entries.digest(at: position) == entry.digest, entries.size(at: position) == entry.size else {
            return nil
        }
        return entries.base(at: position).map { $0 + 1 } ?? 0
    }

    /// The position in the manifest of the file with this path.
    /// - Parameter next: where the path is searched first: after the last one that was found.
    func position(of path: RemotePath, next: inout Int) -> Int? {
        guard let position = index.position(of: path, next: next),
            !index.manifest.entries.isFolder(at: position)
        else { return nil }
        next = position + 1  // bounded: a position
        return position
    }

    /// The digest of the file at a position; nil if it has another size or time.
    func digest(at position: Int, _ size: Int64, _ modified: FileTime) -> [UInt8]? {
        let entries = index.manifest.entries
        guard entries.size(at: position) == size, entries.modified(at: position) == modified else {
            return nil
        }
        return entries.digest(at: position)
    }

    /// The number of entries of the manifest.
    var entryCount: Int { index.manifest.entries.count }

    /// The marks of its files; nil if the cache has none.
    func marks(in cache: FilePath) -> ArchiveMarks? {
        ArchiveMarks.read(cache, manifest: index.digest, count: entryCount)
    }
}

extension ArchiveManifest {
    /// Makes this the manifest of an archive that depends on `earlier`, without the files that an earlier archive contains.
    /// Only archives with such files are bases.
    mutating func rest(on earlier: EarlierArchive) {
        var next = 0
        let places = entries.map { earlier.place(of: $0, next: &next) }
        let used = Set(places.compactMap(\.self)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(used, used.indices))
        bases = used.map { earlier.bases[$0] }
        for (position, place) in places.enumerated() {
            entries.set(base: place.flatMap { numbers[$0] }, at: position)
        }
    }

    /// The files that are in the archive itself.
    public var stored: FileTotals { entries.totals { entries.base(at: $0) == nil } }
}
