public import Base
import CoreDataStore
public import SystemCalls
public import SystemPackage

/// Decrypts the files of a remote, and encrypts new ones.
///
/// The bytes of a file show whether it is encrypted (ticds-protocol(7), 3.5). The keyring refuses an unencrypted file
/// in an encrypted remote, as clients do, because anyone with write access can have put it there; and an encrypted file
/// in an unencrypted remote. Do not use it for files that are never encrypted: the salt, `ReadMe.txt`, registers,
/// recent syncs.
public struct RemoteKeyring: Sendable {
    /// The state of the encryption and the key.
    public enum State: Sendable, Hashable {
        /// The remote has no salt.
        case plain
        /// The remote has a salt, but the password is missing.
        case locked
        /// A key that has opened a file of this remote.
        case checked(SyncKey)
        /// A key that could not be tried, because the remote contains no encrypted file.
        case unchecked(SyncKey)
    }

    /// Whether the remote is encrypted, and its key if that is known.
    public let state: State
    /// The bytes that the HMAC of the files covers; only remotes of the framework's first weeks have the older form.
    public let form: EncryptedFile.HMACForm

    /// A keyring in this state.
    public init(_ state: State, form: EncryptedFile.HMACForm = .since2011June) {
        self.state = state
        self.form = form
    }

    /// Whether the remote has a salt.
    public var isEncrypted: Bool { state != .plain }

    /// The key; nil if the remote has none or the password is unknown.
    public var key: SyncKey? {
        switch state {
        case .plain, .locked: nil
        case .checked(let key), .unchecked(let key): key
        }
    }

    /// Whether a file that begins with `head` must be decrypted before it can be read.
    public func needsDecryption(_ head: SharedBytes) -> Bool {
        isEncrypted && head.count > 0 && PlainSignature(head) == nil
    }

    /// Refuses an unencrypted file in an encrypted remote, and an encrypted file in an unencrypted one.
    /// - Parameters:
    ///   - head: its first 64 bytes, fewer if the file is shorter.
    ///   - size: bytes of the whole file.
    /// - Throws: `.refused` with the finding's code.
    public func check(
        _ head: SharedBytes, size: Int64, path: @autoclosure () -> FilePath
    ) throws(FileProblem) {
        if isEncrypted {
            if head.count > 0, let found = PlainSignature(head) { throw .plainInEncrypted(path(), found) }
        } else if EncryptedFile.looksEncrypted(head, size: size) {
            throw .encryptedInPlain(path())
        }
    }

