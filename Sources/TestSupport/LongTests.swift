#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tests that take minutes, or much room.
public enum LongTests {
    /// Whether they are to run: `TICDS_LONG=1`, as `make check` has it.
    public static let areWanted = getenv("TICDS_LONG").map { String(cString: $0) } == "1"
}
