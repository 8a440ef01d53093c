package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A kind of remote storage, whose addresses begin with its own prefix. `StorageSchemes` lists all.
package protocol StorageScheme {
    /// The beginning of its addresses, such as `rclone:`.
    static var prefix: String { get }
    /// The form of its addresses, for the error about a malformed address.
    static var form: String { get }
    /// The advice on a malformed address.
    static var advice: String { get }

    /// The place that a text names; nil for a text that is not an address of this kind.
    static func address(_ text: String) -> (any StorageAddress)?

    /// The text without secrets, such as passwords in addresses.
    static func hidden(in text: String) -> String

    /// Completions of the beginning of an address.
    static func completions(_ typed: String) throws(FileProblem) -> [String]

    /// Chooses how many files are fetched or uploaded at the same time.
    static func choose(transfers: Int)
}

/// A folder in a remote storage: that of a remote, or one around it.
package protocol StorageAddress: Hashable, Sendable {
    /// The address for people, without secrets, as a path: for errors, and for the name of the remote.
    var root: FilePath { get }

    /// Whether the address has no secrets, and names the same place tomorrow.
    var isLasting: Bool { get }

    /// A path that no other storage has, for what is stored locally about the remote at `root`.
    func identity(found root: FilePath) -> FilePath

    /// Finds the remote: the place itself, or the only remote among its subfolders.
    func findRemote() throws(FileProblem) -> any RemoteStorage

    /// The remote as it was at most a minute ago: only for completions.
    func recentRemote() throws(FileProblem) -> any RemoteStorage

    /// The writing side of the remote at this place.
    /// - Throws: `.refused` if the storage cannot be changed.
    func writable() throws(FileProblem) -> any WritableStorage

    /// The place for a copy of a remote.
    /// - Parameter application: the identifier of the app, which must be the name of the folder.
    /// - Throws: `.refused` if the copy cannot be written there.
    func target(_ application: RemoteName) throws(FileProblem) -> any StorageTarget

    /// The entries of the folder, which need not be a remote.
    func entries() throws(FileProblem) -> FolderListing

    /// A folder inside this folder.
    func appending(_ name: String) -> Self
}

/// The place in a remote storage where a copy of a remote is put.
package protocol StorageTarget: Sendable {
    /// The new application folder.
    var root: FilePath { get }
    /// The folder as planners see it.
    var place: CopyPlace { get }

    /// The upload of a copy that appears file by file; nil if a plan puts the copy in its place.
    /// - Throws: `.refused` if the place has a different content.
    func upload(of tree: RemoteTree) throws(FileProblem) -> (any StorageUpload)?
}

/// The upload of a copy to a storage that cannot put a whole folder in its place.
package protocol StorageUpload: Sendable {
    /// Uploads what is missing.
    /// - Parameters:
    ///   - local: the local folder with the tree, which no other process changes.
    ///   - progress: called with the number of uploaded files and the total.
    /// - Throws: `.interrupted` if `isInterrupted` says so. Uploaded files stay, and the next copy continues.
    func run(
        from local: FilePath, isInterrupted: @escaping @Sendable () -> Bool,
        _ progress: @escaping @Sendable (Int, Int) -> Void
    ) throws(FileProblem)
}
