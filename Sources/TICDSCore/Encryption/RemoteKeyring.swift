public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// What stands between the files of a remote and their plain text: nothing, an unknown password, or a key.
///
/// Whether a file is encrypted is told by its bytes (ticds-protocol(7), 6.5). A plain file in an encrypted remote is
/// refused, as clients refuse it: anybody who may write can have put it there. So is an encrypted one in a plain
/// remote. Do not ask about files that are never encrypted: the salt, `ReadMe.txt`, registers, recent syncs.
public struct RemoteKeyring: Sendable {
    /// Whether the remote is encrypted, and what is known of its key.
    public enum State: Sendable, Hashable {
        /// The remote has no salt.
        case plain
        /// The remote has a salt, and nobody gave a password.
        case locked
        /// A key that has opened a file of this remote.
        case checked(SyncKey)
        /// A key that could not be tried, because the remote holds no encrypted file.
        case unchecked(SyncKey)
    }

    /// What is known of the password.
    public let state: State
    /// How the files are authenticated; only remotes of the first weeks have the older form.
    public let form: EncryptedFile.HMACForm

    /// A keyring in that state. `form` is the way in which new files are sealed.
    public init(_ state: State, form: EncryptedFile.HMACForm = .since2011June) {
        self.state = state
        self.form = form
    }

    /// True where the remote has a salt.
    public var isEncrypted: Bool { state != .plain }

    /// The key; nil where there is none or none is known.
    public var key: SyncKey? {
        switch state {
        case .plain, .locked: nil
        case .checked(let key), .unchecked(let key): key
        }
    }

    /// True where a file that begins with `head` has to be decrypted before it can be read.
    public func needsDecryption(_ head: SharedBytes) -> Bool {
        isEncrypted && head.count > 0 && PlainSignature(head) == nil
    }

    /// Refuses a file that is plain where clients encrypt, or encrypted where they do not.
    /// - Parameters:
    ///   - head: its first 64 bytes, fewer where the file is shorter.
    ///   - size: bytes of the whole file.
    /// - Throws: `.refused` with the code of the finding.
    public func check(
        _ head: SharedBytes, size: Int64, path: @autoclosure () -> FilePath
    ) throws(FileProblem) {
        if isEncrypted {
            if head.count > 0, let found = PlainSignature(head) { throw .plainInEncrypted(path(), found) }
        } else if EncryptedFile.looksEncrypted(head, size: size) {
            throw .encryptedInPlain(path())
        }
    }

    /// The plain bytes of a file that is in memory.
    /// - Throws: `.refused` as `check` does; `.encrypted` where a password is needed; `.wrongPassword`, or `.damaged` where the key has opened
    ///   other files, when the HMAC does not fit; `.damaged` for impossible sizes and bad padding.
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

    /// The plain bytes of a whole file of a storage, no larger than `limit`.
    /// - Throws: also `.missing` where the content of the file is not on this machine.
    public func read(
        _ storage: any RemoteStorage, _ file: RemotePath, limit: ReadLimit
    ) throws(FileProblem) -> SharedBytes {
        let bytes = try storage.readPrivately(file, limit: limit)
        let absence = AbsentContent.of(UnsafeRawBufferPointer(bytes.memory))
        if let absence { throw absence.problem(file.filePath(under: storage.root)) }
        return try plainBytes(bytes, path: file.filePath(under: storage.root))
    }

    /// The plain bytes of a file, in the memory that it was read into.
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

    /// Hands the plain text of an encrypted file to `sink` in pieces of at most 64 KiB, with memory that does not grow with
    /// the file, in one reading. The sink is a private file: nothing that it takes may be used, or be seen by anyone,
    /// before this returns. It must be thrown away when this throws.
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

    /// The key for new files. A key that was never tried may be made of another password, or of another's salt: what
    /// it encrypts might open for nobody.
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

    /// Once the key has opened another file of the remote, it is the file that is wrong.
    private func explained(_ problem: FileProblem) -> FileProblem {
        guard case .checked = state, problem.kind == .wrongPassword else { return problem }
        var damaged = problem
        damaged.kind = .damaged
        damaged.problem = "the encrypted file is damaged, or was encrypted with another password"
        damaged.advice = "The password opens other files of this remote; restore this one from a back-up"
        return damaged
    }

    /// The bytes of a new file as they belong into the remote: encrypted where the remote is.
    /// - Parameter path: the file that is to be, for errors.
    /// - Throws: `.encrypted` without a key; `.refused` where the key could not be tried, and where the files have the form of 2011's first weeks, which is
    ///   read but not written.
    public func sealed(_ plain: [UInt8], path: FilePath) throws(FileProblem) -> PlannedContent {
        guard isEncrypted else { return .bytes(PlannedBytes(plain)) }
        let key = try sealingKey(path)
        let file = try EncryptedFile.encrypt(SharedBytes(plain), with: key, path: path)
        return .bytes(PlannedBytes(file.array))
    }

    /// Encrypts a file of this machine piece by piece, as it belongs into the remote.
    /// - Parameter path: the file that is to be, for errors.
    /// - Throws: `.encrypted` without a key; `.refused` where the key could not be tried, and where the files have the form of 2011's first weeks.
    public func seal(
        _ file: FilePath, as path: FilePath, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let key = try sealingKey(path)
        let source = try OwnedDescriptor.file(file)
        var stream = try EncryptingStream(key: key, path: path)
        var offset = 0
        while true {
            let piece = try source.bytes(in: offset..<offset + EncryptedFile.chunkSize)
            guard piece.count > 0 else { break }
            offset += piece.count
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try stream.take(bytes, sink) }
        }
        try stream.finish(sink)
    }
}
