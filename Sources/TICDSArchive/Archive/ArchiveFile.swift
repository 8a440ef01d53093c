public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Writes an archive into a private folder, forces it to disk with fsync(2), and then gives it its name with rename(2).
public enum ArchiveFile {
    /// How often an export begins again because files changed meanwhile.
    private static let attempts = 3

    /// Exports to the file `path`. After an error a file of that name is unchanged, and no new one exists. The last
    /// attempt leaves out files that keep changing, and the manifest names them.
    /// - Parameters:
    ///   - isReplacing: whether to replace a file of that name.
    ///   - prefix: the beginning of the name of the private folder beside it.
    ///   - listing: a recent listing of the remote, for the first attempt.
    ///   - check: checks the complete archive before it gets its name; an error ends the export.
    /// - Returns: the manifest of the archive.
    public static func export(
        _ exporter: ArchiveExporter, to path: FilePath, isReplacing: Bool = false,
        prefix: String = ".ticds-archive", listing: RemoteSnapshot? = nil,
        check: (FilePath) throws(FileProblem) -> Void = { _ in }
    ) throws(FileProblem) -> ArchiveManifest {
        guard let name = path.lastComponent, name.kind == .regular else {
            throw FileProblem(.writeFailed, path: path, "not the name of a file")
        }
        let folder = try OwnedDescriptor.folder(path.parent)
        let final = FilePath(nameBytes: name.bytes)
        if try folder.exists(final) {
            let kind = try folder.status(of: final).kind
            guard isReplacing, kind == .file else { throw taken(path, kind) }
        }
        let aside = try TemporaryFolder(in: path.parent, prefix: prefix)
        defer { withExtendedLifetime(aside) {} }
        let place = try OwnedDescriptor.folder(aside.path)
        let manifest = try write(exporter, aside.path.appending("archive"), named: path, listing)
        try check(aside.path.appending("archive"))
        if isReplacing {
            try place.replace(final, in: folder, by: "archive")
        } else {
            try place.move("archive", to: folder, as: final)
        }
        try folder.sync()
        return manifest
    }

    private static func write(
        _ exporter: ArchiveExporter, _ file: FilePath, named path: FilePath, _ listing: RemoteSnapshot?
    ) throws(FileProblem) -> ArchiveManifest {
        var changed: Set<FilePath> = []
        for attempt in 1..<attempts {
            do throws(FileProblem) {
                return try writeOnce(
                    exporter, file, named: path, listing: attempt == 1 ? listing : nil)
            } catch  where error.kind == .changedWhileReading {
                changed.insert(error.path)
            }
        }
        return try writeOnce(exporter, file, named: path, avoiding: changed)
    }

    private static func writeOnce(
        _ exporter: ArchiveExporter, _ file: FilePath, named path: FilePath, avoiding: Set<FilePath> = [],
        listing: RemoteSnapshot? = nil
    ) throws(FileProblem) -> ArchiveManifest {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                file, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw .writing(error as? Errno ?? .ioError, call: "open", path: path)
        }
        defer { try? descriptor.close() }  // try?: forced to disk before, below
        let manifest = try exporter.write(
            to: descriptor, path: path, avoidingFiles: avoiding, listing: listing)
        try OwnedDescriptor.file(file).sync()
        return manifest
    }

    private static func taken(_ path: FilePath, _ kind: FileKind) -> FileProblem {
        FileProblem(
            .refused, path: path, kind == .file ? "a file with that name already exists" : "not a file",
            advice: kind == .file ? "Choose another name, or replace it with --force" : nil)
    }
}
