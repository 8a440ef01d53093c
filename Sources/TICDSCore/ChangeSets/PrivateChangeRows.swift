import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// An SQLite change set in a private copy, since SQLite opens files and not bytes. Problems name the file that was
/// asked for, not the copy.
struct PrivateChangeRows {
    let metadata: StoreMetadata
    let count: Int
    private let rows: SQLiteChangeRows
    private let file: UnnamedFile
    private let path: FilePath

    init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        file = try UnnamedFile()
        try file.write(bytes)
        do throws(FileProblem) {
            rows = try SQLiteChangeRows(file.path)
            count = try rows.count()
            metadata = rows.metadata
        } catch {
            throw error.renamed(path)
        }
    }

    func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let copy = rows.path
        do throws(FileProblem) {
            try rows.forEachChange(
                onDamage: { problem throws(FileProblem) in try onDamage(problem.renamed(path)) }, body)
        } catch  where error.path == copy {
            throw error.renamed(path)
        }
    }
}

extension FileProblem {
    fileprivate func renamed(_ path: FilePath) -> FileProblem {
        var problem = self
        problem.path = path
        return problem
    }
}
