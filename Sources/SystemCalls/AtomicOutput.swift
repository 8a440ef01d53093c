public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file or folder outside of any remote that appears under its name only when it is complete. It is made in a private
/// folder beside its target, forced to disk, and then renamed. If anything fails before the rename, nothing is left.
public struct AtomicOutput: Sendable {
    /// The final path.
    public let target: FilePath
    /// The path under which the caller makes the file or folder; nothing exists there yet.
    public let path: FilePath
    private let folder: TemporaryFolder
    private let isReplacing: Bool

    /// - Parameter isReplacing: whether an entry with the name of `target` may be replaced.
    /// - Throws: `.refused` if `target` exists and may not be replaced; `.missing` without a folder to contain it.
    public init(_ target: FilePath, isReplacing: Bool) throws(FileProblem) {
        guard let name = target.lastComponent, name.kind == .regular else {
            throw FileProblem(.refused, path: target, "not the name of a new file or folder")
        }
        self.target = target
        self.isReplacing = isReplacing
        let open = try OwnedDescriptor.folder(target.parent)
        if try open.exists(FilePath(nameBytes: name.bytes)), !isReplacing { throw Self.exists(target) }
        folder = try TemporaryFolder(in: target.parent, prefix: ".ticds")
        path = folder.path.appending(name)
    }

    /// The path of a further file in the private folder.
    public func aside(_ name: String) -> FilePath { folder.path.appending(name) }

    /// Forces the file or folder to disk and renames it to its target.
    public func finish() throws(FileProblem) {
        try Self.synchronise(path)
        let open = try OwnedDescriptor.folder(target.parent)
        let inside = try OwnedDescriptor.folder(folder.path)
        let name = FilePath(nameBytes: target.lastComponent?.bytes ?? [])
        if try open.exists(name) {
            guard isReplacing else { throw Self.exists(target) }
            if try open.status(of: name).kind == .file, try inside.status(of: name).kind == .file {
                try inside.replace(name, in: open, by: name)
                return try open.sync()
            }
            try open.move(name, to: inside, as: "replaced")
            do throws(FileProblem) {
                try inside.move(name, to: open, as: name)
            } catch {
                try? inside.move("replaced", to: open, as: name)  // try?: the caller gets the first error
                throw error
            }
        } else {
            try inside.move(name, to: open, as: name)
        }
        try open.sync()
    }

    /// Forces a file, or a folder with everything in it, to disk.
    private static func synchronise(_ path: FilePath) throws(FileProblem) {
        guard try FileStatus.of(path).kind == .folder else { return try OwnedDescriptor.file(path).sync() }
        let open = try OwnedDescriptor.folder(path)
        var names: [FilePath] = []
        try DirectoryReader.forEachEntry(of: open) { name, _ in names.append(FilePath(nameBytes: name)) }
        for name in names { try synchronise(path.pushing(name)) }
        try open.sync()
    }

    private static func exists(_ target: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: target, "something with that name already exists",
            advice: "Choose another name, or replace it with --force")
    }
}
