import KeyedArchive
public import SystemCalls
import SystemPackage

extension StagedRemote {
    /// Encrypts a plain remote: everything that is encrypted in one whose clients have the password.
    /// - Parameter application: the identifier that the remote will have.
    /// - Throws: `.refused` where it is encrypted already, or holds files that clients could not read then.
    public func encrypt(
        _ secret: EncryptionSecret, application: RemoteName, progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage)
        guard !snapshot.isEncrypted else {
            throw FileProblem(
                .refused, path: root, "the incoming files are already encrypted",
                advice: "To set another password, use ticds-remote change-password afterwards")
        }
        let survey = EncryptionCensus(ofPlain: snapshot, storage)
        if let exception = survey.unreadable.first {
            throw FileProblem(
                .refused, path: exception.file.path.filePath(under: root),
                "cannot be encrypted: \(exception.problem)",
                advice:
                    "Leave out --encrypt, look at the result with ticds-verify, then use ticds-remote encrypt"
            )
        }
        let recoder = EncryptionRecoder(old: nil, new: secret.key)
        for (number, file) in survey.sound.enumerated() {
            try replace(file.file.path) { (output) throws(FileProblem) in
                try recoder.recode(file.file.path, in: storage) { (piece) throws(FileProblem) in
                    try output.append(piece)
                }
            }
            progress(number + 1, survey.sound.count)
        }
        let folder: RemotePath = [RemoteLayout.encryption]
        if snapshot.tree[folder] == nil { try makeFolder(folder) }
        let place = RemoteLayout.encryptionTestPath.filePath(under: root)
        guard case .bytes(let test) = try secret.testFile(of: application, path: place) else { return }
        try add(RemoteLayout.encryptionTestPath, test.bytes)
        try add(RemoteLayout.saltPath, secret.salt)
    }
}
