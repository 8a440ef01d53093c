import Base
import FoundationEssentials
import Glibc
package import SystemCalls
package import SystemPackage

/// The content of the lock file beside a remote: who is changing the remote, and with which operation of which journal.
package struct LockNote: Codable, Hashable, Sendable {
    static let schema = "ticds-lock/1"

    var schema = LockNote.schema
    var command: String
    var process: Int32
    package var user = HostIdentity.user
    var host = HostIdentity.host
    var machine = HostIdentity.identifier
    var boot = HostIdentity.boot
    var since = FileTime.now.iso
    /// The folder of the remote's state, by the path that the writer of the lock uses.
    var state: PlannedBytes
    /// The identity of the remote, which stays when it is renamed; nil if there was no remote.
    var remote: FolderIdentity?
    /// The last sign of life, if the storage does not keep it as the time of the file.
    package var renewed: String?
    /// The operation that may have changed something; nil before that.
    package var operation: Operation?

    /// An operation, and the random name of its staging folder, which only its own journal knows.
    package struct Operation: Codable, Hashable, Sendable {
        var number: Int64
        var staging: String
        var summary: String

        package init(number: Int64, staging: String, summary: String) {
            self.number = number
            self.staging = staging
            self.summary = summary
        }
    }

    package init(_ state: RemoteState, command: String) {
        self.command = command
        process = HostIdentity.process
        self.state = PlannedBytes(state.folder.bytes)
        remote = try? state.identity  // try?: a remote without it is known by its path
    }

    /// - Throws: `.refused` if the file is not a lock file.
    init(_ path: FilePath) throws(FileProblem) {
        try self.init(FileBytes.read(path, limit: .note).array, path)
    }

    /// - Parameter path: the file with these bytes, for errors.
    package init(_ bytes: [UInt8], _ path: FilePath) throws(FileProblem) {
        // try?: what is not a lock is refused
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

    /// The lock at `path`; nil if there is none, or if the entry is not a lock file.
    /// - Throws: the error of reading it.
    static func ifPresent(_ path: FilePath) throws(FileProblem) -> LockNote? {
        try unlessInvalid { () throws(FileProblem) in try LockNote(path) }
    }

    package var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // try?: texts and numbers always have a form
        return ((try? encoder.encode(self)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
    }

    /// Whether the process ran on this host. The kernel then releases its flock(2) when it ends.
    package var isOfThisMachine: Bool {
        if !boot.isEmpty, boot == HostIdentity.boot { return true }
        return host == HostIdentity.host && machine == HostIdentity.identifier
    }

    /// Whether the process may still run; always true for another host.
    package var mayRun: Bool {
        !isOfThisMachine || (boot == HostIdentity.boot && (kill(process, 0) == 0 || errno == EPERM))
    }

    /// The holder of the lock, for people.
    /// - Parameter renewed: the last sign of life.
    package func holder(renewed: FileTime?) -> String {
        let sign = renewed.map { ", last active \($0.iso)" } ?? ""
        return "process \(process) on \(host), since \(since): \(command), user \(user)\(sign)"
    }

    package var stateFolder: FilePath { FilePath(pathBytes: state.bytes) }

    /// The `XDG_STATE_HOME` of the process that wrote the lock.
    package var stateHome: FilePath { stateFolder.removingLastComponent().removingLastComponent() }

    /// Whether the operation has ended, by the journal that the lock names. False if that journal cannot be read.
    package func hasEnded(at root: FilePath) -> Bool {
        guard let operation else { return true }
        guard isOfThisMachine,
            // try?: false, as said above
            let journal = try? Journal.read(RemoteState(root: root, folder: stateFolder), waiting: false)
        else { return false }
        return (try? journal.isUnfinished(operation)) == false  // try?: as above
    }
}
