import KeyedArchive
public import SystemCalls

/// One document: its clients, its files, and the clients that lag behind.
public struct DocumentReport: Sendable {
    /// Identifier of the document.
    public var identifier: RemoteName
    /// The content of `documentInfo.plist`; nil if it is missing or could not be read.
    public var info: DocumentInfo?
    /// The time of the folder `RecentSyncs`, as the framework shows it: also for a document that was never
    /// synchronised (ticds-protocol(7), 1.3 and D).
    public var lastSync: FileTime?
    /// Names in `IntegrityKey`; an intact document has one.
    public var integrityKeys: Seen<[RemoteName]>
    /// By identifier, including clients that have left only a whole store, a recent sync or a temporary file.
    public var clients: [DocumentClientReport]
    /// The clients that are members.
    public var members: Seen<[RemoteName]>
    /// The uploads, by client.
    public var wholeStores: Seen<[WholeStoreReport]>
    /// Clients removed from the document.
    public var deletedClients: Seen<[RemoteName]>
    /// The change sets of all clients.
    public var changeSets: Seen<FileTotals>
    /// The range from the oldest to the newest modification time of a change set.
    public var changeSetTimes: ClosedRange<FileTime>?
    /// The remains of uploads in `TemporaryFiles`.
    public var temporaryFiles: Seen<FileTotals>
    /// Blobs that the whole stores of one fork share.
    public var sharedExternalData: Seen<FileTotals>
    /// Missing folders among those that the framework makes with a document.
    public var missingFolders: [RemoteName]
    /// Names of these folders, and `documentInfo.plist`, that could not be listed, or only in part.
    public var unlisted: [RemoteName]
    /// Whether `documentInfo.plist` exists, readable or not.
    public var hasDocumentInfo: Seen<Bool>

    /// The app's description of the document.
    public var description: String? { info?.description }
}

/// One client of a document.
public struct DocumentClientReport: Sendable {
    /// Identifier of the client.
    public var identifier: RemoteName
    /// The app's description of the device, from `ClientDevices`.
    public var description: String?
    /// Whether `SyncChanges/<client>` exists, which makes the client a member of the document; nil if that could not be
    /// read.
    public var isMember: Bool?
    /// Whether the document has a tombstone of the client; nil if that could not be read.
    public var hasTombstone: Bool?
    /// The time of `RecentSyncs/<client>.recentsync` (ticds-protocol(7), 1.5); nil means unknown, not never.
    public var lastSync: FileTime?
    /// The time of `WholeStore/<client>/WholeStore.ticdsync`.
    public var wholeStoreUploaded: Seen<FileTime?>
    /// Its change sets.
    public var changeSets: Seen<FileTotals>
    /// The range from its oldest to its newest change set, by modification time; nil without change sets.
    public var changeSetTimes: ClosedRange<FileTime>?
    /// The remains of its uploads in `TemporaryFiles`.
    public var temporaryFiles: Seen<FileTotals>
    /// The sets that the client had not applied when it uploaded its register; nil without a readable register.
    public var lag: ClientLag?
    /// Whether the framework's own list of the document's clients contains it; nil if that could not be read.
    public var isListed: Bool?
}

/// The lag of a client behind the others when it uploaded its register.
public struct ClientLag: Equatable, Sendable {
    /// Change sets of one author that the register does not name.
    public struct Author: Hashable, Sendable {
        /// Identifier of the author.
        public var client: RemoteName
        /// The number of these sets.
        public var changeSets: Int
        /// The time of the oldest set.
        public var oldest: FileTime
    }

    /// The modification time of the register. The time after it is unknown.
    public var asOf: FileTime
    /// Number of change sets that the register names.
    public var applied: Int
    /// The authors, by identifier; authors whose every set is applied are left out.
    public var behind: Seen<[Author]>

    /// Change sets of all authors that are not applied.
    public var notApplied: Seen<Int> { behind.map { $0.reduce(0) { $0 + $1.changeSets } } }
}

