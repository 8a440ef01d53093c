import Glibc

/// The result of a system call, which is repeated if a signal interrupts it: at most a hundred times, since some file
/// systems give this error without a signal. After that it fails with EINTR, like any other failing call.
package func uninterrupted<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    for _ in 0..<99 {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
    return call()
}
