import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// One action of a plan, as people read it.
struct PlanRow {
    var verb: String
    var path: RemotePath
    /// Files in a folder; nil for a single file.
    var files: Int?
    var bytes: Int64?
    /// The reason, and what else has to be known.
    var why: String

    init(_ action: PlannedAction, keepsTrash: Bool) {
        let change = action.change
        verb = Self.verb(change, keepsTrash: keepsTrash)
        path = change.path
        var details: [String] = action.reason.map { [$0] } ?? []
        switch change {
        case .makeFolder: break
        case .writeFile(_, let content, _), .replaceFile(_, let content, _, _):
            bytes = content.size
            if let source = content.source { details.append(source) }
        case .writeTree(_, let entries):
            let contents = entries.compactMap(\.content)
            files = contents.count
            bytes = contents.reduce(0) { $0 +| $1.size }
        case .adopt(_, let staged):
            files = staged.seen.files
            bytes = staged.seen.size
        case .setTime(_, let modified, _):
            details.append("to \(modified.localSeconds)")
        case .moveToTrash(_, let seen), .restore(_, _, let seen):
            files = seen.files
            bytes = seen.size
        }
        why = details.joined(separator: "; ")
    }

    /// Files that the action is about; 0 for an empty folder.
    var fileCount: Int { files ?? (bytes == nil ? 0 : 1) }

    /// Whether `other` can stand in the same row: the same is done in the same folder for the same reason.
    func isLike(_ other: PlanRow) -> Bool {
        verb == other.verb && why == other.why && path.parent == other.path.parent
    }

    private static func verb(_ change: Change, keepsTrash: Bool) -> String {
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
    /// Bytes; of encrypted content those of the file it is made from.
    fileprivate var size: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.bytes.count)
        case .copy(_, let seen), .trashed(_, let seen), .recoded(_, let seen), .file(_, let seen): seen.size
        case .staged(let staged): staged.seen.size
        }
    }

    /// Where the bytes come from, unless they are new.
    fileprivate var source: String? {
        switch self {
        case .bytes, .staged: nil
        case .file(let path, _):
            "from \(FilePath(pathBytes: path.bytes).escaped), a file of this machine"
        case .copy(let path, _): "copy of \(path)"
        case .trashed(let slot, _): "from the trash of operation \(slot.operation)"
        case .recoded: "encrypted anew"
        }
    }
}
