public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FilePath {
    /// The absolute path without links, `.` and `..`; nil where it leads nowhere.
    public func resolved() -> FilePath? {
        guard let text = withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(text) }
        return FilePath(platformString: text)
    }
}
