import SystemCalls
import TICDSArchive

/// The dated archives of a remote, sorted into those that stay, those that go, and those that are none of its business.
struct RotationDecision {
    typealias Kept = (file: RotationFolder.File, reasons: [RetentionPolicy.Reason])

    private(set) var kept: [Kept] = []
    private(set) var pruned: [RotationFolder.File] = []
    private(set) var leftAlone: [DatedArchives.LeftAlone]

    /// Before any dated archive goes, each that stays in its place is read to its end; what is damaged does not count.
    /// - Parameters:
    ///   - new: stays. It need not be in the folder yet, and has been read when it was written.
    ///   - problem: reads a dated archive to its end, and tells what is wrong with it.
    init(
        _ archives: DatedArchives, _ new: DatedArchiveName, _ retention: RetentionPolicy,
        problem: (RotationFolder.File) -> FileProblem?
    ) {
        leftAlone = archives.leftAlone
        var counted = archives.own
        var checked: Set<DatedArchiveName> = [new]
        while true {
            let reasons = retention.kept(Array(Set(counted.map(\.archive) + [new])))
            pruned = counted.filter { reasons[$0.archive] == nil }
            kept = counted.compactMap { file in reasons[file.archive].map { (file, $0) } }
            let unchecked = kept.map(\.file).filter { !checked.contains($0.archive) }
            if pruned.isEmpty || unchecked.isEmpty { break }
            for file in unchecked {
                checked.insert(file.archive)
                guard let problem = problem(file) else { continue }
                leftAlone.append(.init(file.archive, .unreadable, problem))
                counted.removeAll { $0 == file }
            }
        }
        leftAlone.sort { $0.archive < $1.archive }
    }

    mutating func keepAll() {
        kept = (kept + pruned.map { ($0, []) }).sorted { $0.file.archive < $1.file.archive }
        pruned = []
    }
}
