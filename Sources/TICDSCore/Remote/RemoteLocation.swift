import Base
public import SystemCalls
public import SystemPackage

/// Finds the remote that the user means by a path.
public enum RemoteLocation {
    /// The remote at `named`: the folder itself, or the only remote among its subfolders.
    ///
    /// - Throws: `.ambiguous` if several subfolders are remotes, `.notARemote` if none is.
    public static func find(_ named: FilePath) throws(FileProblem) -> FilePath {
        let path = try named.lastComponent?.kind == .regular ? named : named.resolved() ?? named
        let storage = LocalStorage(root: path)
        let contents: FolderContents
        do { contents = try storage.list(.root) } catch { throw notAFolder(path, error) }
        if isRemote(contents.listing) { return path }
        let top = try contents.whole()
        do throws(FileProblem) {
            return try find(in: path, top) { (folder) throws(FileProblem) in
                try storage.entriesIfPresent(of: folder)
            }.filePath(under: path)
        } catch {
            guard error.kind == .notARemote else { throw error }
            let deeper = remotesTwoFoldersDown(top, storage).map { $0.filePath(under: path).escaped }
            if deeper.isEmpty { throw error }
            var problem = error
            problem.advice = "Did you mean \(deeper.prefix(3).joined(separator: " or "))?"
            if deeper.count > 1 {
                problem.advice =
                    "\(problem.advice ?? "") To work with all: ticds-fleet scan \(ShellWord.quoted(path))"
            }
            throw problem
        }
    }

    /// Finds the remote in a folder of any storage.
    /// - Parameters:
    ///   - path: the folder, for errors.
    ///   - top: its entries.
    ///   - entries: lists a subfolder.
    /// - Returns: the path of the remote below the folder.
    public static func find(
        in path: FilePath, _ top: FolderListing, _ entries: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) -> RemotePath {
        if isRemote(top) { return .root }
        let candidates = try remotes(in: top, entries)
        switch candidates.count {
        case 1: return candidates[0]
        case 0: throw notARemote(path)
        default:
            let names = candidates.map(\.description).joined(separator: ", ")
            throw FileProblem(
                .ambiguous, path: path, "contains several remotes", expected: "one remote", found: names,
                advice: "Name one of them, or work with all: ticds-fleet scan \(ShellWord.quoted(path))")
        }
    }

    /// The nearest folder above `file` that has a salt, or that looks like a remote; nil for a file by itself.
    /// - Throws: the error of examining a folder.
    public static func remote(around file: FilePath) throws(FileProblem) -> FilePath? {
        let absolute = try file.isAbsolute ? file.lexicallyNormalized() : file.resolved() ?? file
        var folder = absolute.removingLastComponent()
        for _ in 0..<64 where !folder.components.isEmpty {
            // The user may have no permission to list folders above, so this opens none of them.
            let salt = RemoteLayout.saltPath.filePath(under: folder)
            if try FileStatus.ifPresent(salt) != nil { return folder }
            let devices: RemotePath = [RemoteLayout.clientDevices]
            if try FileStatus.ifPresent(devices.filePath(under: folder))?.kind == .folder { return folder }
            folder = folder.removingLastComponent()
        }
        return nil
    }

    /// Whether a folder contains `ClientDevices`, `Documents` or both. A damaged remote may lack one of them.
    package static func isRemote(_ listing: FolderListing) -> Bool {
        listing[RemoteLayout.clientDevices]?.kind == .folder
            || listing[RemoteLayout.documents]?.kind == .folder
    }

    /// Subfolders that are remotes. Many other folders contain a `Documents`, so if some subfolders have both folders,
    /// only these count.
    private static func remotes(
        in listing: FolderListing, _ entries: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) -> [RemotePath] {
        var whole: [RemotePath] = []
        var damaged: [RemotePath] = []
        for position in listing.indices where listing.kind(at: position) == .folder {
            let path: RemotePath = [listing[position].name]
            let inside = try self.entries(of: path, entries)
            guard isRemote(inside) else { continue }
            if isWhole(inside) { whole.append(path) } else { damaged.append(path) }
        }
        return whole.isEmpty ? damaged : whole
    }

