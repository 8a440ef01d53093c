import KeyedArchive
import SystemCalls
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the lock file beside a remote tells: who is changing the remote, and with which operation of which journal.
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
    /// The folder of the remote's state, as the process that wrote this sees it.
    var state: PlannedBytes
    /// What the remote is, whatever it is called; nil where there was none.
    var remote: FolderIdentity?
    /// The operation that may have changed something; nil before.
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

    /// - Throws: `.refused` for what is no such file.
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

    /// The lock at `path`; nil where there is none, or something else.
    /// - Throws: where it cannot be read.
    static func ifPresent(_ path: FilePath) throws(FileProblem) -> LockNote? {
        try unlessInvalid { () throws(FileProblem) in try LockNote(path) }
    }

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // try?: texts and numbers always have a form
        return ((try? encoder.encode(self)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
    }

    /// Whether that process ran on this machine, so that its end releases its lock.
    var isOfThisMachine: Bool {
        if !boot.isEmpty, boot == Machine.boot { return true }
        return host == Machine.host && machine == Machine.identifier
    }

    /// As a person reads it.
    /// - Parameter renewed: the last sign of life.
    func holder(renewed: FileTime?) -> String {
        let sign = renewed.map { ", last active \($0.iso)" } ?? ""
        return "process \(process) on \(host), since \(since): \(command), user \(user)\(sign)"
    }

    var stateFolder: FilePath { FilePath(pathBytes: state.bytes) }

    /// What `XDG_STATE_HOME` was.
    var stateHome: FilePath { stateFolder.removingLastComponent().removingLastComponent() }

    /// Whether the journal that it names says that the operation has ended. False where the journal cannot be read.
    func hasEnded(at root: FilePath) -> Bool {
        guard let operation else { return true }
        guard isOfThisMachine,
            // try?: false, as said above
            let journal = try? Journal.read(RemoteState(root: root, folder: stateFolder), waiting: false)
        else { return false }
        return (try? journal.isUnfinished(operation)) == false  // try?: the same
    }
}
