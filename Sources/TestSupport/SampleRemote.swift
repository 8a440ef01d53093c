public import SystemCalls
public import SystemPackage

/// A copy of a remote of the fixtures, with its times, in a temporary folder that is removed with this value.
public struct SampleRemote: Sendable {
    public let folder: TemporaryFolder
    /// The description beside the remote, a JSON document.
    public let description: FilePath

    /// The names of all single remotes.
    public static let names = [
        "dropbox-plain-zip", "enc-multi", "enc-trimmed-password", "plain-empty", "plain-multi",
        "plain-removed",
        "plain-shortids", "plain-unicode", "plain-userinfo",
    ]

    /// The names of all pairs of remotes, before and after an operation.
    public static let pairs = [
        "op-create-document", "op-delete-client", "op-delete-client-encrypted", "op-delete-client-unknown",
        "op-delete-document", "op-delete-document-encrypted", "op-join-document",
        "op-recreate-deleted-document", "op-register-client", "op-register-client-encrypted",
        "op-rejoin-after-removal", "op-remove-all", "op-sync-nothing", "op-upload-store", "op-vacuum",
    ]

    public init(_ name: String) throws {
        folder = try TemporaryFolder(prefix: "ticds-sample")
        description = try Fixtures.remotes.pushing(FilePath("\(name).json"))
        try Self.copy(name, into: folder.path)
    }

    /// Copies the folders of a remote or pair into an existing folder.
    public static func copy(_ name: String, into folder: FilePath) throws {
        try Fixtures.run([
            "cp", "-a", try Fixtures.remotes.pushing(FilePath("\(name)/.")).string, folder.string,
        ])
    }

    /// The folder `remote` (or `before` or `after` of a pair), which contains the folder of the application.
    public func parent(_ part: String = "remote") -> FilePath { folder.path.appending(part) }
}
