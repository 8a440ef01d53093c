import SystemCalls
import SystemPackage

/// The lock on the state of one remote in one state home. The kernel releases it when the process ends. The file
/// contains the holder. Processes with other state homes see a ``RemoteLock`` instead of this lock.
struct StateLock: ~Copyable {
    private let lock: FileLock

    /// Takes the lock; waits for another process until `deadline`.
    /// - Throws: `.refused`, with the process that holds it.
    init(_ state: RemoteState, command: String, until deadline: Deadline) throws(FileProblem) {
        lock = try FileLock(state.lock, until: deadline) { .locked(state.lock, by: $0) }
        lock.write(holder: HostIdentity.holder(command))
    }
}

extension FileProblem {
    /// The error that another process is changing the remote.
    static func locked(_ path: FilePath, by holder: String?) -> FileProblem {
        var problem = FileProblem(
            .refused, path: path, "another command is changing this remote", found: holder,
            advice: "Wait until it has ended, or use --lock-wait 60s")
        problem.isBusy = true
        return problem
    }
}
