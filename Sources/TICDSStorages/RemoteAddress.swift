package import SystemCalls
package import SystemPackage
package import TICDSOperations

/// The place of a remote, as an argument names it: a local folder, or a folder in a remote storage.
package enum RemoteAddress: Sendable {
    case folder(FilePath)
    case elsewhere(any StorageAddress)

    /// The place that an argument names.
    /// - Throws: `FileProblem` of kind `notARemote` for a malformed address of a storage; `refused` for `-`.
    package init(argument: String) throws(FileProblem) {
        if let address = try StorageSchemes.address(argument) {
            self = .elsewhere(address)
        } else {
            self = .folder(try Environment.file(argument: argument))
        }
    }

    /// An argument for people, without the options of an address, which may be passwords.
    package static func shown(_ argument: String) -> String { StorageSchemes.hidden(in: argument) }

    /// The local folder.
    /// - Throws: `.refused` for a storage.
    package var folder: FilePath {
        get throws(FileProblem) {
            switch self {
            case .folder(let path): return path
            case .elsewhere(let address):
                throw FileProblem(
                    .refused, path: address.root, "this works in local folders only",
                    advice:
                        "Work in a local folder, and copy from there: a remote with ticds-remote copy, a file with rclone copy"
                )
            }
        }
    }

    /// The name under which data about the remote in this place is stored locally.
    /// - Parameter root: the remote, found in this place; a folder without symbolic links.
    package func identity(found root: FilePath) -> FilePath {
        guard case .elsewhere(let address) = self else { return root }
        return address.identity(found: root)
    }

    /// The place as a path; for a storage its address.
    package var root: FilePath {
        switch self {
        case .folder(let path): path
        case .elsewhere(let address): address.root
        }
    }
}
