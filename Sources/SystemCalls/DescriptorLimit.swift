import Glibc
import SystemPackage

/// The limit of files that this process may have open at the same time.
public enum DescriptorLimit {
    /// The number of descriptors that is enough for every command. With fewer, threads cannot be started, and the
    /// process ends by a signal.
    private static let needed: CInt = 32
    /// The limit above which nothing is changed.
    private static let plenty: rlim_t = 1_024

    /// The number of files that this process may have open at the same time.
    public static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(needed) }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises a low limit if that is permitted.
    /// - Throws: `.limit` if too few descriptors are available.
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
        // The lowest free descriptor.
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