    /// The folders below a folder that contain both parts of a remote, by path, without those in other remotes.
    package static func remotes(
        below folder: RemotePath, _ entries: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) -> [RemotePath] {
        let listing = try entries(folder)
        if isWhole(listing) { return [folder] }
        var found: [RemotePath] = []
        for entry in listing where entry.kind == .folder && folder.names.count < RemoteScanner.deepestFolder {
            found += try remotes(below: folder.appending(entry.name), entries)
        }
        return found
    }

    private static func isWhole(_ listing: FolderListing) -> Bool {
        listing[RemoteLayout.clientDevices]?.kind == .folder
            && listing[RemoteLayout.documents]?.kind == .folder
    }

    /// Remotes in the subfolders of subfolders, for advice only. At most 200 folders are listed, links are not followed,
    /// and a folder that cannot be listed counts as empty.
    private static func remotesTwoFoldersDown(
        _ top: FolderListing, _ storage: some RemoteStorage
    ) -> [RemotePath] {
        var rest = 200
        func folders(in listing: FolderListing) -> [RemoteName] {
            listing.filter { $0.kind == .folder && !$0.name.isHidden }.map(\.name)
        }
        func entries(of path: RemotePath) -> FolderListing {
            guard rest > 0 else { return FolderListing() }
            rest -= 1
            // try?: advice offers what it can
            return (try? storage.entriesIfPresent(of: path)) ?? FolderListing()
        }
        var found: [RemotePath] = []
        for outer in folders(in: top) where rest > 0 {
            for inner in folders(in: entries(of: [outer])) where isWhole(entries(of: [outer, inner])) {
                found.append([outer, inner])
            }
        }
        return found
    }

    /// The entries of a subfolder. A folder that cannot be listed may also be a remote, so the search fails. Hidden
    /// folders and `lost+found` are not remotes.
    private static func entries(
        of path: RemotePath, _ entries: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) -> FolderListing {
        do throws(FileProblem) {
            return try entries(path)
        } catch {
            if let name = path.last, name.isHidden || name == "lost+found" { return FolderListing() }
            var problem = error
            problem.advice = "It may be a remote, too: name the application's folder that you mean"
            throw problem
        }
    }

    /// Refuses to make a new folder inside a remote.
    package static func refuseInside(_ place: FilePath, _ problem: String) throws(FileProblem) {
        guard let other = try remote(around: place) else { return }
        throw FileProblem(
            .refused, path: place, problem, found: "\(other)",
            advice: "Foreign folders harm the clients; name a folder elsewhere")
    }

    private static func notARemote(_ path: FilePath) -> FileProblem {
        FileProblem(
            .notARemote, path: path, "is not a remote",
            expected: "a folder with ClientDevices and Documents in it", found: ForeignContent.of(path)?.name,
            advice: "Name the application's folder inside the sync folder, or the folder that contains it")
    }

    private static func notAFolder(_ path: FilePath, _ error: FileProblem) -> FileProblem {
        // try?: the first error counts
        guard let status = try? FileStatus.of(path), status.kind != .folder, status.kind != .symbolicLink
        else { return error }
        let content = ForeignContent.of(path)
        let isStore = beginsLikeStore(path)
        return FileProblem(
            .notARemote, path: path, "is not a remote",
            expected: "a folder with ClientDevices and Documents in it",
            found: content?.name ?? (isStore ? "an SQLite or binary store" : "a file"),
            advice: content?.advice
                ?? (isStore
                    ? "ticds-store info shows what it is, ticds-store check what is wrong, and ticds-store export its data"
                    : "Name the application's folder inside the sync folder"))
    }

    private static func beginsLikeStore(_ path: FilePath) -> Bool {
        // try?: this only explains another error
        guard let head = try? FileBytes.head(path, count: 16) else { return false }
        let start = head.array(0..<head.count)
        return ["SQLite format 3\0", "CoreData"].contains { start.starts(with: $0.utf8) }
    }
}
