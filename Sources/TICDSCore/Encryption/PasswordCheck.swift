import Base
public import SystemCalls

/// Determines whether a remote is encrypted and whether a password opens it (ticds-protocol(7), 3.4).
public enum PasswordCheck {
    /// The salt of the remote; nil if it has none and is not encrypted.
    /// - Throws: `.damaged` if the salt is empty or not a regular file; `.missing` if its content is not local.
    public static func salt(of storage: any RemoteStorage) throws(FileProblem) -> [UInt8]? {
        let file = RemoteLayout.saltPath
        let path = file.filePath(under: storage.root)
        guard let status = try storage.statusIfPresent(of: file) else { return nil }
        let advice = "Without its salt no password opens this remote; restore the file from a back-up"
        guard status.kind == .file else {
            throw FileProblem(
                .damaged, path: path, "the salt is not a plain file", expected: "a file of 16 bytes",
                found: "a \(status.kind)", advice: advice)
        }
        let salt = try storage.read(file, limit: .salt)
        guard salt.count > 0 else {
            throw FileProblem(
                .damaged, path: path, "the salt is empty", expected: "16 bytes", found: "0", advice: advice)
        }
        if let absence = salt.withUnsafeBytes({ CloudPlaceholder.of($0) }) { throw absence.problem(path) }
        return salt.array
    }

    /// The keyring of a remote.
    /// - Parameters:
    ///   - password: called only if the remote is encrypted; nil if the user gives none.
    ///   - form: how the files are authenticated.
    ///   - others: files that clients encrypt. The password is tried on them in turn if `test.ticdsync` is missing or
    ///     damaged, and they are compared with a missing salt. By default the remote's info files.
    /// - Throws: `.wrongPassword` if the password opens neither the test file nor the others; `.refused` if there is no
    ///   salt, but another sign that the remote is encrypted.
    public static func open(
        _ storage: any RemoteStorage, others: [RemotePath]? = nil,
        form: EncryptedFile.HMACForm = .since2011June, password: () throws(FileProblem) -> String?
    ) throws(FileProblem) -> RemoteKeyring {
        guard let salt = try salt(of: storage) else {
            let files = try files(others, of: storage)
            if let problem = try EncryptionSigns.contradiction(in: storage, files) { throw problem }
            return RemoteKeyring(.plain, form: form)
        }
        guard let password = try password() else { return RemoteKeyring(.locked, form: form) }
        let files = try files(others, of: storage)
        return try check(SyncKey(password: password, salt: salt), storage, others: files, form: form)
    }

    private static func files(
        _ others: [RemotePath]?, of storage: any RemoteStorage
    ) throws(FileProblem) -> [RemotePath] {
        if let others { return others }
        return try EncryptionSigns.infoFiles(of: storage)
    }

    /// Tries a key on the test file and, if that does not decide, on other files.
    ///
    /// A damaged test file and a wrong password look alike, so a key that fails on the test file still counts as
    /// correct if it opens another file.
    public static func check(
        _ key: SyncKey, _ storage: any RemoteStorage, others: [RemotePath] = [],
        form: EncryptedFile.HMACForm = .since2011June
    ) throws(FileProblem) -> RemoteKeyring {
        var refusal: FileProblem?
        var unread: FileProblem?
        for file in [RemoteLayout.encryptionTestPath] + others {
            switch probe(key, storage, file, form) {
            case .opened: return RemoteKeyring(.checked(key), form: form)
            case .refused(let problem): refusal = refusal ?? problem
            case .unread(let problem): unread = unread ?? problem
            case .tellsNothing: continue
            }
        }
        if let refusal { throw refusal }
        if let unread { throw unread }
        return RemoteKeyring(.unchecked(key), form: form)
    }

    private enum Answer { case opened, refused(FileProblem), unread(FileProblem), tellsNothing }

    private static func probe(
        _ key: SyncKey, _ storage: any RemoteStorage, _ file: RemotePath, _ form: EncryptedFile.HMACForm
    ) -> Answer {
        let limit = file == RemoteLayout.encryptionTestPath ? ReadLimit.encryptionTest : .information
        do throws(FileProblem) {
            let bytes = try storage.read(file, limit: limit)
            guard PlainSignature(bytes) == nil else { return .tellsNothing }
            _ = try EncryptedFile.decrypt(
                bytes, with: key, path: file.filePath(under: storage.root), form: form)
            return .opened
        } catch {
            if error.isUnread { return .unread(error) }
            return error.kind == .wrongPassword ? .refused(wrong(error)) : .tellsNothing
        }
    }

    private static func wrong(_ problem: FileProblem) -> FileProblem {
        var wrong = problem
        wrong.problem = "the password does not open this remote"
        wrong.advice =
            "Check for letters that look alike and for the form of accented letters; white space at the ends is ignored"
        return wrong
    }
}
