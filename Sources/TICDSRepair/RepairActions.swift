import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

/// Collects the actions of a repair, each at most once for an entry, and orders them: copies of files that would be
/// lost, moves to the trash, new folders and files, replaced files, and times.
struct RepairActions {
    private let tree: RemoteTree
    private var copies: [RemotePath: Item<Written>] = [:]
    private var trash: [RemotePath: Item<EntryState>] = [:]
    /// Copies that replace their originals, and move to the trash afterwards.
    private var used: [RemotePath: Item<EntryState>] = [:]
    private var folders: [RemotePath: Item<Void>] = [:]
    private var files: [RemotePath: Item<Written>] = [:]
    private var replacements: [RemotePath: Item<Replaced>] = [:]
    private var times: [RemotePath: Item<Timed>] = [:]

    /// An action on an entry, and the kinds of finding that need it.
    private struct Item<What> {
        var what: What
        var kinds: [FindingKind]

        /// The reason, such as "TICDS-0201, TICDS-0505: A stray lies among the change sets of a client".
        var reason: String {
            kinds.map(\.code).joined(separator: ", ") + (kinds.first.map { ": \($0.title)" } ?? "")
        }
    }

    private struct Written {
        var content: PlannedContent
        var modified: FileTime?
    }

    private struct Replaced {
        var content: PlannedContent
        var modified: FileTime?
        var seen: EntryState
    }

    private struct Timed {
        var time: FileTime
        var seen: EntryState
    }

    init(_ tree: RemoteTree) { self.tree = tree }

    /// - Throws: an error if the entry does not exist, or if a folder below it could not be listed.
    mutating func trash(_ path: RemotePath, for kind: FindingKind) throws(FileProblem) {
        if trash[path] == nil { trash[path] = Item(what: try tree.state(of: path), kinds: []) }
        Self.note(kind, &trash[path])
    }

    /// Puts the bytes of `twin` in the place of a damaged file, which moves to the trash; then moves the twin to the
    /// trash.
    mutating func putInPlace(
        _ twin: RemotePath, at path: RemotePath, for kind: FindingKind
    ) throws(FileProblem) {
        let seen = try tree.state(of: twin)
        // The older time is used: a whole store that seems younger than it is would win over those of other clients.
        let times = [seen.modified, try tree.state(of: path).modified].compactMap(\.self)
        try replace(path, .copy(of: twin, seen: seen), modified: times.min(), for: kind)
        if used[twin] == nil { used[twin] = Item(what: seen, kinds: []) }
        Self.note(kind, &used[twin])
    }

    /// Whether the entry replaces its original.
    func isUsed(_ path: RemotePath) -> Bool { used[path] != nil }
    /// Whether a twin replaces the file at this path.
    func isReplaced(_ path: RemotePath) -> Bool { replacements[path] != nil }

    mutating func makeFolder(_ path: RemotePath, for kind: FindingKind) {
        if folders[path] == nil { folders[path] = Item(what: (), kinds: []) }
        Self.note(kind, &folders[path])
    }

    mutating func write(_ path: RemotePath, _ bytes: [UInt8], modified: FileTime?, for kind: FindingKind) {
        if files[path] == nil {
            let written = Written(content: .bytes(PlannedBytes(bytes)), modified: modified)
            files[path] = Item(what: written, kinds: [])
        }
        Self.note(kind, &files[path])
    }

    /// Copies `file`, which moves to the trash, to `path`.
    mutating func keep(_ file: RemoteFile, as path: RemotePath, for kind: FindingKind) {
        if copies[path] == nil {
            let content = PlannedContent.copy(of: file.path, seen: EntryState(file))
            copies[path] = Item(what: Written(content: content, modified: file.modified), kinds: [])
        }
        Self.note(kind, &copies[path])
    }

    /// - Parameter modified: nil to keep the modification time.
    mutating func replace(
        _ path: RemotePath, _ content: PlannedContent, modified: FileTime? = nil, for kind: FindingKind
    ) throws(FileProblem) {
        if replacements[path] == nil {
            let seen = try tree.state(of: path)
            let replaced = Replaced(content: content, modified: modified ?? seen.modified, seen: seen)
            replacements[path] = Item(what: replaced, kinds: [])
        }
        Self.note(kind, &replacements[path])
    }

    mutating func setTime(_ path: RemotePath, _ time: FileTime, for kind: FindingKind) throws(FileProblem) {
        if times[path] == nil {
            times[path] = Item(what: Timed(time: time, seen: try tree.state(of: path)), kinds: [])
        }
        Self.note(kind, &times[path])
    }

    private static func note<What>(_ kind: FindingKind, _ item: inout Item<What>?) {
        if item?.kinds.contains(kind) == false { item?.kinds.append(kind) }
    }

    /// Whether the entry, or a folder that contains it, moves to the trash.
    func isGone(_ path: RemotePath) -> Bool {
        (1...max(1, path.names.count)).contains { trash[RemotePath(Array(path.names.prefix($0)))] != nil }
    }

    var needsRecoder: Bool {
        replacements.contains { path, item in
            if case .recoded = item.what.content { !isGone(path) } else { false }
        }
    }

    func planned() -> [PlanAction] {
        var actions: [PlanAction] = []
        func add(_ change: PlanAction.Kind, _ reason: String) {
            actions.append(PlanAction(change, reason: reason))
        }
        for (path, item) in Self.sorted(copies) where !isGone(path) {
            let what = item.what
            add(.writeFile(path: path, content: what.content, modified: what.modified), item.reason)
        }
        for (path, item) in Self.sorted(trash) where !isGone(path.parent) {
            add(.moveToTrash(path: path, seen: item.what), item.reason)
        }
        for (path, item) in missingFolders() { add(.makeFolder(path: path), item.reason) }
        for (path, item) in Self.sorted(files) where !isThere(path) {
            let what = item.what
            add(.writeFile(path: path, content: what.content, modified: what.modified), item.reason)
        }
        for (path, item) in Self.sorted(replacements) where !isGone(path) {
            let what = item.what
            let time = times[path]?.what.time ?? what.modified
            add(.replaceFile(path: path, content: what.content, modified: time, seen: what.seen), item.reason)
        }
        for (path, item) in Self.sorted(used) where !isGone(path) {
            add(.moveToTrash(path: path, seen: item.what), item.reason)
        }
        for (path, item) in Self.sorted(times) where !isGone(path) && replacements[path] == nil {
            add(.setTime(path: path, modified: item.what.time, seen: item.what.seen), item.reason)
        }
        return actions
    }

    /// The folders to make and the folders around new files, without those that exist.
    private func missingFolders() -> [(RemotePath, Item<Void>)] {
        var wanted = folders
        let makers = folders.map { ($0.key, $0.value.kinds) } + files.map { ($0.key, $0.value.kinds) }
        for (path, kinds) in makers {
            var parent = path.parent
            while !parent.names.isEmpty, wanted[parent] == nil {
                wanted[parent] = Item(what: (), kinds: kinds)
                parent = parent.parent
            }
        }
        return Self.sorted(wanted).filter { !isThere($0.0) }
    }

    /// Whether there is an entry, or may be one, since its folder could not be listed.
    private func isThere(_ path: RemotePath) -> Bool { !tree[path].isMissing && !isGone(path) }

    private static func sorted<What>(_ items: [RemotePath: Item<What>]) -> [(RemotePath, Item<What>)] {
        items.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
}
