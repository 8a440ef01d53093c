import CSystemCalls
public import SystemPackage

/// The file that this process runs.
public enum CurrentExecutable {
    /// Its path as whoever started the process named it, links not followed; nil where the system does not tell.
    public static let path: FilePath? = ticds_run_file().map { FilePath(platformString: $0) }
}
