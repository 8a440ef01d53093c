/// Every name that the framework gives to files and folders of a remote (ticds-remote-format(5), 1.3).
public enum RemoteLayout {
    /// A text for people in the root of the remote.
    public static let readMe: RemoteName = "ReadMe.txt"
    /// The folder of the app's clients.
    public static let clientDevices: RemoteName = "ClientDevices"
    /// The folder of documents.
    public static let documents: RemoteName = "Documents"
    /// The folder with the salt and the password test.
    public static let encryption: RemoteName = "Encryption"
    /// The folder with the tombstones of deleted documents.
    public static let information: RemoteName = "Information"

    /// Name and identifier of a client, in its folder; see ``DeviceInfo``.
    public static let deviceInfo: RemoteName = "deviceInfo.plist"
    /// The salt of the password; never encrypted.
    public static let salt: RemoteName = "salt.ticdsync"
    /// The file by which clients try a password.
    public static let encryptionTest: RemoteName = "test.ticdsync"
    /// The path of the salt.
    public static let saltPath: RemotePath = [encryption, salt]
    /// The path of the file by which clients try a password.
    public static let encryptionTestPath: RemotePath = [encryption, encryptionTest]
    /// In `Information`: the tombstones of deleted documents.
    public static let deletedDocuments: RemoteName = "DeletedDocuments"
    /// In `Information` (made, never used) and in each document (the tombstones of removed clients).
    public static let deletedClients: RemoteName = "DeletedClients"

    /// Name and identifier of a document, in its folder; see ``DocumentInfo``.
    public static let documentInfo: RemoteName = "documentInfo.plist"
    /// In each document: the folder whose one file is the integrity key.
    public static let integrityKey: RemoteName = "IntegrityKey"
    /// In each document: the change sets, a folder for each client.
    public static let syncChanges: RemoteName = "SyncChanges"
    /// In each document: made for commands, never used.
    public static let syncCommands: RemoteName = "SyncCommands"
    /// In each document: a file for each client, whose time is the time of its last synchronisation.
    public static let recentSyncs: RemoteName = "RecentSyncs"
    /// The folder of whole stores, in a document and in its `TemporaryFiles`.
    public static let wholeStore: RemoteName = "WholeStore"
    /// In each document: uploads in progress, and the remains of interrupted uploads.
    public static let temporaryFiles: RemoteName = "TemporaryFiles"

    /// A whole store, in the folder of its client.
    public static let wholeStoreFile: RemoteName = "WholeStore.ticdsync"
    /// The register beside a whole store, which lists the change sets in the store.
    public static let appliedSyncChangeSets: RemoteName = "AppliedSyncChangeSets.ticdsync"
    /// Blobs that the whole stores of one fork share; not a client (ticds-field-notes(7), 1).
    public static let sharedExternalData: RemoteName = "SharedExternalData"

    /// Ends the name of a change set.
    public static let changeSetSuffix = ".syncchg"
    /// Ends the name of a set of commands.
    public static let commandSetSuffix = ".synccmd"
    /// The names of the entries directly in the folder of a remote.
    public static let topNames: Set<RemoteName> = [
        readMe, clientDevices, documents, encryption, information,
    ]
    /// Ends the name of a recent-sync file.
    public static let recentSyncSuffix = ".recentsync"
    /// Ends the name of a tombstone.
    public static let propertyListSuffix = ".plist"

    /// `ClientDevices/<client>/deviceInfo.plist`
    public static func deviceInfo(of client: RemoteName) -> RemotePath {
        [clientDevices, client, deviceInfo]
    }
    /// `Documents/<document>`
    public static func document(_ document: RemoteName) -> RemotePath { [documents, document] }
    /// `Documents/<document>/documentInfo.plist`
    public static func documentInfo(of document: RemoteName) -> RemotePath {
        [documents, document, documentInfo]
    }
    /// `Documents/<document>/SyncChanges/<client>`
    public static func syncChanges(of client: RemoteName, in document: RemoteName) -> RemotePath {
        [documents, document, syncChanges, client]
    }
    /// `Documents/<document>/WholeStore/<client>`
    public static func wholeStore(of client: RemoteName, in document: RemoteName) -> RemotePath {
        [documents, document, wholeStore, client]
    }

    /// Whether clients list a folder at this path, by its place and name alone.
    static func hasFolder(at path: RemotePath) -> Bool {
        let names = path.names
        guard let last = names.last, !last.isHidden else { return false }
        switch (names[0], names.count) {
        case (_, 1): return [clientDevices, documents, encryption, information].contains(last)
        case (clientDevices, 2), (documents, 2): return true
        case (information, 2): return [deletedDocuments, deletedClients].contains(last)
        case (documents, 3): return last != temporaryFiles && documentFolders.contains(last)
        case (documents, 4): return [syncChanges, syncCommands, wholeStore].contains(names[2])
        default: return false
        }
    }

    /// The folders of a document. Clients list all of them except the last one.
    static let documentFolders = [
        integrityKey, syncChanges, syncCommands, recentSyncs, deletedClients, wholeStore, temporaryFiles,
    ]

    /// The shortest listed name in UTF-16 units. The framework's lists leave out shorter identifiers and keys
    /// (ticds-remote-format(5), 1.5).
    public static let shortestListedName = 5
}
