public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of files of other people's software, which is no part of the package: `TICDS_SAMPLES`, else
/// `shared/samples` beside the package. What was made for the package lies in `Fixtures`.
public enum Samples {
    public static let folder: FilePath = {
        if let named = getenv("TICDS_SAMPLES") { return FilePath(String(cString: named)) }
        return SourceTree.root.removingLastComponent().appending("shared").appending("samples")
    }()

    /// False where there are no such files: tests that need them are then skipped, by name.
    public static let available: Bool = access(path("sqlite-stores").string, R_OK) == 0

    /// A file or folder of the samples, by its path relative to them.
    public static func path(_ relative: String) -> FilePath {
        folder.pushing(FilePath(relative))
    }
}
