import SystemCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the framework's own code wrote and answered (Tests/Fixtures/README.md). The archives are unpacked once for the
/// whole run, on demand, and no test changes what was unpacked: `SampleRemote` is a private copy.
public enum Fixtures {
    /// The folder of the package that holds them.
    public static let folder = SourceTree.root.pushing("Tests/Fixtures")

    /// The folder of the remotes: `plain-multi/`, `live/late-local-wins/`, each with a description beside it.
    public static var remotes: FilePath { get throws { try unpackedRemotes.get() } }

    /// The folder of the oracle's cases, JSON lines.
    public static var oracle: FilePath { get throws { try unpackedOracle.get() } }

    private static let unpackedRemotes = Result { try unpack("remotes") }
    private static let unpackedOracle = Result { try unpack("oracle") }

    private static let home: Result<TemporaryFolder, any Error> = Result {
        let home = try TemporaryFolder(prefix: "ticds-fixtures")
        atexit { if case .success(let home) = Fixtures.home { try? TestFiles.removeTree(home.path) } }
        return home
    }

    private static func unpack(_ name: String) throws -> FilePath {
        let folder = try home.get().path.appending(name)
        try TestFiles.makeFolder(folder)
        let archive = Self.folder.appending("\(name).tar.xz")
        // Names beyond ASCII need a locale that has them.
        try run(["env", "LC_ALL=C.UTF-8", "bsdtar", "-xf", archive.string, "-C", folder.string])
        return folder
    }

    /// Runs a program that is found through the path; throws where it fails.
    static func run(_ line: [String]) throws {
        let words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let started = posix_spawnp(&process, line[0], nil, nil, words, environ)
        guard started == 0 else { throw Errno(rawValue: started) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(command: line.joined(separator: " "), status: status) }
    }

    private struct Failure: Error {
        let command: String
        /// As `wait` tells it.
        let status: Int32
    }
}
