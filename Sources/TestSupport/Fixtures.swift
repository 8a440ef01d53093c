import Glibc
package import SystemCalls
package import SystemPackage

/// Files that the framework itself wrote, and its answers (Tests/Fixtures/README.md). The archives are unpacked once
/// per run, on demand. Tests must not change the unpacked files: `SampleRemote` is a private copy.
package enum Fixtures {
    /// The folder of the archives.
    package static let folder = SourceTree.root.pushing("Tests/Fixtures")

    /// The folder of the remotes, such as `plain-multi/` and `live/late-local-wins/`, each with a description beside
    /// it.
    package static var remotes: FilePath { get throws { try unpackedRemotes.get() } }

    /// The folder of the oracle's cases, in JSON lines.
    package static var oracle: FilePath { get throws { try unpackedOracle.get() } }

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
        // bsdtar needs a UTF-8 locale for names beyond ASCII.
        try run(["env", "LC_ALL=C.UTF-8", "bsdtar", "-xf", archive.string, "-C", folder.string])
        return folder
    }

    /// Runs a program, which `PATH` locates; throws if it fails.
    package static func run(_ line: [String]) throws {
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
        /// The status from waitpid(2).
        let status: Int32
    }
}

/// A copy of a remote of the fixtures, with its times, in a temporary folder that is removed with this value.
package struct SampleRemote: Sendable {
    package let folder: TemporaryFolder
    /// The description beside the remote, a JSON document.
    package let description: FilePath

    /// The names of all single remotes.
    package static let names = [
        "dropbox-plain-zip", "enc-multi", "enc-trimmed-password", "plain-empty", "plain-multi",
        "plain-removed",
        "plain-shortids", "plain-unicode", "plain-userinfo",
    ]

    /// The names of all pairs of remotes, before and after an operation.
    package static let pairs = [
        "op-create-document", "op-delete-client", "op-delete-client-encrypted", "op-delete-client-unknown",
        "op-delete-document", "op-delete-document-encrypted", "op-join-document",
        "op-recreate-deleted-document", "op-register-client", "op-register-client-encrypted",
        "op-rejoin-after-removal", "op-remove-all", "op-sync-nothing", "op-upload-store", "op-vacuum",
    ]

    package init(_ name: String) throws {
        folder = try TemporaryFolder(prefix: "ticds-sample")
        description = try Fixtures.remotes.pushing(FilePath("\(name).json"))
        try Self.copy(name, into: folder.path)
    }

    /// Copies the folders of a remote or pair into an existing folder.
    package static func copy(_ name: String, into folder: FilePath) throws {
        try Fixtures.run([
            "cp", "-a", try Fixtures.remotes.pushing(FilePath("\(name)/.")).string, folder.string,
        ])
    }

    /// The folder `remote` (or `before` or `after` of a pair), which contains the application folder.
    package func parent(_ part: String = "remote") -> FilePath { folder.path.appending(part) }
}
