public import SystemCalls
public import SystemPackage

/// Replaces a store by a different file.
///
/// The new file gets the permissions of the old one. The replacement locks out other programs and saves their pending
/// writes, removes the log, and renames the new file. After a failure or crash at any step, either the old store or the
/// new one is in place, complete. Open readers detect the replaced file (`SQLiteStoreFile.checkUnchanged`).
public struct StoreReplacement: Sendable {
    /// The store to replace.
    public let store: FilePath
    /// The time to wait for other programs, in seconds.
    public var waiting = 5.0
    /// Called after each step; tests interrupt the replacement here.
    var reached: @Sendable (Step) throws(FileProblem) -> Void = { _ in }

    enum Step: String, Sendable, CaseIterable {
        case newSaved, oldSaved, oldKept, logRemoved, switched, synchronised
    }

    /// - Parameter store: the file to replace, or to create if it does not exist.
    public init(_ store: FilePath) { self.store = store }

    /// Replaces the store by the file `new`, which must be on the same volume and is moved.
    /// - Parameter kept: a new name for the old store, on the same volume; it must not exist.
    /// - Throws: `.refused` if another program has one of the stores open; `.writeFailed`. The old store is then in
    ///   place with everything that was saved.
    public func replace(with new: FilePath, keepingOldAs kept: FilePath? = nil) throws(FileProblem) {
        try checkPlaces(new)
        do { _ = try PendingWrites(saving: new, waiting: waiting) }
        try StoreFiles.checkAlone(new)
        try OwnedDescriptor.file(new).sync()
        try reached(.newSaved)
        guard try FileStatus.ifPresent(store) != nil else {
            try StoreFiles.checkAlone(store)
            try take(new, old: nil)
            return
        }
        let lock = try PendingWrites(saving: store, waiting: waiting, keepsLog: true)
        try reached(.oldSaved)
        try replaceLocked(with: new, kept)
        _ = consume lock
    }

    /// Replaces the store while other programs are locked out of the old one.
    private func replaceLocked(with new: FilePath, _ kept: FilePath?) throws(FileProblem) {
        try NewFile.copyMode(of: store, to: new)
        let old = kept ?? StoreFiles.hidden(store)
        if kept == nil { StoreFiles.remove(old) }
        try StoreFiles.link(store, as: old)
        do throws(FileProblem) {
            try reached(.oldKept)
            try StoreFiles.removeLogs(of: store)
            try reached(.logRemoved)
            try take(new, old: old)
        } catch {
            StoreFiles.remove(old)
            throw error
        }
        if kept == nil { StoreFiles.remove(old) }
    }

    /// Renames the new store. If the rename cannot be forced to disk, restores the old store.
    private func take(_ new: FilePath, old: FilePath?) throws(FileProblem) {
        try NewFile.rename(new, to: store)
        do throws(FileProblem) {
            try reached(.switched)
            try OwnedDescriptor.folder(store.parent).sync()
            try reached(.synchronised)
        } catch {
            guard let old else {
                try NewFile.rename(store, to: new)
                throw error
            }
            try StoreFiles.link(store, as: new)
            try NewFile.rename(old, to: store)
            throw error
        }
    }

    private func checkPlaces(_ new: FilePath) throws(FileProblem) {
        let status = try FileStatus.of(new)
        let folder = try FileStatus.of(store.parent)
        let old = try FileStatus.ifPresent(store)
        for (path, status) in [(new, status)] + (old.map { [(store, $0)] } ?? []) where status.kind != .file {
            throw FileProblem(
                .refused, path: path, "not a plain file, and therefore not a store that can be replaced",
                advice: "Name the store itself")
        }
        guard status.device == folder.device else {
            throw FileProblem(
                .refused, path: new, "the new store lies on another volume than the old one",
                advice: "Copy it beside the old one first, so that one step can put it in its place")
        }
        if let old, old.inode == status.inode, old.device == status.device {
            throw FileProblem(
                .refused, path: new, "the new store is the old one", advice: "Name another file")
        }
    }
}
