import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore

/// What becomes of the content of one fetched change set (ticds-protocol(7), 5.2 and 7.3).
struct FetchedContent {
    private let context: VerificationContext
    private let variant: Variant
    /// Whether the client decrypts what it fetches.
    private let decrypts: Bool
    private let model: ClientModel

    typealias Fate = SimulatedChangeSet.Fate

    /// What becomes of a set, and why where the fate alone does not tell.
    struct Result {
        var fate: Fate
        var reason: String?
        /// Whether the exception is raised while an attribute is set.
        var isOfAttribute = false

        init(_ fate: Fate, _ reason: String? = nil, isOfAttribute: Bool = false) {
            self.fate = fate
            self.reason = reason
            self.isOfAttribute = isOfAttribute
        }
    }

    init(_ context: VerificationContext, _ variant: Variant, decrypts: Bool, _ model: ClientModel) {
        self.context = context
        self.variant = variant
        self.decrypts = decrypts
        self.model = model
    }

    func result(of path: RemotePath, _ entry: FolderEntry) -> Result {
        switch entry.kind {
        case .symbolicLink, .special: return Result(.unknown)
        case .folder: return Result(decrypts || variant == .dropbox ? .cannotBeFetched : .crashes)
        case .file: break
        }
        let isChecked = entry.size <= Int64(context.memoryLimit)
        if decrypts {
            var plain: [UInt8] = []
            switch EncryptedFetch(context).state(of: path, plain: { if isChecked { plain += $0 } }) {
            case .opens: return isChecked ? result(SharedBytes(plain), path) : Result(.unknown)
            case .missing, .tooShort, .refused: return Result(.cannotBeFetched)
            case .notChecked: return Result(.unknown)
            }
        }
        let bytes = context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: context.readLimit)
        }
        guard isChecked, let bytes else { return Result(.unknown) }
        return result(bytes, path)
    }

    /// A file of no bytes is an empty store. Of damaged ones, those that Core Data calls corrupt (error 259) are
    /// replaced by an empty store; all other errors are not made good (core-data-binary-store(5), 1).
    private func result(_ bytes: SharedBytes, _ path: RemotePath) -> Result {
        if bytes.count < BinaryStoreHeader.size { return Result(.swallowedAsEmpty) }
        let isSQLite = PlainSignature(bytes) == .sqlite
        guard isSQLite ? variant == .iCloud : bytes.starts(with: BinaryStoreHeader.magic) else {
            let isEncrypted = EncryptedFile.looksEncrypted(bytes, size: Int64(bytes.count))
            return Result(
                .crashes,
                isEncrypted
                    ? "A client that works without encryption \(EncryptionPlanner.fateOfEncryptedSet)" : nil)
        }
        let versions = bytes.array(8..<16)
        guard isSQLite || versions == [0, 0, 0, 1, 0x08, 0x04, 0x08, 0x00] else { return Result(.crashes) }
        do throws(FileProblem) {
            let reader = try ChangeSetReader(bytes, path: path.filePath(under: context.root))
            guard isSQLite || hasFrameworkHash(reader.metadata) else { return Result(.crashes) }
            return try opened(reader)
        } catch {
            return Result(isSQLite ? .crashes : .swallowedAsEmpty)
        }
    }

    /// The identifiers of all changes are looked at before the first change is applied.
    private func opened(_ reader: ChangeSetReader) throws(FileProblem) -> Result {
        var lacksSyncID = false
        var found: Result?
        var number = 0
        try reader.forEachChange { change in
            number += 1
            if change.objectSyncID == nil { lacksSyncID = true }
            guard found == nil || found?.fate == .notCompared else { return }
            switch model.verdict(on: change) {
            case .applicable: break
            case .raises(let text, let ofAttribute):
                found = Result(.raises, "change \(number) \(text)", isOfAttribute: ofAttribute)
            case .unknown(let text): found = found ?? Result(.notCompared, text)
            }
        }
        if let found, found.fate == .raises { return found }
        return lacksSyncID ? Result(.mayCrash) : found ?? Result(.applied)
    }

    /// Core Data refuses a store of another model, with an error that is not 259.
    private func hasFrameworkHash(_ metadata: StoreMetadata) -> Bool {
        let entity = FrameworkModels.syncChangeEntity
        return metadata.versionHashes[entity] == FrameworkModels.syncChange.versionHash(of: entity)
    }
}
