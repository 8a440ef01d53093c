import SystemCalls

/// A part of a fleet: the remotes whose number has a certain remainder. The part of a remote depends only on its
/// identifier and the number of parts.
package struct Shard: Hashable, Sendable {
    /// The number of the part, from 1 to ``count``.
    package let index: Int
    /// The number of parts, at least 1.
    package let count: Int

    /// The only part, with all remotes.
    package static let whole = Shard(1, of: 1)

    /// The part `index`, from 1, of `count`; both are limited to their ranges.
    package init(_ index: Int, of count: Int) {
        self.count = min(max(count, 1), 1_000_000)
        self.index = min(max(index, 1), self.count)
    }

    /// The part of a text such as `3/8`; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, count <= 1_000_000,
            (1...count).contains(index)
        else { return nil }
        self.init(index, of: count)
    }

    /// The text, such as `3/8`.
    package var text: String { "\(index)/\(count)" }

    /// Whether a remote belongs to this part.
    package func contains(_ remote: FleetRemote) -> Bool {
        count == 1 || Int(remote.number % UInt64(count)) == index - 1
    }

    /// The part that the environment of a job determines: a task of an array of Slurm, a job of GNU parallel, or a pod
    /// of an indexed job of Kubernetes, whose numbers begin at 0.
    /// - Parameter count: the number of parts of the run.
    /// - Returns: nil outside of such a job, or if the number is not that of a part.
    package static func ofEnvironment(
        count: Int, _ variable: (String) -> String? = { Environment[$0] }
    ) -> Shard? {
        func number(_ name: String) -> Int? { variable(name).flatMap { Int($0) } }
        let index =
            number("SLURM_ARRAY_TASK_ID") ?? number("PARALLEL_SEQ")
            ?? number("JOB_COMPLETION_INDEX").map { $0 &+ 1 }
        guard let index, (1...max(count, 1)).contains(index) else { return nil }
        return Shard(index, of: count)
    }
}
