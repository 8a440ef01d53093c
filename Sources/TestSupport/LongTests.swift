#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tests that take minutes or much disk space.
public enum LongTests {
    /// Whether to run them: `TICDS_LONG=1`, which `make check` sets.
    public static let areWanted = getenv("TICDS_LONG").map { String(cString: $0) } == "1"
}
