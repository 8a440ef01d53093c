import Base
public import SystemCalls
public import SystemPackage

/// The change sets of a document that clients have applied, as the registers beside their whole stores say, and that the
/// remote no longer contains. A state that is made of the remote lacks them, unless its whole store contains them.
public struct GoneSets: Sendable {
    /// The times at which the sets were made, by identifier; nil if a register does not say.
    private var times: [String: FileTime?] = [:]
    /// The reasons why there may be more: registers that cannot be read.
    public private(set) var unread: [FileProblem] = []

    /// Reads the registers.
    /// - Parameter other: a client whose register is not read.
    public init(
        from document: DocumentSnapshot, in storage: any RemoteStorage, butThatOf other: RemoteName? = nil
    ) {
        for upload in document.wholeStores where upload.client != other {
            guard let file = upload.register else { continue }
            do throws(FileProblem) {
                try ChangeSetRegister(storage.onDisk(file.path)).forEachChangeSet { line in
                    guard let identifier = line.identifier else { return }
                    let time = line.creationDate.flatMap { FileTime(secondsSince2001: $0) }
                    times.updateValue(time, forKey: identifier)
                }
            } catch {
                unread.append(error)
            }
        }
        if times.isEmpty { return }
        for client in document.clients {
            for file in client.changeSets { times.removeValue(forKey: file.identifier.text) }
        }
    }

    /// The first time of a set that is not before `time`.
    public func first(from time: FileTime) -> FileTime? {
        times.values.lazy.compactMap { $0 }.filter { $0 >= time }.min()
    }

    /// The problem of a document with a state that lacks sets; nil if it lacks none.
    /// - Parameters:
    ///   - contained: the sets that its whole store contains.
    ///   - until: the time before which the state is; nil for the newest. A set without a time may be older.
    public func problem(
        without contained: Set<String>, until: FileTime?, at document: FilePath
    ) -> FileProblem? {
        let count = times.count { identifier, time in
            if contained.contains(identifier) { return false }
            guard let until, let time else { return true }
            return time < until
        }
        if count == 0 { return nil }
        return FileProblem(
            .damaged, path: document,
            "neither the store nor the remote contains \(counted(count, "change set")) that clients have applied",
            advice: "A back-up of the remote may still have them, and a later whole store what they did")
    }
}
