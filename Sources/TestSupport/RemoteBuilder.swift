package import SystemCalls
package import SystemPackage
package import TICDSCore

/// Makes remotes in a temporary folder, which is removed with the builder.
package final class RemoteBuilder: Sendable {
    /// The folder that contains the remote.
    package let folder: TemporaryFolder
    /// The remote: the application folder.
    package let root: FilePath

    package init(application: String = "com.example.notes", in parent: FilePath? = nil) throws {
        folder = try TemporaryFolder(in: parent, prefix: "ticds-remote")
        root = folder.path.appending(application)
        try TestFiles.makeFolder(root)
    }

    package var storage: LocalStorage { LocalStorage(root: root) }

    /// Makes the folders that the first client of an app makes (ticds-remote-format(5), 1.3).
    @discardableResult
    package func skeleton() throws -> RemoteBuilder {
        for name in ["ClientDevices", "Documents", "Encryption"] { try makeFolder(name) }
        for name in ["DeletedDocuments", "DeletedClients"] { try makeFolder("Information/" + name) }
        return try write("ReadMe.txt", "Files of an application.")
    }

    /// Registers a client.
    @discardableResult
    package func client(_ client: String, description: String = "A Mac") throws -> RemoteBuilder {
        try write(
            "ClientDevices/\(client)/deviceInfo.plist",
            Self.propertyList([
                ("kTICDSClientDeviceDescription", description), ("kTICDSClientDeviceIdentifier", client),
            ]))
    }

    /// Makes a document with its folders and an integrity key.
    @discardableResult
    package func document(_ document: String, description: String = "Notes") throws -> RemoteBuilder {
        let path = "Documents/\(document)/"
        for name in [
            "SyncChanges", "SyncCommands", "RecentSyncs", "DeletedClients", "WholeStore",
            "TemporaryFiles/WholeStore",
        ] { try makeFolder(path + name) }
        try write(path + "IntegrityKey/0F1E2D3C-KEY", "key")
        return try write(
            path + "documentInfo.plist",
            Self.propertyList([
                ("kTICDSDocumentDescription", description), ("kTICDSDocumentIdentifier", document),
            ]))
    }

    /// Registers a client with a document.
    @discardableResult
    package func join(_ client: String, _ document: String) throws -> RemoteBuilder {
        try makeFolder("Documents/\(document)/SyncChanges/\(client)")
        return try makeFolder("Documents/\(document)/SyncCommands/\(client)")
    }

    /// Writes a change set with `content`; `time` counts seconds since 1970.
    @discardableResult
    package func changeSet(
        _ identifier: String, of client: String, in document: String, time: Int64, content: String = "set"
    ) throws -> RemoteBuilder {
        try write("Documents/\(document)/SyncChanges/\(client)/\(identifier).syncchg", content, time: time)
    }

    @discardableResult
    package func recentSync(of client: String, in document: String, time: Int64) throws -> RemoteBuilder {
        try write("Documents/\(document)/RecentSyncs/\(client).recentsync", "sync", time: time)
    }

    @discardableResult
    package func wholeStore(
        of client: String, in document: String, time: Int64, content: String = "store"
    ) throws -> RemoteBuilder {
        try write("Documents/\(document)/WholeStore/\(client)/WholeStore.ticdsync", content, time: time)
    }

    /// Writes a file at a path below the remote, and the folders on the path.
    @discardableResult
    package func write(_ path: String, _ content: String, time: Int64? = nil) throws -> RemoteBuilder {
        let file = root.pushing(FilePath(path))
        try TestFiles.makeFolders(file.removingLastComponent())
        try TestFiles.write(file, Array(content.utf8))
        if let time { try TestFiles.setTime(file, FileTime(seconds: time)) }
        return self
    }

    @discardableResult
    package func makeFolder(_ path: String) throws -> RemoteBuilder {
        try TestFiles.makeFolders(root.pushing(FilePath(path)))
        return self
    }

    /// Makes a symbolic link to `target` at a path below the remote.
    @discardableResult
    package func link(_ path: String, to target: String) throws -> RemoteBuilder {
        try TestFiles.link(root.pushing(FilePath(path)), to: target)
        return self
    }

    private static func propertyList(_ pairs: [(String, String)]) -> String {
        let body = pairs.map { "<key>\($0)</key><string>\($1)</string>" }.joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>"
    }
}
