#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processors of this machine.
public enum Cores {
    /// How many of them are at work; at least 1.
    public static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
