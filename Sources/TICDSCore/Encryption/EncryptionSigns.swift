public import Base
public import SystemCalls
public import SystemPackage

/// The signs that a remote is encrypted. Clients look only at the salt (ticds-protocol(7), 3.5), which anyone with
/// write access can remove. The commands compare the salt with every other sign, and read and write nothing if they
/// disagree.
public enum EncryptionSigns {
    /// The contradiction between the missing salt of a remote and its other signs; nil if all signs agree.
    /// - Parameter files: files that clients of an encrypted remote encrypt. A file that is missing or cannot be read
    ///   is not a sign; a command that needs it fails.
    public static func contradiction(
        in storage: any RemoteStorage, _ files: [RemotePath]
    ) throws(FileProblem) -> FileProblem? {
        let test = RemoteLayout.encryptionTestPath
        if try storage.kind(of: test) != nil { return .testWithoutSalt(test.filePath(under: storage.root)) }
        storage.prepareToRead {
            files.compactMap { file in
                // try?: see above
                (try? storage.status(of: file)).map {
                    RemoteFile(path: file, size: $0.size, modified: $0.modified)
                }
            }
            .filter(\.isSmall)
        }
        for file in files {
            guard let head = try? storage.head(file, count: PlainSignature.headSize),  // try?: see above
                let size = try? storage.status(of: file).size,  // try?: see above
                EncryptedFile.looksEncrypted(head, size: size)
            else { continue }
            return .encryptedInPlain(file.filePath(under: storage.root))
        }
        return nil
    }

    /// The small files that every remote has and that clients encrypt: `deviceInfo.plist` and `documentInfo.plist`.
    public static func infoFiles(of storage: any RemoteStorage) throws(FileProblem) -> [RemotePath] {
        try storage.folders(in: [RemoteLayout.clientDevices]).map { RemoteLayout.deviceInfo(of: $0) }
            + storage.folders(in: [RemoteLayout.documents]).map { RemoteLayout.documentInfo(of: $0) }
    }
}

extension RemoteStorage {
    /// The names of the folders in a folder; none if it does not exist.
    fileprivate func folders(in folder: RemotePath) throws(FileProblem) -> [RemoteName] {
        try unlessMissing { () throws(FileProblem) in
            try list(folder).listing.filter { $0.kind == .folder }.map(\.name)
        } ?? []
    }
}

extension RemoteSnapshot {
    /// Files that clients of an encrypted remote encrypt, the small ones first: `deviceInfo.plist` and
    /// `documentInfo.plist`, the newest change set of each client, the whole stores.
    public var signsOfEncryption: [RemotePath] {
        var files =
            clientDevices.compactMap(\.deviceInfo.part?.path)
            + documents.compactMap(\.documentInfo.part?.path)
        for client in documents.flatMap(\.clients) {
            if let newest = client.changeSets.newest { files.append(client.path.appending(newest)) }
        }
        return files + documents.flatMap(\.wholeStores).compactMap(\.store?.path)
    }
}

extension EncryptedFile {
    /// Whether these are probably the bytes of an encrypted file: the size fits, they have no known signature, and they
    /// are neither text nor mostly zeros.
    /// - Parameter head: the first 64 bytes, fewer if the file is shorter.
    public static func looksEncrypted(_ head: SharedBytes, size: Int64) -> Bool {
        guard canHaveSize(Int(clamping: size)), PlainSignature(head) == nil else { return false }
        let bytes = head.array(0..<PlainSignature.headSize)
        let printable = bytes.count { (0x20..<0x7F).contains($0) }
        return printable * 5 < bytes.count * 3 && bytes.count { $0 == 0 } < 8
    }
}

extension FileProblem {
    /// The error of an unencrypted file in an encrypted remote. Clients refuse it, because anyone with write access can
    /// have put it there.
    public static func plainInEncrypted(_ path: FilePath, _ found: PlainSignature) -> FileProblem {
        FileProblem(
            .refused, path: path, "a plain file in an encrypted remote", expected: "an encrypted file",
            found: found.rawValue,
            advice:
                "ticds-verify REMOTE --repair moves it to the trash; to look into it, copy it to another folder",
            finding: "TICDS-0504")
    }

    static func encryptedInPlain(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "looks encrypted, and the remote has no salt", expected: "a plain file",
            advice: "Restore Encryption/salt.ticdsync from a back-up; if only this file looks encrypted, "
                + "ticds-verify REMOTE --repair moves it to the trash",
            finding: "TICDS-0505")
    }

    package static func testWithoutSalt(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "the remote has a file to test a password with, but no salt",
            advice:
                "Restore Encryption/salt.ticdsync from a back-up: without it clients upload plain text",
            finding: "TICDS-0502")
    }

    /// - Parameter advice: the file that remembers the encryption, and when to remove it.
    package static func encryptionIsGone(_ path: FilePath, advice: String) -> FileProblem {
        FileProblem(
            .refused, path: path, "the remote was encrypted, but nothing in it shows that any more",
            expected: "Encryption/salt.ticdsync", found: "no salt", advice: advice, finding: "TICDS-0511")
    }

    package static func untriedPassword(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "cannot be encrypted: there is no file to try the password on",
            expected: "Encryption/test.ticdsync, or another encrypted file",
            advice: "Restore Encryption/test.ticdsync from a back-up of the same remote",
            finding: "TICDS-0501")
    }
}
