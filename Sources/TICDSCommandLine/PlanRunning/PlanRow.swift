import Base
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// One action of a plan, or the rest of a run of similar ones, in the form for people.
struct PlanRow {
    let verb: String
    /// The path of the entry; in words for the whole remote.
    let place: String
    /// The preposition before the place.
    var preposition = ""
    /// The kind of the entry, in the singular.
    let kind: String
    /// The client to which the entry belongs.
    let client: RemoteName?
    /// The folder of the entry.
    let folder: RemotePath
    /// The number of actions.
    var actions = 1
    /// The number of files in a folder; nil for a single file.
    var files: Int?
    var bytes: Int64?
    /// The reason, and further facts that the user must know.
    let why: String

    init(_ action: PlanAction, keepsTrash: Bool, _ style: TextStyle) {
        let change = action.kind
        verb = Self.verb(change, keepsTrash: keepsTrash)
        place = change.path.names.isEmpty ? "the whole remote" : change.path.description
        folder = change.path.parent
        kind = change.kindOfEntry
        client = change.path.client
        var details: [String] = action.reason.map { [$0] } ?? []
        switch change {
        case .makeFolder: break
        case .writeFile(_, let content, _), .replaceFile(_, let content, _, _):
            bytes = content.size
            if let source = content.source, action.reason == nil || source != PlannedContent.recodedText {
                details.append(source)
            }
        case .writeTree(_, let entries):
            let contents = entries.compactMap(\.content)
            files = contents.count
            bytes = contents.reduce(0) { $0 +| $1.size }
        case .adopt(_, let staged):
            files = staged.seen.files
            bytes = staged.seen.size
        case .setTime(_, let modified, _):
            details.append("to \(style.second(modified))")
        case .moveToTrash(_, let seen), .restore(_, _, let seen):
            files = seen.files
            bytes = seen.size
        }
        why = details.joined(separator: "; ")
    }

    /// A row for the rest of a run, whose actions are in one folder, with one action more.
    init(adding row: PlanRow, to rest: PlanRow?) {
        let actions = (rest?.actions ?? 0) + 1
        verb = "… and \(Quantities.count(actions)) more"
        folder = row.folder
        place = rest?.place ?? folder.description
        preposition = "in "
        kind = ""
        client = nil
        files = (rest?.files ?? 0) +| row.fileCount
        bytes = (rest?.bytes ?? 0) +| (row.bytes ?? 0)
        why = ""
        self.actions = actions
    }

    /// The number of files that the action concerns; 0 for an empty folder.
    var fileCount: Int { files ?? (bytes == nil ? 0 : 1) }

    /// Whether `other` can be in the same row: the same action in the same folder for the same reason.
    func isLike(_ other: PlanRow) -> Bool { verb == other.verb && why == other.why && folder == other.folder }

    private static func verb(_ change: PlanAction.Kind, keepsTrash: Bool) -> String {
        switch change {
        case .makeFolder: "make folder"
        case .writeFile: "write"
        case .writeTree: "write folder"
        case .adopt(_, let staged): staged.seen.kind == .folder ? "write folder" : "write"
        case .replaceFile: "replace"
        case .setTime: "set time"
        case .moveToTrash: keepsTrash ? "to the trash" : "delete"
        case .restore: "restore"
        }
    }
}

extension PlannedContent {
    /// The size in bytes; for content that is encrypted again, the size of the source file.
    fileprivate var size: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.bytes.count)
        case .copy(_, let seen), .trashed(_, let seen), .recoded(_, let seen), .file(_, let seen): seen.size
        case .staged(let staged): staged.seen.size
        }
    }

    fileprivate static let recodedText = "encrypted again"

    /// The source of the bytes, unless they are new.
    fileprivate var source: String? {
        switch self {
        case .bytes, .staged: nil
        case .file(let path, _):
            "from \(FilePath(pathBytes: path.bytes).escaped), a local file"
        case .copy(let path, _): "copy of \(path)"
        case .trashed(let slot, _): "from the trash of operation \(slot.operation)"
        case .recoded: Self.recodedText
        }
    }
}

extension PlanAction.Kind {
    /// The kind of the entry that is changed, by its place: `change set`.
    fileprivate var kindOfEntry: String {
        let kind: FileKind =
            switch self {
            case .makeFolder, .writeTree: .folder
            case .writeFile, .replaceFile: .file
            case .adopt(_, let staged): staged.seen.kind
            case .setTime(_, _, let seen), .moveToTrash(_, let seen), .restore(_, _, let seen): seen.kind
            }
        return switch FileRole(of: path, kind: kind) {
        case .folder: Self.kind(ofFolder: path.names)
        case .readMe: "ReadMe file"
        case .deviceInfo: "client description"
        case .documentInfo: "document description"
        case .salt, .encryptionTest: "file of the encryption"
        case .integrityKey: "integrity key"
        case .changeSet: "change set"
        case .commandSet: "command set"
        case .recentSync: "recent sync"
        case .tombstone: "tombstone"
        case .wholeStore: "whole store"
        case .register: "register"
        case .sharedExternalData: "file of external data"
        case .temporaryFile: "temporary file"
        case .symbolicLink: "symbolic link"
        case .special, .unknown: "other file"
        }
    }

    private static func kind(ofFolder names: [RemoteName]) -> String {
        guard names.first == RemoteLayout.documents else { return names.isEmpty ? "remote" : "folder" }
        if names.count == 2 { return "document" }
        guard names.count == 4 else { return "folder" }
        return switch names[2] {
        case RemoteLayout.syncChanges: "folder of change sets"
        case RemoteLayout.syncCommands: "folder of command sets"
        case RemoteLayout.wholeStore: "folder of a whole store"
        default: "folder"
        }
    }
}
