import KeyedArchive
public import SystemCalls
public import SystemPackage

/// An interrupted commit to several databases. SQLite completes or reverts it when it opens a store, by the
/// super-journal, a file whose full path is in each journal. If this file is missing, SQLite treats the commit as
/// complete; but it is also missing if somebody moved the folder.
public enum InterruptedCommit {
    /// Throws `.refused` if the journal of a store names a super-journal in another folder, and the errors of
    /// `PendingFiles`.
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

    /// The name of the super-journal at the end of a journal: name, length, checksum, magic.
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
