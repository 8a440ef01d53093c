public import SystemCalls
import SystemPackage

/// What this machine remembers of the encryption of a remote, beside its journal: whoever may write into the remote can
/// take every sign of it away there, but not here.
extension RemoteState {
    private var encryptedFile: FilePath { folder.pushing(Self.encryptedName) }
    private static let encryptedName: FilePath = "encrypted"

    /// Whether the remote was encrypted after the last operation of the suite on it.
    public func remembersEncryption() throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(encryptedFile) != nil
    }

    /// Refuses a remote without a salt that had one when the suite last changed it.
    public func checkEncryption(hasSalt: Bool) throws(FileProblem) {
        guard !hasSalt, try remembersEncryption() else { return }
        throw .encryptionIsGone(
            root,
            advice:
                "Restore the folder Encryption from a back-up; if the remote was decrypted on purpose on another machine, "
                + "remove the file \(encryptedFile) on this machine")
    }

    /// Refuses a plan for a remote of which one sign says that it is encrypted and another that it is not. Plans that
    /// bring the salt, or take it away, are about that very thing.
    func checkEncryption(for plan: Plan, _ storage: any RemoteStorage) throws(FileProblem) {
        let salt = RemoteLayout.saltPath
        let isAbout = plan.actions.contains { salt.names.starts(with: $0.change.path.names) }
        guard !isAbout, try storage.kind(of: salt) == nil else { return }
        let test = RemoteLayout.encryptionTestPath
        if try storage.kind(of: test) != nil { throw .testWithoutSalt(test.filePath(under: storage.root)) }
        try checkEncryption(hasSalt: false)
    }

    /// Remembers the encryption after an operation: that the remote has a salt, and that it has none where the operation
    /// took it away. That somebody else took it away does not count.
    /// - Parameter areDone: false where the steps were taken back: then nothing new is learned, and nothing written.
    func noteEncryption(
        after steps: [JournaledStep], areDone: Bool, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let salt = RemoteLayout.saltPath
        let isThere = try storage.kind(of: salt) != nil
        let isNoted = try remembersEncryption()
        if isThere, !isNoted, areDone { try AtomicFile.write([], to: encryptedFile) }
        guard !isThere, isNoted else { return }
        let isAbout = steps.contains { salt.names.starts(with: $0.action.change.path.names) }
        if isAbout { try OwnedDescriptor.folder(folder).remove(Self.encryptedName) }
    }
}
