import Glibc

/// The result of a system call, which is made again if a signal interrupts it: a hundred times at most, since some file
/// systems answer so without a signal. It then fails with EINTR, as any other call that fails.
package func uninterrupted<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    for _ in 0..<99 {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
    return call()
}
