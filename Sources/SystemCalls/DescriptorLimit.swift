import Glibc
import SystemPackage

/// The files that this process may have open at the same time.
public enum DescriptorLimit {
    /// Enough for every command. With fewer, threads cannot be started, and the process ends by a signal.
    private static let needed: CInt = 32
    /// A limit above this stays as it is.
    private static let plenty: rlim_t = 1_024

    /// Raises the limit if that is allowed and it is low.
    /// - Throws: `.limit` if too few descriptors are left.
    public static func prepare() throws(FileProblem) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        if limit.rlim_cur < plenty, limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(plenty, limit.rlim_max)
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        let most = CInt(clamping: limit.rlim_cur)
        // The lowest that is free.
        let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let error = errno
        if next >= 0 { close(next) } else if error != EMFILE { return }
        guard next < 0 || most - next < needed else { return }
        throw FileProblem(
            .limit, path: "/dev/null",
            "this process may have \(most) files open at the same time, which is too few",
            expected: "\(needed) that are free", advice: "Raise the limit, for example with: ulimit -n 256")
    }
}
