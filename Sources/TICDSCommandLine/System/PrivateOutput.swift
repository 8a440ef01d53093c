#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import Synchronization

/// Keeps to their owner all files that the process makes from now on: what comes out of an encrypted remote is not to
/// be read by those for whom it was encrypted. Files of the remote get the modes of their neighbours all the same.
enum PrivateOutput {
    /// What commands that this process runs are to have; nil while that is the process's own.
    private static let before = Mutex<mode_t?>(nil)

    static func begin() {
        before.withLock { if $0 == nil { $0 = umask(0o077) } }
    }

    /// A line of shell with the file mode mask that the process was started with.
    static func unmasked(_ command: String) -> String {
        guard let mask = before.withLock({ $0 }) else { return command }
        return "umask \(String(mask, radix: 8))\n\(command)"
    }
}
