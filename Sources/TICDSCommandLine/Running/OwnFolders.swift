import SystemCalls
import SystemPackage
import TICDSCore

/// The folders outside of remotes in which commands keep files of their own: temporary ones, journals and caches.
enum OwnFolders {
    /// Refuses variables that name a folder inside a remote, where foreign files harm the clients.
    static func check() throws(FileProblem) {
        for name in ["TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "HOME"] {
            guard let folder = Environment.path(name), isUsed(name, folder) else { continue }
            let inside = FilePath("file")
            // try?: a command that may not search the folder cannot make a file there either
            let place = (try? folder.resolvedAllowingMissing()) ?? folder
            // try?: as above
            guard let remote = try? RemoteLocation.remote(around: place.pushing(inside)) else { continue }
            throw FileProblem(
                .refused, path: folder,
                "\(name) is a folder inside a remote, where files of the command would harm the clients",
                found: "the remote \(remote.escaped)",
                advice: "Set \(name) to a folder outside of remotes")
        }
    }

    /// Whether files may be written to a folder that a variable names. Only `TMPDIR` may be a relative path.
    private static func isUsed(_ name: String, _ folder: FilePath) -> Bool {
        guard folder.isAbsolute || name == "TMPDIR" else { return false }
        let others = ["XDG_STATE_HOME", "XDG_CACHE_HOME"].compactMap { Environment.path($0) }
        return name != "HOME" || others.count { $0.isAbsolute } < 2
    }
}