    /// The decrypted bytes of a file that is in memory.
    /// - Throws: `.refused` as `check` does; `.encrypted` without a password; `.wrongPassword` if the HMAC is wrong, or
    ///   `.damaged` if the key has opened other files; `.damaged` for impossible sizes and wrong padding.
    public func plainBytes(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> SharedBytes {
        try check(bytes, size: Int64(bytes.count), path: path)
        guard needsDecryption(bytes) else { return bytes }
        let key = try openingKey(path)
        do throws(FileProblem) {
            return try EncryptedFile.decrypt(bytes, with: key, path: path, form: form)
        } catch {
            throw explained(error)
        }
    }

    /// The decrypted bytes of a whole file of a storage, no larger than `limit`.
    /// - Throws: also `.missing` if the content of the file is not local.
    public func read(
        _ storage: any RemoteStorage, _ file: RemotePath, limit: ReadLimit
    ) throws(FileProblem) -> SharedBytes {
        let bytes = try storage.readPrivately(file, limit: limit)
        let absence = CloudPlaceholder.of(UnsafeRawBufferPointer(bytes.memory))
        if let absence { throw absence.problem(file.filePath(under: storage.root)) }
        return try plainBytes(bytes, path: file.filePath(under: storage.root))
    }

    /// The decrypted bytes of a file, in the memory into which it was read.
    public func plainBytes(
        _ bytes: consuming PrivateBytes, path: @autoclosure () -> FilePath
    ) throws(FileProblem) -> SharedBytes {
        let count = bytes.memory.count
        let head = SharedBytes(Array(bytes.memory.prefix(PlainSignature.headSize)))
        try check(head, size: Int64(count), path: path())
        guard needsDecryption(head) else { return bytes.shared(0..<count) }
        let path = path()
        let key = try openingKey(path)
        do throws(FileProblem) {
            return try EncryptedFile.decrypt(bytes, with: key, path: path, form: form)
        } catch {
            throw explained(error)
        }
    }

    /// Passes the plain text of an encrypted file to `sink`, in pieces of at most 64 KiB and in one reading; memory
    /// does not grow with the file. The sink must be a private file: its content must not be used or visible before
    /// this returns, and must be discarded if this throws.
    public func decryptPrivately(
        _ file: RangeReader, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let key = try openingKey(file.path)
        do throws(FileProblem) {
            try EncryptedFile.decryptPrivately(file, with: key, form: form, to: sink)
        } catch {
            throw explained(error)
        }
    }

    private func openingKey(_ path: FilePath) throws(FileProblem) -> SyncKey {
        if let key { return key }
        throw FileProblem(
            .encrypted, path: path, "encrypted; the password of the remote is needed",
            advice: "Give the password with --password-file or --password-command")
    }

    /// The key for new files. A key that was never tried may come from a wrong password or a foreign salt; no client
    /// could open the files then.
    private func sealingKey(_ path: FilePath) throws(FileProblem) -> SyncKey {
        switch state {
        case .checked(let key):
            guard form == .since2011June else {
                throw FileProblem(
                    .refused, path: path, "cannot be encrypted in the form that was used before June 2011",
                    advice: "The programs only read that form")
            }
            return key
        case .unchecked: throw .untriedPassword(path)
        case .plain, .locked:
            throw FileProblem(
                .encrypted, path: path, "has to be encrypted; the password of the remote is needed",
                advice: "Give the password with --password-file or --password-command")
        }
    }

    /// The problem, as damage of the file if the key has opened another file of the remote, so that the password is
    /// right.
    private func explained(_ problem: FileProblem) -> FileProblem {
        guard case .checked = state, problem.kind == .wrongPassword else { return problem }
        var damaged = problem
        damaged.kind = .damaged
        damaged.problem = "the encrypted file is damaged, or was encrypted with another password"
        damaged.advice = "The password opens other files of this remote; restore this one from a back-up"
        return damaged
    }

    /// The bytes of a new file of the remote: encrypted if the remote is.
    /// - Parameter path: the new file, for errors.
    /// - Throws: `.encrypted` without a key; `.refused` if the key could not be tried, and for the form of the
    ///   framework's first weeks, which the commands only read.
    public func sealed(_ plain: [UInt8], path: FilePath) throws(FileProblem) -> [UInt8] {
        guard isEncrypted else { return plain }
        return try EncryptedFile.encrypt(SharedBytes(plain), with: try sealingKey(path), path: path).array
    }

    /// Encrypts a local file in pieces, as a new file of the remote.
    /// - Parameter path: the new file, for errors.
    /// - Throws: as `sealed` does.
    public func seal(
        _ file: FilePath, as path: FilePath, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let key = try sealingKey(path)
        let source = try OwnedDescriptor.file(file)
        var stream = try EncryptingStream(key: key, path: path)
        let size = Int(try source.status().size)
        var offset = 0
        while offset < size {
            let piece = try source.bytes(in: offset..<min(offset + EncryptedFile.chunkSize, size))
            guard piece.count > 0 else { throw .changing(file) }
            offset += piece.count
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try stream.take(bytes, sink) }
        }
        try stream.finish(sink)
    }
}

/// The format of a file, by its first bytes; names and extensions do not count. Encrypted files have no signature
/// (ticds-protocol(7), 3.2), so a file without any of these in an encrypted remote counts as encrypted.
public enum PlainSignature: String, Sendable, Hashable, CaseIterable {
    /// A Core Data binary store.
    case binaryStore
    /// An SQLite database: a store or a register.
    case sqlite
    /// A zip archive, in which some variants upload whole stores.
    case zip
    /// A binary property list.
    case binaryPropertyList
    /// An XML property list, or a store of Core Data's XML type (core-data-xml-store(5), 1-1).
    case xml

    /// Number of bytes that the decision needs.
    public static let headSize = XMLKind.signatureSize

    /// The signature at the beginning of `head`; nil if there is none of these.
    public init?(_ head: SharedBytes) {
        if let known = Self.magics.first(where: { head.starts(with: $0.bytes) }) {
            self = known.signature
        } else if XMLKind.isXML(head) {
            self = .xml
        } else {
            return nil
        }
    }

    private static let magics: [(signature: PlainSignature, bytes: [UInt8])] = [
        (.binaryStore, Array("CoreData".utf8)),
        (.sqlite, Array("SQLite format 3\0".utf8)),
        (.zip, [0x50, 0x4B, 0x03, 0x04]),
        (.zip, [0x50, 0x4B, 0x05, 0x06]),
        (.binaryPropertyList, Array("bplist00".utf8)),
    ]
}
