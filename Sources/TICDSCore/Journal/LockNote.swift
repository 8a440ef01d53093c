import KeyedArchive
import SystemCalls
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The content of the lock file beside a remote: who is changing the remote, and with which operation of which journal.
struct LockNote: Codable, Hashable {
    static let schema = "ticds-lock/1"

    var schema = LockNote.schema
    var command: String
    var process: Int32
    var user = Machine.user
    var host = Machine.host
    var machine = Machine.identifier
    var boot = Machine.boot
    var since = FileTime.now.iso
    /// The folder of the remote's state, by the path that the writer of the lock uses.
    var state: PlannedBytes
    /// The identity of the remote, which stays when it is renamed; nil if there was no remote.
    var remote: FolderIdentity?
    /// The operation that may have changed something; nil before that.
    var operation: Operation?

    /// An operation, and the random name of its staging folder, which only its own journal knows.
    struct Operation: Codable, Hashable {
        var number: Int64
        var staging: String
        var summary: String
    }

    init(_ state: RemoteState, command: String) {
        self.command = command
        process = Machine.process
        self.state = PlannedBytes(state.folder.bytes)
        remote = try? state.identity  // try?: a remote without it is known by its path
    }

    /// - Throws: `.refused` if the file is not a lock file.
    init(_ path: FilePath) throws(FileProblem) {
        let bytes = try FileBytes.read(path, limit: .note).array
        // try?: what is no lock is refused
        guard let note = try? JSONDecoder().decode(LockNote.self, from: Data(bytes)),
            note.schema == Self.schema
        else {
            throw FileProblem(
                .refused, path: path, "not a lock file that this version of ticds can read",
                expected: Self.schema,
                advice:
                    "If no command is changing the remote, run ticds-journal recover, then remove this file")
        }
        self = note
    }

    /// The lock at `path`; nil if there is none, or something else.
    /// - Throws: the error of reading it.
    static func ifPresent(_ path: FilePath) throws(FileProblem) -> LockNote? {
        try unlessInvalid { () throws(FileProblem) in try LockNote(path) }
    }

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // try?: texts and numbers always have a form
        return ((try? encoder.encode(self)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
    }

    /// Whether the process ran on this machine. The kernel then releases its flock(2) when it ends.
    var isOfThisMachine: Bool {
        if !boot.isEmpty, boot == Machine.boot { return true }
        return host == Machine.host && machine == Machine.identifier
    }

    /// The holder of the lock, for people.
    /// - Parameter renewed: the last sign of life.
    func holder(renewed: FileTime?) -> String {
        let sign = renewed.map { ", last active \($0.iso)" } ?? ""
        return "process \(process) on \(host), since \(since): \(command), user \(user)\(sign)"
    }

    var stateFolder: FilePath { FilePath(pathBytes: state.bytes) }

    /// What `XDG_STATE_HOME` was.
    var stateHome: FilePath { stateFolder.removingLastComponent().removingLastComponent() }

    /// Whether the operation has ended, by the journal that the lock names. False if that journal cannot be read.
    func hasEnded(at root: FilePath) -> Bool {
        guard let operation else { return true }
        guard isOfThisMachine,
            // try?: false, as said above
            let journal = try? Journal.read(RemoteState(root: root, folder: stateFolder), waiting: false)
        else { return false }
        return (try? journal.isUnfinished(operation)) == false  // try?: the same
    }
}
