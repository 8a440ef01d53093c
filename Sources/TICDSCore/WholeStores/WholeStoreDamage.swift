import CoreDataStore
public import SystemCalls

/// Looks for damage in the whole stores of a remote.
public enum WholeStoreDamage {
    /// The first damage of an unencrypted whole store, because of which new clients would lack data or could not start from
    /// it; nil if there is none. Reads the whole store.
    /// - Throws: why it could not be read.
    public static func first(
        at path: RemotePath, in storage: any RemoteStorage
    ) throws(FileProblem) -> FileProblem? {
        do throws(FileProblem) {
            let file = try WholeStoreFile.open(path, in: storage, keyring: RemoteKeyring(.plain))
            return try PersistentStores.open(file.path, examines: false).contentProblems(most: 1).first
        } catch {
            if error.isUnread { throw error }
            // Other kinds say nothing of its content: a form that is not read, several stores in one zip.
            return error.kind == .damaged ? error : nil
        }
    }
}
