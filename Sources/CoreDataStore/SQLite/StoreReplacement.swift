public import SystemCalls
public import SystemPackage

/// Puts another store in the place of one.
///
/// First everything that is still to be written into the old store is saved, with everybody else kept out; then its
/// log goes, the new file takes the name in one step, and readers are told to start anew. Whatever fails or dies on
/// the way, the old store is in its place, whole, until the new one is.
public struct StoreReplacement: Sendable {
    /// The store that is replaced.
    public let store: FilePath
    /// Seconds to wait for other programs to leave the store.
    public var waiting = 5.0
    private let generation: StoreGeneration?
    /// Called after each step; a test stops here.
    var reached: @Sendable (Step) throws(FileProblem) -> Void = { _ in }

    enum Step: String, Sendable, CaseIterable {
        case newSaved, oldSaved, oldKept, logRemoved, switched, synchronised
    }

    /// - Parameters:
    ///   - store: the file that is to be replaced, or made where there is none.
    ///   - generation: what its readers look at.
    public init(_ store: FilePath, generation: StoreGeneration? = nil) {
        self.store = store
        self.generation = generation
    }

    /// Replaces the store by the file `new`, which must lie on the same volume and is no longer there afterwards.
    /// - Parameter kept: where the old store stays, in the same volume; there must be nothing of that name.
    /// - Throws: `.refused` where another program has one of the stores open; `.writeFailed`. The old store is then in
    ///   its place, with all that was saved.
    public func replace(with new: FilePath, keepingOldAs kept: FilePath? = nil) throws(FileProblem) {
        try checkPlaces(new)
        do { _ = try PendingWrites(saving: new, waiting: waiting) }
        try StoreFiles.checkAlone(new)
        try StoreFiles.synchronise(new)
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

    /// With everybody else locked out of the old store.
    private func replaceLocked(with new: FilePath, _ kept: FilePath?) throws(FileProblem) {
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

    /// The step that counts. Where the change cannot be made to last, it is taken back.
    private func take(_ new: FilePath, old: FilePath?) throws(FileProblem) {
        try NewFile.rename(new, to: store)
        do throws(FileProblem) {
            try reached(.switched)
            try StoreFiles.synchronise(store.parent)
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
        generation?.advance()
    }

    private func checkPlaces(_ new: FilePath) throws(FileProblem) {
        let status = try FileStatus.of(new)
        let folder = try FileStatus.of(store.parent)
        let old = try FileStatus.ifPresent(store)
        for (path, status) in [(new, status)] + (old.map { [(store, $0)] } ?? []) where status.kind != .file {
            throw FileProblem(
                .refused, path: path, "not a plain file, and therefore not a store that can be replaced")
        }
        guard status.device == folder.device else {
            throw FileProblem(
                .refused, path: new, "the new store lies on another volume than the old one",
                advice: "Copy it beside the old one first, so that one step can put it in its place")
        }
        if let old, old.inode == status.inode, old.device == status.device {
            throw FileProblem(.refused, path: new, "the new store is the old one")
        }
    }
}