/// A whole store that a client uploaded.
public struct WholeStoreReport: Sendable {
    /// Identifier of the client that uploaded it.
    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    /// The kind of the store; nil if it is missing or could not be read.
    public var kind: WholeStoreKind?
    /// Whether the client's folder contains no store; nil if that could not be read.
    public var isMissing: Bool?
    /// The size in bytes; for a folder, of all its files.
    public var size: Seen<Int64>
    /// The time that the framework takes for the time of the upload; it is the time of the app's last write.
    public var modified: FileTime?
    /// The number of regular files: 1, or those of the folder.
    public var files: Seen<Int>
    /// The register beside the store; nil if there is none.
    public var register: Seen<RemoteFile?>

    /// - Parameter gap: the reason why there may be more in its folder than was listed; nil if there is none.
    init(
        _ store: WholeStoreSnapshot, gap: FileProblem?, isEncrypted: Bool, reader: inout ReportReader
    ) {
        client = store.client
        path = store.path
        let isWhole = store.store != nil && !store.isFolder
        // A service leaves one byte in place of a store that it has not delivered.
        let stub = store.store.flatMap { file in
            file.size == 1 ? CloudPlaceholder.oneByte.problem(file.path.filePath(under: reader.root)) : nil
        }
        size = Seen(store.store?.size ?? 0, isWhole ? stub : gap)
        modified = store.store?.modified
        files = Seen(
            store.isFolder ? store.storeFiles.count : store.store == nil ? 0 : 1, isWhole ? nil : gap)
        register = Seen(store.register, store.register == nil ? gap : nil)
        isMissing = store.store != nil ? false : gap == nil ? true : nil
        kind = Self.kind(of: store, isEncrypted: isEncrypted, reader: &reader)
    }

    private static func kind(
        of store: WholeStoreSnapshot, isEncrypted: Bool, reader: inout ReportReader
    ) -> WholeStoreKind? {
        guard let file = store.store else { return nil }
        if store.isFolder { return .folder }
        return reader.head(file, count: PlainSignature.headSize).map {
            WholeStoreKind(head: $0, kind: .file, isEncrypted: isEncrypted)
        }
    }
}

/// Change sets of one client that another client of the document may not have applied yet.
///
/// The applied sets of a client are known from the register beside its whole store, as of the upload, and from its
/// recent sync: it has fetched everything older (ticds-protocol(7), 1.9). Both lag behind the truth, so this is an
/// upper bound.
public struct UnappliedChangeSets: Hashable, Sendable {
    /// The client that may lack them.
    public var client: RemoteName
    /// The largest number of sets that it may lack.
    public var changeSets: Int
    /// The time of the oldest set.
    public var oldest: FileTime
    /// The time of the latest evidence of the sets that the client has applied; nil if there is none.
    public var asOf: FileTime?

    /// The counts, by client; clients that have everything are left out.
    public static func of(
        _ author: RemoteName, _ document: DocumentSnapshot, _ report: DocumentReport
    ) -> Seen<[UnappliedChangeSets]> {
        let problem =
            report.members.problem ?? report.clients.first { $0.identifier == author }?.changeSets.problem
        return Seen(listed(author, document, report), problem)
    }

    private static func listed(
        _ author: RemoteName, _ document: DocumentSnapshot, _ report: DocumentReport
    ) -> [UnappliedChangeSets] {
        guard let times = document.client(author)?.changeSets.map(\.modified), !times.isEmpty else {
            return []
        }
        let others = report.clients.filter { $0.isMember == true && $0.identifier != author }
        return others.compactMap { other in
            let registered = other.lag.map { lag in lag.behind.part.first { $0.client == author } }
            // A register that names every set decides.
            if case .some(.none) = registered { return nil }
            let newer = times.filter { time in other.lastSync.map { time > $0 } ?? true }
            guard let oldest = newer.min() else { return nil }
            let lacking = registered.flatMap(\.self)
            return UnappliedChangeSets(
                client: other.identifier, changeSets: min(newer.count, lacking?.changeSets ?? newer.count),
                oldest: max(oldest, lacking?.oldest ?? oldest),
                asOf: [other.lag?.asOf, other.lastSync].compactMap(\.self).max())
        }
    }
}
