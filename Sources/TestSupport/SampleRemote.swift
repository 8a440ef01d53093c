public import SystemCalls
public import SystemPackage

/// A remote of the samples, unpacked (with its times) into a temporary folder that goes away with this value.
public struct SampleRemote: Sendable {
    public let folder: TemporaryFolder
    /// The description beside the archive: a JSON document.
    public let description: FilePath

    /// The names of all sample remotes.
    public static let names = [
        "dropbox-plain-zip", "enc-multi", "enc-trimmed-password", "plain-empty", "plain-multi",
        "plain-removed",
        "plain-shortids", "plain-unicode", "plain-userinfo",
    ]

    /// Unpacks `name`; `unpack` runs `tar xzf ARCHIVE -C FOLDER`, since starting programs is the tests' affair.
    public init(_ name: String, unpack: (_ archive: FilePath, _ folder: FilePath) throws -> Void) throws {
        folder = try TemporaryFolder(prefix: "ticds-sample")
        description = Samples.path("remotes/\(name).json")
        try unpack(Samples.path("remotes/\(name).tar.gz"), folder.path)
    }

    /// The folder named `remote` (or `before` or `after` of a pair) that holds the application's folder.
    public func parent(_ part: String = "remote") -> FilePath { folder.path.appending(part) }
}
