public import SystemCalls

/// One document: who syncs it, what lies there, and who lags behind.
public struct DocumentReport: Sendable {
    /// Identifier of the document.
    public var identifier: RemoteName
    /// What `documentInfo.plist` says; nil where it is missing or could not be read.
    public var info: DocumentInfo?
    /// The time of the folder `RecentSyncs`, as the framework shows it: also for a document that was never
    /// synchronised (ticds-protocol(7), 4.3 and D).
    public var lastSync: FileTime?
    /// Names in `IntegrityKey`; a sound document has one.
    public var integrityKeys: [RemoteName]
    /// By identifier; also those that have left only a whole store, a recent sync or a temporary file behind.
    public var clients: [DocumentClientReport]
    /// What clients uploaded, by client.
    public var wholeStores: [WholeStoreReport]
    /// Clients removed from the document.
    public var deletedClients: [RemoteName]
    /// The change sets of all clients.
    public var changeSets: FileTotals
    /// From the oldest to the newest modification time of a change set.
    public var changeSetTimes: ClosedRange<FileTime>?
    /// What uploads left behind.
    public var temporaryFiles: FileTotals
    /// Blobs that the whole stores of one fork share.
    public var sharedExternalData: FileTotals
    /// Folders that the framework makes with a document and that are not there.
    public var missingFolders: [RemoteName]
    /// Whether `documentInfo.plist` is there, readable or not.
    public var hasDocumentInfo: Bool

    /// What the app called the document.
    public var description: String? { info?.description }
}

/// One client of a document.
public struct DocumentClientReport: Sendable {
    /// Identifier of the client.
    public var identifier: RemoteName
    /// What the app called the device, out of `ClientDevices`.
    public var description: String?
    /// True where `SyncChanges/<client>` exists: only then does the document count the client.
    public var isMember: Bool
    /// Whether the document has a tombstone of the client.
    public var hasTombstone: Bool
    /// The time of `RecentSyncs/<client>.recentsync` (ticds-protocol(7), 4.5); nil says unknown, not never.
    public var lastSync: FileTime?
    /// The time of `WholeStore/<client>/WholeStore.ticdsync`.
    public var wholeStoreUploaded: FileTime?
    /// Its change sets.
    public var changeSets: FileTotals
    /// From its oldest to its newest change set, by modification time; nil where it has none.
    public var changeSetTimes: ClosedRange<FileTime>?
    /// What its uploads left behind.
    public var temporaryFiles: FileTotals
    /// What the client had not applied when it uploaded its register; nil without a register that can be read.
    public var lag: ClientLag?
    /// False where the framework's own list of the document's clients leaves it out.
    public var isListed: Bool
}

/// How far a client was behind the others when it uploaded its register.
public struct ClientLag: Hashable, Sendable {
    /// Change sets of one author that the register does not name.
    public struct Author: Hashable, Sendable {
        /// Identifier of the author.
        public var client: RemoteName
        /// How many there are.
        public var changeSets: Int
        /// The oldest of them.
        public var oldest: FileTime
    }

    /// The modification time of the register: later than this nothing is known.
    public var asOf: FileTime
    /// Number of change sets that the register names.
    public var applied: Int
    /// By identifier; authors whose every set is applied are left out.
    public var behind: [Author]

    /// Change sets of all authors that are not applied.
    public var notApplied: Int { behind.reduce(0) { $0 + $1.changeSets } }
}
