import Base
import CoreDataStore
import SystemCalls
import TICDSCore

/// Simulates the use of the content of one fetched change set (ticds-protocol(7), 2.2 and 4.3).
struct FetchedContent {
    let context: VerificationContext
    let variant: Variant
    let decrypts: Bool
    let model: ClientModel
    let objects: KnownObjects

    typealias Fate = SimulatedChangeSet.Fate

    /// The fate of a set, and the reason, if the fate alone does not show it.
    struct Result {
        var fate: Fate
        var reason: String?
        var onICloud: Refusal.OnICloud?

        init(_ fate: Fate, _ reason: String? = nil, _ onICloud: Refusal.OnICloud? = nil) {
            self.fate = fate
            self.reason = reason
            self.onICloud = onICloud
        }
    }

    func result(of path: RemotePath, _ entry: FolderEntry) -> Result {
        switch entry.kind {
        case .symbolicLink, .special: return Result(.unknown)
        case .folder:
            // The File Manager variant crashes at the decryption of a folder, as was observed.
            let isFetched = variant == .fileManager || (variant == .iCloud && !decrypts)
            return Result(isFetched ? .crashes : .cannotBeFetched)
        case .file: break
        }
        let isChecked = entry.size <= Int64(context.memoryLimit)
        if decrypts {
            var plain: [UInt8] = []
            switch EncryptedFetch(context: context).state(of: path, plain: { if isChecked { plain += $0 } }) {
            case .opens: return isChecked ? result(SharedBytes(plain), path) : Result(.unknown)
            case .missing, .folder, .tooShort, .refused: return Result(.cannotBeFetched)
            case .notChecked: return Result(.unknown)
            }
        }
        let bytes = context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: context.readLimit)
        }
        guard isChecked, let bytes else { return Result(.unknown) }
        return result(bytes, path)
    }

    /// Core Data opens an empty file as an empty store. The framework replaces a store that Core Data calls corrupt
    /// (error 259) by an empty one, and handles no other error (core-data-binary-store(5), 1).
    private func result(_ bytes: SharedBytes, _ path: RemotePath) -> Result {
        if bytes.count < BinaryStoreHeader.size { return Result(.swallowedAsEmpty) }
        let isSQLite = PlainSignature(bytes) == .sqlite
        guard isSQLite ? variant == .iCloud : bytes.starts(with: BinaryStoreHeader.magic) else {
            let isEncrypted = EncryptedFile.looksEncrypted(bytes, size: Int64(bytes.count))
            return Result(
                .crashes,
                isEncrypted
                    ? "A client that works without encryption \(EncryptedFile.fateOfEncryptedSet)" : nil)
        }
        let versions = bytes.array(8..<16)
        guard isSQLite || versions == [0, 0, 0, 1, 0x08, 0x04, 0x08, 0x00] else { return Result(.crashes) }
        do throws(FileProblem) {
            let reader = try ChangeSetReader(bytes, path: path.filePath(under: context.root))
            guard isSQLite || hasFrameworkHash(reader.metadata) else { return Result(.crashes) }
            return try opened(reader)
        } catch {
            // Without space for a private copy, the fate of an SQLite store is unknown.
            context.unread.note(error, at: path)
            if error.isUnread { return Result(.unknown) }
            return Result(isSQLite ? .crashes : .swallowedAsEmpty)
        }
    }

    /// The framework reads the sync IDs of all changes before it applies the first change.
    private func opened(_ reader: ChangeSetReader) throws(FileProblem) -> Result {
        var lacksSyncID = false
        var found = Result(.applied)
        var number = 0
        try reader.forEachChange { change in
            number += 1
            if change.objectSyncID == nil { lacksSyncID = true }
            guard !ends(found) else { return }
            let next = result(of: change, number)
            if rank(next) > rank(found) { found = next }
            objects.note(change)
        }
        if ends(found) || !lacksSyncID { return found }
        return Result(.mayCrash)
    }

    private func result(of change: SyncChange, _ number: Int) -> Result {
        switch model.verdict(on: change) {
        case .applicable: return Result(.applied)
        case .unknown(let text): return Result(.notCompared, text)
        case .raises(let refusal):
            let text = "change \(number) \(refusal.text)"
            guard refusal.needsObject else { return Result(.raises, text, refusal.onICloud) }
            switch objects.has(change.objectSyncID) {
            case true?: return Result(.raises, text, refusal.onICloud)
            case false?: return Result(.applied)
            case nil:
                return Result(
                    skips(refusal.onICloud) ? .raises : .mayCrash, text, refusal.onICloud)
            }
        }
    }

    private func skips(_ onICloud: Refusal.OnICloud?) -> Bool {
        variant == .iCloud && (onICloud == .skipsEdit || onICloud == .skipsNothing)
    }

    /// Whether the client applies no later change of the set.
    private func ends(_ result: Result) -> Bool { result.fate == .raises && !skips(result.onICloud) }

    private func rank(_ result: Result) -> Int {
        switch result.fate {
        case .raises: ends(result) ? 4 : result.onICloud == .skipsNothing ? 1 : 2
        case .mayCrash: 3
        case .notCompared: 2
        default: 0
        }
    }

    /// Core Data refuses a store of a different model, with an error that is not 259.
    private func hasFrameworkHash(_ metadata: StoreMetadata) -> Bool {
        let entity = FrameworkModels.syncChangeEntity
        return metadata.versionHashes[entity] == FrameworkModels.syncChange.versionHash(of: entity)
    }
}

/// Simulates the framework's decryption of one file of an encrypted remote (ticds-protocol(7), 3.3). An unencrypted
/// file fails like a damaged one, since the framework never checks whether a file is encrypted.
struct EncryptedFetch {
    let context: VerificationContext

    enum State {
        case opens
        case missing
        case folder
        /// 32 bytes or fewer: fails without the error code for a wrong password.
        case tooShort
        case refused
        /// There is no password, or the file could not be read; the reason begins a sentence.
        case notChecked(String)
    }

    /// - Parameter plain: receives the plain text in pieces, which are authentic only if the result is `.opens`.
    func state(of path: RemotePath, plain: (UnsafeRawBufferPointer) -> Void = { _ in }) -> State {
        let seen = context.snapshot.tree[path]
        guard let entry = seen.part else {
            return seen.isMissing ? .missing : .notChecked("The folder of the file could not be listed")
        }
        switch entry.kind {
        case .file: break
        case .folder: return .folder
        case .symbolicLink, .special: return .notChecked("The file is not a plain file")
        }
        if entry.size <= 32 { return .tooShort }
        guard EncryptedFile.canHaveSize(Int(clamping: entry.size)) else { return .refused }
        guard let key = context.keyring.key else {
            return .notChecked("Without a password no file can be decrypted")
        }
        let reader = RangeReader(context.storage, path)
        do throws(FileProblem) {
            try EncryptedFile.decrypt(reader, with: key, budget: context.memoryLimit) { plain($0) }
            return .opens
        } catch {
            context.unread.note(error, at: path)
            switch error.kind {
            case .damaged, .wrongPassword: return .refused
            case .missing: return .missing
            default: return .notChecked("The file could not be read here (\(error.problem))")
            }
        }
    }
}
