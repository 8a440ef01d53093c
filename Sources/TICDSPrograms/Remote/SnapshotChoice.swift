import SystemCalls
import TICDSArchives
import TICDSCommandLine

/// The snapshots of an application, sorted into those that stay and those that go.
struct SnapshotChoice {
    typealias Kept = (file: SnapshotFolder.File, reasons: [SnapshotRetention.Reason])

    private(set) var kept: [Kept] = []
    private(set) var pruned: [SnapshotFolder.File] = []

    /// - Parameter new: stays, whatever the clock was when others were made. It need not be among the files yet.
    init(_ files: [SnapshotFolder.File], _ new: SnapshotName, _ retention: SnapshotRetention) {
        let reasons = retention.kept(Array(Set(files.map(\.snapshot) + [new])))
        for file in files {
            if let reasons = reasons[file.snapshot] {
                kept.append((file, reasons))
            } else if file.snapshot == new {
                kept.append((file, []))
            } else {
                pruned.append(file)
            }
        }
    }

    mutating func keepAll() {
        kept = (kept + pruned.map { ($0, []) }).sorted { $0.file.snapshot < $1.file.snapshot }
        pruned = []
    }

    /// Removes what goes. False where something could not be removed: it is reported, and stays.
    mutating func prune(_ folder: SnapshotFolder, _ output: OutputOptions) -> Bool {
        var left: [Kept] = []
        pruned.removeAll { file in
            do throws(FileProblem) {
                try folder.remove(file.snapshot)
                return false
            } catch {
                output.report(error)
                left.append((file, []))
                return true
            }
        }
        kept = (kept + left).sorted { $0.file.snapshot < $1.file.snapshot }
        return left.isEmpty
    }
}
