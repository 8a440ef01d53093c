import SystemCalls
import SystemPackage

/// The encrypted files of a remote. The census opens every file.
public struct EncryptionCensus: Sendable {
    /// A file in an unexpected state, and the reason.
    public struct Exception: Hashable, Sendable {
        /// The file.
        public var file: RemoteFile
        /// The problem of the file, in words.
        public var problem: String
    }

    /// Files that the key opens, including strays. Without a key: the unencrypted files to encrypt.
    public private(set) var sound: ProtectedFiles
    /// Files that are unencrypted although the remote is encrypted.
    public private(set) var plain: [Exception] = []
    /// Files that the key does not open, that look encrypted although the remote is not, or that are not local.
    public private(set) var unreadable: [Exception] = []

    /// Reads every file that clients encrypt in this remote to its end.
    /// - Parameter key: the key of the remote.
    public init(
        _ snapshot: RemoteSnapshot, _ storage: any RemoteStorage, key: SyncKey, form: EncryptedFile.HMACForm,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        let keyring = RemoteKeyring(.checked(key), form: form)
        self.init(snapshot, progress) { file in Self.verdict(file, storage, keyring) }
    }

    /// Reads the beginning of every file of an unencrypted remote that clients of an encrypted remote would encrypt.
    public init(
        ofPlain snapshot: RemoteSnapshot, _ storage: any RemoteStorage,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        self.init(snapshot, progress) { file in Self.verdictOfPlain(file, storage) }
    }

    private enum Verdict { case sound, plain(String), unreadable(String), stranger }

    private init(
        _ snapshot: RemoteSnapshot, _ progress: (Int, Int) -> Void, _ check: (ProtectedFile) -> Verdict
    ) {
        let files = snapshot.protectedFiles()
        let absent = snapshot.absentFiles
        let absentPaths = Set(absent.map(\.path))
        var areSound: [Bool] = []
        areSound.reserveCapacity(files.count)
        for (number, file) in files.enumerated() {
            areSound.append(false)
            switch absentPaths.contains(file.file.path) ? .stranger : check(file) {
            case .sound: areSound[number] = true
            case .plain(let text): plain.append(Exception(file: file.file, problem: text))
            case .unreadable(let text): unreadable.append(Exception(file: file.file, problem: text))
            case .stranger: break
            }
            progress(number + 1, files.count)
        }
        sound = files
        sound.keep { areSound[$0] }
        for stray in absent {
            guard let absence = stray.absence else { continue }
            let file = RemoteFile(path: stray.path, size: stray.size, modified: stray.modified)
            let place = absence.isDeliverable ? "its content is not on this machine: " : ""
            unreadable.append(Exception(file: file, problem: place + absence.text))
        }
        for problem in snapshot.problems {
            let path = snapshot.tree.place(of: problem)
            let file = RemoteFile(path: path, size: 0, modified: FileTime(seconds: 0))
            unreadable.append(Exception(file: file, problem: problem.problem))
        }
    }

    private static func verdict(
        _ file: ProtectedFile, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) -> Verdict {
        let isExpected = file.isExpected
        if file.file.size == 0 { return isExpected ? .unreadable("empty") : .stranger }
        do throws(FileProblem) {
            let head = try storage.head(file.file.path, count: PlainSignature.headSize)
            if let signature = PlainSignature(head) {
                return isExpected ? .plain("not encrypted (\(signature.rawValue))") : .stranger
            }
            try keyring.decryptPrivately(RangeReader(storage, file.file.path)) { _ in }
            return .sound
        } catch {
            return isExpected || error.isUnread ? .unreadable(error.problem) : .stranger
        }
    }

    private static func verdictOfPlain(_ file: ProtectedFile, _ storage: any RemoteStorage) -> Verdict {
        guard file.isExpected else { return .stranger }
        if file.isInFolderOfStore {
            return .unreadable("clients cannot encrypt whole stores that are folders")
        }
        if file.file.size == 0 { return .unreadable("empty") }
        do throws(FileProblem) {
            let head = try storage.head(file.file.path, count: PlainSignature.headSize)
            if PlainSignature(head) != nil { return .sound }
            let isStore = file.role == .wholeStore || file.role == .temporaryFile
            let looksEncrypted = EncryptedFile.canHaveSize(Int(file.file.size))
            return isStore && !looksEncrypted
                ? .sound : .unreadable("looks encrypted or damaged: clients cannot read it now")
        } catch {
            return .unreadable(error.problem)
        }
    }
}

extension ProtectedFile {
    /// Whether the file is part of a whole store that is a folder, or a blob that such stores share.
    package var isInFolderOfStore: Bool {
        role == .sharedExternalData
            || (file.path.names.contains(RemoteLayout.wholeStoreFile)
                && file.path.last != RemoteLayout.wholeStoreFile)
    }
}
