import SystemCalls
package import SystemPackage

/// The engine that distributes the shards of a run to workers.
package enum FleetEngine: String, Sendable, CaseIterable {
    /// Threads of this process, each with a child process.
    case local
    /// GNU parallel, locally or on other hosts over ssh.
    case parallel
    /// An array job of Slurm.
    case slurm

    /// The facts about a run that a command line needs.
    package struct Job: Sendable {
        /// The path of the ticds program, which must be the same on all machines.
        package var program: FilePath
        /// The folder of the run by its absolute path.
        package var run: FilePath
        package var stage = FleetRun.Stage.envelopes
        package var shards = 1
        /// The number of remotes at a time in each worker, or of workers at a time on each machine; nil for the
        /// engine's default.
        package var jobs: Int?
        /// For GNU parallel, the machines in the form of `--sshlogin`.
        package var logins: [String] = []
        /// Whether to process only shards that failed or did not begin.
        package var isResuming = false
        /// For Slurm, whether to wait for the end.
        package var waits = false
        /// Further options for the engine, as a user gave them.
        package var options: [String] = []
        package var again = FleetWorker.Again.changed

        package init(program: FilePath, run: FilePath) {
            self.program = program
            self.run = run
        }
    }

    /// The words of the command line that processes all shards, in the order in which a shell takes them.
    package func words(_ job: Job) -> [[UInt8]] {
        func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
        let stage = job.stage == .envelopes ? [] : ["--stage", job.stage.rawValue]
        let again = job.again == .changed ? [] : ["--again", job.again.rawValue]
        let log = job.run.appending("log")
        let work = [job.program.bytes] + bytes(["work"]) + [job.run.bytes] + bytes(stage + again)
        switch self {
        case .local:
            return work + bytes(job.jobs.map { ["--jobs", "\($0)"] } ?? [])
        case .parallel:
            // An unfinished shard ends with 5, so that --retries and --resume-failed see it.
            let options = ["parallel", "--joblog"]
            let logins = job.logins.flatMap { ["--sshlogin", $0] }
            let more =
                (job.isResuming ? ["--resume-failed"] : []) + logins
                + (job.jobs.map { ["--jobs", "\($0)"] } ?? []) + job.options
            // parallel passes its command to a shell.
            let inner = (work + bytes(["--jobs", "1", "--shard"])).map { ShellWord.quoted($0) }.joined(
                separator: " ")
            return bytes(options) + [log.appending("parallel-\(job.stage.rawValue).log").bytes] + bytes(more)
                + bytes(["\(inner) {}/\(job.shards)", ":::"])
                + bytes((1...max(1, job.shards)).map { "\($0)" })
        case .slurm:
            let jobs = job.jobs ?? 1
            let inner = (work + bytes(["--jobs", "\(jobs)"])).map { ShellWord.quoted($0) }.joined(
                separator: " ")
            let name = "ticds-" + String(decoding: job.run.lastComponent?.bytes ?? [], as: UTF8.self)
            let fixed = [
                "sbatch", "--parsable", "--array=1-\(max(1, job.shards))", "--job-name=\(name)",
                "--cpus-per-task=\(jobs)",
            ]
            let output = Array("--output=".utf8) + log.appending("slurm-%A_%a.log").bytes
            return bytes(fixed) + [output] + bytes((job.waits ? ["--wait"] : []) + job.options)
                + bytes(["--wrap", inner])
        }
    }

    /// The command line in the form for a shell.
    package func line(_ job: Job) -> String {
        words(job).map { word in
            let isPlain = word.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-_./=:,%@+".utf8.contains(byte)
            }
            return isPlain && !word.isEmpty ? String(decoding: word, as: UTF8.self) : ShellWord.quoted(word)
        }.joined(separator: " ")
    }

    /// The number of shards without an option: enough to share the work evenly, with at least about a hundred remotes
    /// in each, since a job of an engine takes a fraction of a second by itself.
    package func shards(for remotes: Int, jobs: Int) -> Int {
        if self == .local { return 1 }
        return max(1, min(remotes, max(2 * jobs, min(1_000, (remotes + 99) / 100))))
    }
}
