import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A commit over several files that was interrupted. It is completed or undone by SQLite when the store is opened, by
/// means of one more file that the journals name with its full path. Where that file is not there, the commit counts as
/// completed; in a folder that was moved since, it would not be there either.
public enum InterruptedCommit {
    /// Throws `.refused` where the journal of a store names a file in another folder, and what `PendingFiles` throws.
    public static func check(_ store: FilePath) throws(FileProblem) {
        guard let journal = try PendingFiles(of: store, admitsOtherDatabases: true).journal,
            let name = try mainJournal(of: journal)
        else { return }
        let folder = store.parent
        let there = FilePath(pathBytes: name).removingLastComponent()
        guard there != folder, try there != folder.resolved() else { return }
        throw FileProblem(
            .refused, path: journal, "a commit was interrupted, and the folder has been moved since",
            expected: "\(folder)", found: "\(there)",
            advice: "Move the folder back to where it was, then try again")
    }

    /// The name at the end of a journal: bytes, their count, their sum, the mark.
    private static func mainJournal(of journal: FilePath) throws(FileProblem) -> [UInt8]? {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        let end = try file.bytes(in: max(0, size - 16)..<size).array
        guard end.count == 16, Array(end[8...]) == RollbackJournal.magic else { return nil }
        let count = end[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard count > 0, count <= 4096, count <= size - 16 else { return nil }
        return try file.bytes(in: size - 16 - count..<size - 16).array
    }
}
