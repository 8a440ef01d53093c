public import SystemCalls
public import SystemPackage
public import TICDSCore

/// An archive as a file: written aside, forced to disk, and only then given its name.
public enum ArchiveFile {
    /// How often an export begins anew because files changed under it.
    private static let attempts = 3

    /// Exports to the file `path`, or throws and leaves nothing of that name behind, and what was there untouched. Files
    /// that keep changing are left out in the end, and named in the manifest.
    /// - Parameters:
    ///   - isReplacing: whether an archive of that name may go.
    ///   - prefix: what the name of the private folder beside it begins with.
    ///   - listing: the remote as it was listed just before, for the first attempt.
    ///   - check: looks at the whole archive before it gets its name, and throws where that is not to be.
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
