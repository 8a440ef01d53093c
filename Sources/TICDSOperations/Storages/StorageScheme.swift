package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A kind of storage elsewhere, which addresses with a beginning of their own name. `StorageSchemes` lists all.
package protocol StorageScheme {
    /// What its addresses begin with, such as `rclone:`.
    static var prefix: String { get }
    /// The form of its addresses, for the error about one that has another.
    static var form: String { get }
    /// What helps somebody who wrote a malformed address.
    static var advice: String { get }

    /// The place that a text names; nil for a text that is no address of this kind.
    static func address(_ text: String) -> (any StorageAddress)?

    /// A text without secrets, such as passwords in addresses.
    static func hidden(in text: String) -> String

    /// What can stand in place of the beginning of an address, for completions.
    static func completions(_ typed: String) throws(FileProblem) -> [String]

    /// Chooses how many files are fetched or uploaded at the same time.
    static func choose(transfers: Int)
}

/// A folder in a storage elsewhere: that of a remote, or one around it.
package protocol StorageAddress: Hashable, Sendable {
    /// The address for people, without secrets, as a path: for errors, and for the name of the remote.
    var root: FilePath { get }

    /// Whether the address has no secrets, and names the same place tomorrow.
    var isLasting: Bool { get }

    /// A path that no other storage has, for what this machine remembers about the remote at `root`.
    func identity(found root: FilePath) -> FilePath

    /// Finds the remote: the place itself, or the only remote among its subfolders.
    func findRemote() throws(FileProblem) -> any RemoteStorage

    /// The same as it was at most a minute ago: for completions alone.
    func recentRemote() throws(FileProblem) -> any RemoteStorage

    /// What changes the remote at this place.
    /// - Throws: `.refused` if nothing can be changed there.
    func writable() throws(FileProblem) -> any WritableStorage

    /// The place for a copy of a remote.
    /// - Parameter application: the identifier of the app, which must be the name of the folder.
    /// - Throws: `.refused` if the copy cannot be put there.
    func target(_ application: RemoteName) throws(FileProblem) -> any StorageTarget

    /// The entries of the folder, which need not be a remote.
    func entries() throws(FileProblem) -> FolderListing

    /// A folder in this one.
    func appending(_ name: String) -> Self
}

/// The place in a storage elsewhere where a copy of a remote is put.
package protocol StorageTarget: Sendable {
    /// The application folder to be.
    var root: FilePath { get }
    /// The folder as a planner sees it.
    var place: CopyPlace { get }

    /// The upload of a copy that appears file by file; nil where a plan puts the copy in its place.
    /// - Throws: `.refused` if something else is there.
    func upload(of tree: RemoteTree) throws(FileProblem) -> (any StorageUpload)?
}

/// The upload of a copy to a storage that cannot put a whole folder in its place.
package protocol StorageUpload: Sendable {
    /// Uploads what is missing.
    /// - Parameters:
    ///   - local: the folder with the tree on this machine, which nobody else changes.
    ///   - progress: called with the number of files that were uploaded, and of all of them.
    /// - Throws: `.interrupted` if `isInterrupted` says so. What was uploaded stays, and the next copy goes on.
    func run(
        from local: FilePath, isInterrupted: @escaping @Sendable () -> Bool,
        _ progress: @escaping @Sendable (Int, Int) -> Void
    ) throws(FileProblem)
}
