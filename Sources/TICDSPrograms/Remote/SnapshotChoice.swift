import SystemCalls
import TICDSArchive

/// The snapshots of a remote, sorted into those that stay, those that go, and those that are none of its business.
struct SnapshotChoice {
    typealias Kept = (file: SnapshotFolder.File, reasons: [SnapshotRetention.Reason])

    private(set) var kept: [Kept] = []
    private(set) var pruned: [SnapshotFolder.File] = []
    private(set) var leftAlone: [SnapshotCensus.LeftAlone]

    /// Before any snapshot goes, each that stays in its place is read to its end; what is damaged does not count.
    /// - Parameters:
    ///   - new: stays. It need not be in the folder yet, and has been read when it was written.
    ///   - problem: reads a snapshot to its end, and tells what is wrong with it.
    init(
        _ census: SnapshotCensus, _ new: SnapshotName, _ retention: SnapshotRetention,
        problem: (SnapshotFolder.File) -> FileProblem?
    ) {
        leftAlone = census.leftAlone
        var counted = census.own
        var checked: Set<SnapshotName> = [new]
        while true {
            let reasons = retention.kept(Array(Set(counted.map(\.snapshot) + [new])))
            pruned = counted.filter { reasons[$0.snapshot] == nil }
            kept = counted.compactMap { file in reasons[file.snapshot].map { (file, $0) } }
            let unchecked = kept.map(\.file).filter { !checked.contains($0.snapshot) }
            if pruned.isEmpty || unchecked.isEmpty { break }
            for file in unchecked {
                checked.insert(file.snapshot)
                guard let problem = problem(file) else { continue }
                leftAlone.append(.init(file.snapshot, .unreadable, problem))
                counted.removeAll { $0 == file }
            }
        }
        leftAlone.sort { $0.snapshot < $1.snapshot }
    }

    mutating func keepAll() {
        kept = (kept + pruned.map { ($0, []) }).sorted { $0.file.snapshot < $1.file.snapshot }
        pruned = []
    }
}
