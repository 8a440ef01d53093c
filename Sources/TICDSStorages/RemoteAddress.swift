package import SystemCalls
package import SystemPackage
package import TICDSArchive
package import TICDSCore
package import TICDSOperations

/// The place of a remote, as an argument names it: a local folder, a folder in a remote storage, or an archive.
package enum RemoteAddress: Sendable {
    case folder(FilePath)
    case elsewhere(any StorageAddress)

    /// The place that an argument names.
    /// - Throws: `FileProblem` of kind `notARemote` for a malformed address of a storage; `refused` for `-`.
    package init(argument: String) throws(FileProblem) {
        if let address = try StorageSchemes.address(argument) {
            self = .elsewhere(address)
        } else {
            try self.init(path: Environment.file(argument: argument))
        }
    }

    /// The place at a local path: an archive, or a folder.
    package init(path: FilePath) throws(FileProblem) {
        if let archive = try ArchiveAddress(path) { self = .elsewhere(archive) } else { self = .folder(path) }
    }

    /// The local file that an argument names, which may be an archive.
    /// - Throws: `.refused` for a storage.
    package static func file(argument: String) throws(FileProblem) -> FilePath {
        guard let address = try StorageSchemes.address(argument) else {
            return try Environment.file(argument: argument)
        }
        return try RemoteAddress.elsewhere(address).folder
    }

    /// The archive; nil for every other place.
    package var archive: ArchiveAddress? {
        if case .elsewhere(let address) = self { address as? ArchiveAddress } else { nil }
    }

    /// The remote in an archive, and the whole store in it whose path this is; nil for every other place.
    package var wholeStore: (remote: RemoteAddress, place: RemotePath)? {
        archive?.wholeStore.map { (.elsewhere($0.remote), $0.place) }
    }

    /// The remote in an archive, and the file in it whose path this is; nil for every other place.
    package var archivedFile: (remote: RemoteAddress, place: RemotePath)? {
        archive?.file.map { (.elsewhere($0.remote), $0.place) }
    }

    /// An argument for people, without the options of an address, which may be passwords.
    package static func shown(_ argument: String) -> String { StorageSchemes.hidden(in: argument) }

    /// The local folder.
    /// - Throws: `.refused` for a storage and for an archive.
    package var folder: FilePath {
        get throws(FileProblem) {
            if let archive {
                throw FileProblem(
                    .refused, path: archive.root, "is an archive, and this needs a file or a folder",
                    advice: """
                        Take the file out with ticds-archive extract, or restore the whole: ticds-archive import \
                        \(ShellWord.quoted(try archive.archive))
                        """)
            }
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

    /// Refuses an archive, for inventories.
    package func refuseArchive() throws(FileProblem) {
        guard let archive else { return }
        throw FileProblem(
            .refused, path: archive.root, "an inventory lists remotes, and this is an archive",
            advice: "Name the remote; commands that read take the archive by itself")
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
