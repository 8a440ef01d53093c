package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// The storages that rclone reaches.
package enum RcloneScheme: StorageScheme {
    package static let prefix = RcloneAddress.prefix
    package static let form = "rclone:NAME:path, or rclone::BACKEND,option=value:path"
    package static let advice = "See ticds-remotes(7), and: rclone listremotes"

    package static func address(_ text: String) -> (any StorageAddress)? { RcloneAddress(text) }

    package static func hidden(in text: String) -> String { ConnectionString.hidden(in: text) }

    package static func completions(_ typed: String) throws(FileProblem) -> [String] {
        try RcloneStorage.completions(typed)
    }

    package static func choose(transfers: Int) { RcloneEngine.chooseTransfers(transfers) }
}

extension RcloneAddress: StorageAddress {
    package var isLasting: Bool { isConfigured }

    package func findRemote() throws(FileProblem) -> any RemoteStorage {
        try RcloneStorage.find(self, .running())
    }

    package func recentRemote() throws(FileProblem) -> any RemoteStorage { try RcloneStorage.recent(self) }

    package func writable() throws(FileProblem) -> any WritableStorage { try WritableRclone.at(self) }

    package func target(_ application: RemoteName) throws(FileProblem) -> any StorageTarget {
        let target = try RcloneTarget(self, application)
        try target.check()
        return target
    }

    package func entries() throws(FileProblem) -> FolderListing {
        try RcloneStorage.entries(of: self, .running())
    }
}

extension RcloneTarget: StorageTarget {
    package var root: FilePath { address.root }

    package func upload(of tree: RemoteTree) throws(FileProblem) -> (any StorageUpload)? {
        isBucket ? try RcloneBucketCopy(tree, to: self) : nil
    }
}

extension RcloneBucketCopy: StorageUpload {}
