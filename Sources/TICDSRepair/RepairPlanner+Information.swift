import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

/// Property lists and the test file.
extension RepairPlanner {
    mutating func information(_ finding: Finding) -> Verdict {
        let path =
            finding.kind == .deviceMissing ? finding.path.appending(RemoteLayout.deviceInfo) : finding.path
        return makeInformation(path, for: finding.kind) ? .repaired : .left(Self.needsPassword)
    }

    mutating func encryptionTest(_ finding: Finding) -> Verdict {
        let path: RemotePath = [RemoteLayout.encryption, RemoteLayout.encryptionTest]
        return makeInformation(path, for: finding.kind) ? .repaired : .left(Self.needsPassword)
    }

    private static let needsPassword =
        "the remote is encrypted, and there is no password that opens one of its files"

    /// Writes the file that belongs at `path`; returns false if its content is unknown.
    mutating func makeInformation(_ path: RemotePath, for kind: FindingKind) -> Bool {
        guard let made = known.information(at: path) else { return false }
        actions.write(path, made.bytes, modified: made.modified, for: kind)
        notes.add(.reason, "\(path) is written \(made.origin)")
        return true
    }

    mutating func quarantine(_ finding: Finding) throws(FileProblem) -> Verdict {
        if let cause = evidence.commonCause(of: finding) { return .left(cause) }
        switch FileRole(of: finding.path, kind: .file) {
        case .changeSet: return try changeSet(finding)
        case .wholeStore: return try wholeStore(finding)
        case .deviceInfo, .documentInfo, .tombstone, .encryptionTest: return try remake(finding)
        case .register: return .left("only the client that uploaded it can upload it again")
        case .salt:
            return .left("without the salt no password opens the remote: restore the salt from a back-up")
        default: return .left(nil)
        }
    }

    private mutating func remake(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let made = known.information(at: finding.path) else { return .left(Self.needsPassword) }
        try actions.replace(
            finding.path, .bytes(PlannedBytes(made.bytes)), modified: made.modified, for: finding.kind)
        notes.add(.reason, "\(finding.path) is written again \(made.origin)")
        return .repaired
    }

    private mutating func changeSet(_ finding: Finding) throws(FileProblem) -> Verdict {
        if let verdict = try intactTwin(finding) { return verdict }
        try actions.trash(finding.path, for: finding.kind)
        notes.addLoss(of: finding)
        return .repaired
    }

    mutating func rewrite(_ finding: Finding) throws(FileProblem) -> Verdict {
        if let cause = evidence.commonCause(of: finding) { return .left(cause) }
        if let verdict = try intactTwin(finding) { return verdict }
        let place = finding.path.filePath(under: context.root)
        let bytes = try context.keyring.read(context.storage, finding.path, limit: .changeSet)
        guard let changes = try DamagedChangeSet(bytes, path: place).changesIfOnlyCutOff() else {
            return .left("changes of it are lost")
        }
        guard let example = exampleMetadata(for: finding) else {
            return .left("no other change set of the document shows with which models the application writes")
        }
        let plain: [UInt8]
        do throws(PropertyListError) {
            plain = try ChangeSetWriter.bytes(of: changes, like: example)
        } catch { throw FileProblem(error, path: place) }
        let content = PlannedBytes(try context.keyring.sealed(plain, path: place))
        try actions.replace(finding.path, .bytes(content), for: finding.kind)
        notes.add(.reason, "\(finding.path) is written again from its \(counted(changes.count, "change"))")
        notes.add(
            .warning,
            "A client that has already skipped a damaged change set does not read it again: "
                + "ticds-verify --as-client shows what a client lacks")
        return .repaired
    }

    /// The metadata of an intact change set of the document, preferably of the same client.
    private func exampleMetadata(for finding: Finding) -> StoreMetadata? {
        let clients = snapshot.documents.filter { $0.identifier == finding.document }.flatMap(\.clients)
        let sets = (clients.filter { $0.identifier == finding.client } + clients).lazy.flatMap { client in
            client.changeSets.lazy.reversed().map { client.path.appending($0.name) }
        }
        for set in sets.filter({ !evidence.damaged.contains($0) }).prefix(Self.examplesRead) {
            if let metadata = context.keyring.changeSetMetadata(of: set, in: context.storage) {
                return metadata
            }
        }
        return nil
    }

    private static let examplesRead = 16

    mutating func recode(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard case .checked = context.keyring.state else { return .left(Self.needsPassword) }
        if let cause = evidence.commonCause(of: finding) { return .left(cause) }
        guard let entry = snapshot.tree[finding.path].part, entry.kind == .file else {
            return .left("it is not a file")
        }
        guard entry.size <= RepairRecoder.sizeLimit else {
            return .left("it is too large to be encrypted or decrypted in memory")
        }
        if finding.kind.repair == .decrypt {
            let plain = try unlessInvalid { () throws(FileProblem) in
                try context.keyring.read(context.storage, finding.path, limit: .recodedFile)
            }
            guard plain != nil else { return .left("it does not open with the key of the remote") }
        }
        let content = PlannedContent.recoded(
            from: finding.path, seen: try snapshot.tree.state(of: finding.path))
        try actions.replace(finding.path, content, for: finding.kind)
        return .repaired
    }
}

/// Encrypts again files in the form of the framework's first weeks, and decrypts files that clients read unencrypted.
/// An unencrypted file is never encrypted, because anyone could have written it.
struct RepairRecoder: ContentRecoder {
    let keyring: RemoteKeyring
    /// The largest file, in bytes; files are encrypted and decrypted in memory.
    static let sizeLimit = ReadLimit.recodedFile.bytes

    func recode(
        _ file: RemotePath, in storage: any RemoteStorage,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let path = file.filePath(under: storage.root)
        let plain = try plainBytes(of: file, storage)
        guard FileRole(of: file, kind: .file).isEncryptedWithItsRemote else {
            return try plain.withUnsafeBytes(sink)
        }
        guard let key = keyring.key else {
            throw FileProblem(.encrypted, path: path, "cannot be encrypted without the password")
        }
        let encrypted = try EncryptedFile.encrypt(plain, with: key, path: path)
        let proof = try EncryptedFile.decrypt(encrypted, with: key, path: path, form: .since2011June)
        guard proof.array == plain.array else {
            throw FileProblem(
                .writeFailed, path: path, "the encrypted file does not decrypt to the same bytes")
        }
        try encrypted.withUnsafeBytes(sink)
    }

    /// Decrypts a file in the present form, or in that of the framework's first weeks.
    private func plainBytes(
        of file: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> SharedBytes {
        let path = file.filePath(under: storage.root)
        let bytes = try storage.read(file, limit: .recodedFile)
        try keyring.check(bytes, size: Int64(bytes.count), path: path)
        guard keyring.needsDecryption(bytes), let key = keyring.key else {
            throw FileProblem(.encrypted, path: path, "cannot be encrypted without the password")
        }
        do throws(FileProblem) {
            return try EncryptedFile.decrypt(bytes, with: key, path: path, form: .since2011June)
        } catch { return try EncryptedFile.decrypt(bytes, with: key, path: path, form: .before2011June) }
    }
}
