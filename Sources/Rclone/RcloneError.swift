import SystemCalls
import SystemPackage

/// An error that rclone answers: a status, and a sentence whose wording depends on its backends.
struct RcloneError {
    var status: Int
    var text: String

    /// The texts for a missing entry. Only entries that rclone itself reports as missing are missing, since a server
    /// can answer 404 for other reasons.
    private static let missing = ["directory not found", "object not found"]
    private static let denied = [
        "permission denied", "access denied", "accessdenied", "forbidden", "unauthorized", "invalid_grant",
        "unable to authenticate", "couldn't fetch token", "expired", "invalidaccesskeyid",
        "signaturedoesnotmatch",
    ]
    /// The texts for an unmet condition (RFC 9110, 15.5.13), in the wording of S3.
    private static let exists = ["preconditionfailed", "statuscode: 412", "status code: 412"]
    private static let unknown = ["didn't find section in config file", "didn't find backend called"]

    /// The texts of backends about the settings of a storage, before any request to its server: the error is permanent.
    private static let settings = [
        "remote url looks incorrect", "couldn't decrypt password", "unsupported protocol scheme",
        "missing protocol scheme", "cannot contain colon", "invalid control character in url", "invalid port",
        "ssh_auth_sock not-specified", "empty token found",
    ]

    func problem(_ path: FilePath) -> FileProblem {
        let words = text.lowercased()
        func says(_ phrases: [String]) -> Bool { phrases.contains { words.contains($0) } }
        if status == 404, says(Self.missing) {
            return FileProblem(.missing, path: path, "no such file or folder", found: found)
        }
        if says(Self.exists) {
            return FileProblem(
                .refused, path: path, "there is something of that name already", found: found,
                advice: "Choose another name, or look at what is there")
        }
        if says(Self.unknown) {
            return FileProblem(
                .unknownName, path: path, "rclone does not know this storage", found: found,
                advice: "See: rclone listremotes")
        }
        if says(Self.settings) {
            return FileProblem(
                .unreadable, path: path, "rclone refuses a setting of this storage", found: found,
                advice: "Correct it: rclone config, or the connection string")
        }
        if says(Self.denied) {
            return FileProblem(
                .unreadable, path: path, "no permission", found: found,
                advice: "Check the account, or renew it with: rclone config reconnect")
        }
        var problem = FileProblem(
            .unreadable, path: path, "cannot be read", found: found,
            advice: "Try again later, or look with: rclone lsf")
        problem.isBusy = true
        return problem
    }

    private var found: String { "rclone: " + text.prefix(500) }
}
