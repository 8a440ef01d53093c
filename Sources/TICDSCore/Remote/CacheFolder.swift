import Glibc
package import SystemCalls
package import SystemPackage

/// The folder of files that save time, and that may be removed at any moment: `$XDG_CACHE_HOME/ticds`, otherwise
/// `~/.cache/ticds`.
package enum CacheFolder {
    /// The path of a folder in it, which need not exist.
    package static func place(_ name: String) throws(FileProblem) -> FilePath {
        if let named = Environment.path("XDG_CACHE_HOME"), named.isAbsolute {
            return named.pushing("ticds").appending(name)
        }
        guard let home = Environment.path("HOME"), home.isAbsolute else {
            throw FileProblem(
                .missing, path: "~", "there is no folder for copies of what is read: HOME is not set",
                advice: "Set XDG_CACHE_HOME to a folder that can be written")
        }
        return home.pushing(".cache/ticds").appending(name)
    }

    /// Makes a folder, and those above it, readable by their owner only.
    package static func make(_ path: FilePath) throws(FileProblem) {
        if let status = try FileStatus.ifPresent(path) {
            guard status.kind == .folder, status.owner == geteuid(), status.mode & 0o022 == 0 else {
                throw FileProblem(
                    .refused, path: path,
                    "is not a folder that only you can write to, and was not used as a cache",
                    advice: "Set XDG_CACHE_HOME to another folder")
            }
            return
        }
        if try FileStatus.ifPresent(path.removingLastComponent()) == nil {
            try make(path.removingLastComponent())
        }
        let made = path.withPlatformString { mkdir($0, 0o700) }
        guard made == 0 || errno == EEXIST else {
            throw FileProblem.writing(Errno(rawValue: errno), path: path)
        }
    }
}
