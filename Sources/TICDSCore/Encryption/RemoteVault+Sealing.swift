import KeyedArchive
public import SystemCalls
public import SystemPackage

extension RemoteVault {
    /// The bytes of a new file as they belong into the remote: encrypted where the remote is.
    /// - Parameter path: the file that is to be, for errors.
    /// - Throws: `.encrypted` without a key; `.refused` where the key could not be tried, and where the files have the form of 2011's first weeks, which is
    ///   read but not written.
    public func sealed(_ plain: [UInt8], path: FilePath) throws(FileProblem) -> PlannedContent {
        guard isEncrypted else { return .bytes(PlannedBytes(plain)) }
        let key = try sealingKey(path)
        guard form == .since2011June else {
            throw FileProblem(
                .refused, path: path, "cannot be encrypted in the form that was used before June 2011",
                advice: "The programs only read that form")
        }
        let file = try EncryptedFile.encrypt(SharedBytes(plain), with: key, path: path)
        return .bytes(PlannedBytes(file.array))
    }
}
