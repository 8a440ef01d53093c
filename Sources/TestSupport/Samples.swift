public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of files written by real software: `TICDS_SAMPLES`, else `shared/samples` beside the package.
public enum Samples {
    public static let folder: FilePath = {
        if let named = getenv("TICDS_SAMPLES") { return FilePath(String(cString: named)) }
        let package = FilePath(#filePath).removingLastComponent().removingLastComponent()
            .removingLastComponent()
        return package.removingLastComponent().appending("shared").appending("samples")
    }()

    /// False where the folder is missing: tests that need it are then skipped, by name.
    public static let available: Bool = access(folder.string, R_OK) == 0

    /// A file or folder of the samples, by its path relative to them.
    public static func path(_ relative: String) -> FilePath {
        folder.pushing(FilePath(relative))
    }
}
