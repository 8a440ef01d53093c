public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Actions on a remote in order, each with its precondition, and notes that the user should read before confirming. A
/// plan changes nothing; ``Executor`` carries it out.
public struct Plan: Hashable, Sendable, Codable {
    /// Name and version of the form in which plans are saved and printed.
    public static let schema = "ticds.plan/1"

    /// The application folder, absolute and without links.
    public var root: FilePath
    /// The command that made the plan, such as `ticds-client delete`.
    public var command: String
    /// One sentence without a full stop: "Delete client X from document Y".
    public var summary: String
    /// Reasons, consequences and warnings, in the order in which the user should read them.
    public var notes: [PlanNote]
    /// The actions, in the order in which they are done.
    public var actions: PlanActions
    /// Facts on which the plan depends, besides the preconditions of its actions.
    public var conditions: [PlanCondition] = []
    /// How many change sets of a document the user allowed the plan to remove, if it was saved with `--max-delete`.
    public var limit: DeletionLimit?

    /// A plan; notes and actions may be added later.
    public init(
        root: FilePath, command: String, summary: String, notes: [PlanNote] = [],
        actions: PlanActions = []
    ) {
        self.root = root
        self.command = command
        self.summary = summary
        self.notes = notes
        self.actions = actions
    }

    /// Adds a note at the end.
    public mutating func note(_ kind: PlanNote.Kind, _ text: String) {
        notes.append(PlanNote(kind: kind, text: text))
    }

    /// Adds a note with the reason for the plan.
    mutating func explain(_ text: String) { note(.reason, text) }
    /// Adds a note about a consequence for clients.
    mutating func addConsequence(_ text: String) { note(.consequence, text) }
    /// Adds a warning about a possible loss or failure.
    mutating func warn(_ text: String) { note(.warning, text) }

    /// Adds an action at the end, with the reason that is shown beside it.
    public mutating func add(_ kind: PlanAction.Kind, because reason: String? = nil) {
        actions.append(PlanAction(kind, reason: reason))
    }
}

/// A sentence that belongs to a plan, without a full stop.
public struct PlanNote: Hashable, Sendable, Codable {
    /// The purpose of a note.
    public enum Kind: String, Sendable, Codable {
        /// The reason for the plan.
        case reason
        /// A consequence for clients.
        case consequence
        /// A possible loss or failure. Shown before the question.
        case warning
    }

    /// The purpose of the note.
    public var kind: Kind
    /// The sentence.
    public var text: String
    /// A file that the plan leaves as it is, although it changes all others of its kind; the undo needs it.
    public var leftOut: RemotePath?

    /// A note.
    public init(kind: Kind, text: String, leftOut: RemotePath? = nil) {
        self.kind = kind
        self.text = text
        self.leftOut = leftOut
    }
}

/// One action of a plan.
public struct PlanAction: Hashable, Sendable, Codable {
    /// The operation of the action on its entry.
    public var kind: Kind
    /// The reason, if the kind alone does not show it.
    public var reason: String?

    /// The keys in saved plans and journals.
    private enum CodingKeys: String, CodingKey {
        case kind = "change"
        case reason
    }

    /// Whether the action concerns the salt, a folder around it, or the whole remote.
    var concernsSalt: Bool { RemoteLayout.saltPath.names.starts(with: kind.path.names) }

    /// An action with its reason.
    public init(_ kind: Kind, reason: String? = nil) {
        self.kind = kind
        self.reason = reason
    }

