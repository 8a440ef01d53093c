public import SystemCalls
public import SystemPackage
import TICDSCore

/// Where a command writes what it made: never into a remote.
public enum OutputTarget {
    /// The file or folder that an argument names.
    /// - Throws: `FileProblem` of kind `refused` for a place in a remote.
    public static func path(_ argument: String) throws(FileProblem) -> FilePath {
        let path = Environment.path(argument: argument)
        if let remote = try RemoteLocation.remote(around: path.resolvedInFolder() ?? path) {
            throw FileProblem(
                .refused, path: path, "lies in a remote, where a foreign file blocks the clients",
                found: "the remote \(remote.escaped)", advice: "Choose a place outside it")
        }
        return path
    }
}
