public import SystemCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A remote of the samples, unpacked (with its times) into a temporary folder that goes away with this value.
public struct SampleRemote: Sendable {
    public let folder: TemporaryFolder
    /// The description beside the archive: a JSON document.
    public let description: FilePath

    /// The names of all sample remotes.
    public static let names = [
        "dropbox-plain-zip", "enc-multi", "enc-trimmed-password", "plain-empty", "plain-multi",
        "plain-removed",
        "plain-shortids", "plain-unicode", "plain-userinfo",
    ]

    /// Unpacks `name` with tar.
    public init(_ name: String) throws {
        folder = try TemporaryFolder(prefix: "ticds-sample")
        description = Samples.path("remotes/\(name).json")
        let archive = Samples.path("remotes/\(name).tar.gz")
        let line: [String] = ["tar", "xzf", archive.string, "-C", folder.path.string]
        let words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let started = posix_spawnp(&process, "tar", nil, nil, words, environ)
        guard started == 0 else { throw Errno(rawValue: started) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Errno.ioError }
    }

    /// The folder named `remote` (or `before` or `after` of a pair) that holds the application's folder.
    public func parent(_ part: String = "remote") -> FilePath { folder.path.appending(part) }
}