    /// The operation of an action on one entry of a remote. The precondition of an action that makes an entry is that
    /// its name is free; the precondition of the others is that the entry is still as it was `seen`. An action can also
    /// write or move the root itself.
    public enum Kind: Hashable, Sendable, Codable {
        /// Makes an empty folder.
        case makeFolder(path: RemotePath)
        /// Writes a file with this modification time; nil is the time of writing.
        case writeFile(path: RemotePath, content: PlannedContent, modified: FileTime?)
        /// Writes a folder with everything in it, which appears in one step.
        case writeTree(path: RemotePath, entries: [TreeEntry])
        /// Moves a staged file, or a staged folder with everything in it, to its place.
        case adopt(path: RemotePath, staged: StagedEntry)
        /// Replaces a file; the old one moves to the trash.
        case replaceFile(path: RemotePath, content: PlannedContent, modified: FileTime?, seen: EntryState)
        /// Sets a modification time; the times of folders after all other actions. For a folder, `seen` has only kind
        /// and time, and only the kind must still be the same.
        case setTime(path: RemotePath, modified: FileTime, seen: EntryState)
        /// Moves a file, link or whole folder to the trash.
        case moveToTrash(path: RemotePath, seen: EntryState)
        /// Moves an entry back from the trash of an earlier operation.
        case restore(path: RemotePath, slot: TrashPlace, seen: EntryState)

        /// The entry that is changed.
        public var path: RemotePath {
            switch self {
            case .makeFolder(let path), .writeFile(let path, _, _), .writeTree(let path, _),
                .adopt(let path, _), .replaceFile(let path, _, _, _), .setTime(let path, _, _),
                .moveToTrash(let path, _),
                .restore(let path, _, _):
                path
            }
        }
    }
}

/// One entry of a folder that an action writes as a whole.
public struct TreeEntry: Hashable, Sendable, Codable {
    /// The path below the folder that is written.
    public var path: RemotePath
    /// The content of a file; nil for a folder.
    public var content: PlannedContent?
    /// Modification time; nil for the time of writing.
    public var modified: FileTime?

    /// A folder, or with `content` a file, of a tree.
    public init(path: RemotePath, content: PlannedContent? = nil, modified: FileTime? = nil) {
        self.path = path
        self.content = content
        self.modified = modified
    }
}

/// An entry that an action moved to the trash: the action's number in an operation of the journal.
public struct TrashPlace: Hashable, Sendable, Codable {
    /// Number of the operation in the journal, from 1.
    public var operation: Int64
    /// The number of the action, from 0.
    public var action: Int

    /// The slot of one action of an operation.
    public init(operation: Int64, action: Int) {
        self.operation = operation
        self.action = action
    }
}

/// The source of the bytes of a file that is written.
public enum PlannedContent: Hashable, Sendable, Codable {
    /// Bytes in the plan itself, for small files.
    case bytes(PlannedBytes)
    /// The bytes of another file of the remote, which must still be as it was `seen`.
    case copy(of: RemotePath, seen: EntryState)
    /// The bytes of a file in the trash of an earlier operation; it stays there.
    case trashed(slot: TrashPlace, seen: EntryState)
    /// The bytes of another file of the remote, encrypted, decrypted or encrypted again. Only the process that made the
    /// plan can carry it out, since the keys are not in it.
    case recoded(from: RemotePath, seen: EntryState)
    /// The bytes of a local file outside of the remote, by the bytes of its full path. The file must still be as it was
    /// `seen`.
    case file(path: PlannedBytes, seen: EntryState)
    /// A staged file, which is moved.
    case staged(StagedEntry)
}

/// A file or folder outside of the remote that an operation moves into it. It is already on disk, with its times and
/// modes. Only the process that staged it can carry out the plan, because the staged file is removed when that process
/// ends.
public struct StagedEntry: Hashable, Sendable, Codable {
    private var place: PlannedBytes
    /// The state of the entry after it was made, which is the precondition of moving it.
    public var seen: EntryState

    /// - Parameter path: absolute.
    public init(path: FilePath, seen: EntryState) {
        place = PlannedBytes(path.bytes)
        self.seen = seen
    }

    /// The absolute path of the entry.
    public var path: FilePath { FilePath(pathBytes: place.bytes) }
}

/// Turns the bytes of a file into the bytes that replace them.
public protocol ContentRecoder: Sendable {
    /// Passes the new bytes of `file` to `sink`, in pieces.
    /// - Throws: the error of reading or writing, or of a check of the new bytes.
    func recode(
        _ file: RemotePath, in storage: any RemoteStorage,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem)
}

extension EncryptionRecoder: ContentRecoder {}
