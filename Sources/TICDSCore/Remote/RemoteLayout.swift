/// Every name that the framework gives to files and folders of a remote (ticoredatasync.md, 1.3).
public enum RemoteLayout {
    public static let readMe: RemoteName = "ReadMe.txt"
    public static let clientDevices: RemoteName = "ClientDevices"
    public static let documents: RemoteName = "Documents"
    public static let encryption: RemoteName = "Encryption"
    public static let information: RemoteName = "Information"

    public static let deviceInfo: RemoteName = "deviceInfo.plist"
    public static let salt: RemoteName = "salt.ticdsync"
    public static let encryptionTest: RemoteName = "test.ticdsync"
    public static let deletedDocuments: RemoteName = "DeletedDocuments"
    /// In `Information` (made, never used) and in each document (the tombstones of removed clients).
    public static let deletedClients: RemoteName = "DeletedClients"

    public static let documentInfo: RemoteName = "documentInfo.plist"
    public static let integrityKey: RemoteName = "IntegrityKey"
    public static let syncChanges: RemoteName = "SyncChanges"
    public static let syncCommands: RemoteName = "SyncCommands"
    public static let recentSyncs: RemoteName = "RecentSyncs"
    /// The folder of whole stores, in a document and in its `TemporaryFiles`.
    public static let wholeStore: RemoteName = "WholeStore"
    public static let temporaryFiles: RemoteName = "TemporaryFiles"

    public static let wholeStoreFile: RemoteName = "WholeStore.ticdsync"
    public static let appliedSyncChangeSets: RemoteName = "AppliedSyncChangeSets.ticdsync"
    /// Blobs that the whole stores of one fork share; not a client (operator-needs.md, "Four layouts").
    public static let sharedExternalData: RemoteName = "SharedExternalData"

    public static let changeSetSuffix = ".syncchg"
    public static let commandSetSuffix = ".synccmd"
    public static let recentSyncSuffix = ".recentsync"
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

    /// The framework leaves identifiers and keys shorter than this out of its lists (ticoredatasync.md, 1.5).
    public static let shortestListedName = 5
}
