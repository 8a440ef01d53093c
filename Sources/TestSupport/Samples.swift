import Glibc
package import SystemPackage

/// The folder of files of other software, which is not part of the package: `TICDS_SAMPLES`, otherwise `shared/samples`
/// beside the package. Files made for the package are in `Fixtures`.
package enum Samples {
    package static let folder: FilePath = {
        if let named = getenv("TICDS_SAMPLES") { return FilePath(String(cString: named)) }
        return SourceTree.root.removingLastComponent().appending("shared").appending("samples")
    }()

    /// Whether these files exist; otherwise the tests that need them are skipped by name.
    package static let available: Bool = access(path("sqlite-stores").string, R_OK) == 0

    /// A file or folder of the samples, by its relative path.
    package static func path(_ relative: String) -> FilePath {
        folder.pushing(FilePath(relative))
    }
}

/// Tests that take minutes or much disk space.
package enum LongTests {
    /// Whether to run them: `TICDS_LONG=1`, which `make check` sets.
    package static let areWanted = getenv("TICDS_LONG").map { String(cString: $0) } == "1"
}
