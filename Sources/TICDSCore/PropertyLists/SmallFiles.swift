import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The contents of the small files that clients write and nobody reads (ticds-remote-format(5), 1.4; ticds-protocol(7),
/// 6.4).
public enum SmallFiles {
    /// A `.recentsync` file, always plain. Readers look at its modification time only.
    /// - Parameter date: seconds since 2001-01-01 00:00:00 UTC.
    public static func recentSync(date: Double, path: FilePath) throws(FileProblem) -> [UInt8] {
        var info = InfoDictionary()
        info.append("kTICDSLastSyncDate", .date(date))
        return try info.xml(path: path)
    }

    /// The file whose name is the integrity key, always plain: a keyed archive of a dictionary.
    public static func integrityKey(originalDevice: String, path: FilePath) throws(FileProblem) -> [UInt8] {
        try archive(.dictionary([DocumentInfo.originalDeviceIdentifierKey: .string(originalDevice)]), path)
    }

    /// The plain text of `test.ticdsync`: a keyed archive of a string, the application's identifier and a UUID.
    public static func encryptionTest(
        application: String, unique: String, path: FilePath
    ) throws(FileProblem) -> [UInt8] {
        try archive(.string(application + unique), path)
    }

    private static func archive(_ root: ArchivedValue, _ path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            return try KeyedArchiveWriter.bytes(root: root)
        } catch {
            throw FileProblem(.writeFailed, path: path, "cannot be archived", found: error.found)
        }
    }
}
