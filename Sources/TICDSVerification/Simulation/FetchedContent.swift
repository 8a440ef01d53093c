import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore

/// What becomes of the content of one fetched change set (ticoredatasync.md, 5.2 and 7.3).
struct FetchedContent {
    private let context: VerificationContext
    private let variant: Variant

    typealias Fate = SimulatedChangeSet.Fate

    init(_ context: VerificationContext, _ variant: Variant) {
        self.context = context
        self.variant = variant
    }

    func fate(of path: RemotePath, _ entry: FolderEntry) -> Fate {
        switch entry.kind {
        case .symbolicLink, .special: return .unknown
        case .folder: return context.snapshot.isEncrypted || variant == .dropbox ? .cannotBeFetched : .crashes
        case .file: break
        }
        let isJudged = entry.size <= Int64(context.memoryLimit)
        if context.snapshot.isEncrypted {
            var plain: [UInt8] = []
            switch EncryptedFetch(context).state(of: path, plain: { if isJudged { plain += $0 } }) {
            case .opens: return isJudged ? fate(SharedBytes(plain), path) : .unknown
            case .missing, .tooShort, .refused: return .cannotBeFetched
            case .notJudged: return .unknown
            }
        }
        let bytes = context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: context.memoryLimit)
        }
        guard isJudged, let bytes else { return .unknown }
        return fate(bytes, path)
    }

    /// A file of no bytes is an empty store. Of damaged ones, those that Core Data calls corrupt (error 259) are
    /// replaced by an empty store; all other errors are not made good (core-data-binary-store.md, 1).
    private func fate(_ bytes: SharedBytes, _ path: RemotePath) -> Fate {
        if bytes.count < BinaryStoreHeader.size { return .swallowedAsEmpty }
        let isSQLite = PlainSignature(bytes) == .sqlite
        guard isSQLite ? variant == .iCloud : bytes.starts(with: BinaryStoreHeader.magic) else {
            return .crashes
        }
        let versions = bytes.array(8..<16)
        guard isSQLite || versions == [0, 0, 0, 1, 0x08, 0x04, 0x08, 0x00] else { return .crashes }
        do throws(FileProblem) {
            let reader = try ChangeSetReader(bytes, path: path.filePath(under: context.root))
            guard isSQLite || hasFrameworkHash(reader.metadata) else { return .crashes }
            var lacksSyncID = false
            try reader.forEachChange { change in
                if change.objectSyncID == nil { lacksSyncID = true }
            }
            return lacksSyncID ? .mayCrash : .applied
        } catch {
            return isSQLite ? .crashes : .swallowedAsEmpty
        }
    }

    /// Core Data refuses a store of another model, with an error that is not 259.
    private func hasFrameworkHash(_ metadata: StoreMetadata) -> Bool {
        let entity = FrameworkModels.syncChangeEntity
        return metadata.versionHashes[entity] == FrameworkModels.syncChange.versionHash(of: entity)
    }
}
