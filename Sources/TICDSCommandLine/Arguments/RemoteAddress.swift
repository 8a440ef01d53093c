package import Rclone
package import SystemCalls
package import SystemPackage

/// Where a remote lies, as somebody named it: a folder of this machine, or a folder in a storage that rclone reaches.
package enum RemoteAddress: Hashable, Sendable {
    case folder(FilePath)
    case rclone(RcloneAddress)

    /// The place that an argument names.
    /// - Throws: `FileProblem` of kind `notARemote` for a malformed address of rclone; `refused` for `-`.
    package init(argument: String) throws(FileProblem) {
        guard RcloneAddress.isAddress(argument) else {
            self = .folder(try OutputTarget.named(argument))
            return
        }
        guard let address = RcloneAddress(argument) else {
            throw FileProblem(
                .notARemote, path: FilePath(RcloneAddress.prefix), "is not an address of rclone",
                expected: "rclone:NAME:path, or rclone::BACKEND,option=value:path",
                advice: "See ticds-remotes(7), and: rclone listremotes")
        }
        self = .rclone(address)
    }

    /// An argument for people: without the options of a connection string, which may be passwords.
    package static func shown(_ argument: String) -> String { ConnectionString.hidden(in: argument) }

    /// The folder of this machine.
    /// - Throws: `.refused` for a storage.
    package var folder: FilePath {
        get throws(FileProblem) {
            switch self {
            case .folder(let path): return path
            case .rclone(let address):
                throw FileProblem(
                    .refused, path: address.root, "this works in local folders only",
                    advice:
                        "Work in a local folder, and copy from there: a remote with ticds-remote copy, a file with rclone copy"
                )
            }
        }
    }

    /// The name under which this machine remembers things about the remote in this place.
    /// - Parameter root: the remote, found in this place; a folder without symbolic links.
    package func identity(found root: FilePath) -> FilePath {
        guard case .rclone(let address) = self else { return root }
        return address.identity(found: root)
    }

    /// The place as a path, which of a storage is its address.
    package var root: FilePath {
        switch self {
        case .folder(let path): path
        case .rclone(let address): address.root
        }
    }
}
