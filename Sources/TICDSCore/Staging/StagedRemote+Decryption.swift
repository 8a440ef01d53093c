public import SystemCalls
import SystemPackage

extension StagedRemote {
    /// Makes an encrypted remote a plain one.
    /// - Throws: `.refused` where it is plain already, or holds files that are plain or that the key does not open.
    public func decrypt(
        _ key: SyncKey, form: EncryptedFile.HMACForm, progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage)
        let survey = EncryptionCensus(snapshot, storage, key: key, form: form)
        if let exception = (survey.plain + survey.unreadable).first {
            throw FileProblem(
                .refused, path: exception.file.path.filePath(under: root),
                "cannot be decrypted: \(exception.problem)",
                advice: "Look at the source with ticds-verify; or leave out --decrypt")
        }
        let recoder = EncryptionRecoder(old: key, form: form, new: nil)
        for (number, file) in survey.sound.enumerated() {
            try replace(file.file.path) { (output) throws(FileProblem) in
                try recoder.recode(file.file.path, in: storage) { (piece) throws(FileProblem) in
                    try output.append(piece)
                }
            }
            progress(number + 1, survey.sound.count)
        }
        for path in [RemoteLayout.saltPath, RemoteLayout.encryptionTestPath] where snapshot.tree[path] != nil
        {
            try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
                try folder.remove(FilePath(nameBytes: path.last?.bytes ?? []))
            }
        }
    }
}
