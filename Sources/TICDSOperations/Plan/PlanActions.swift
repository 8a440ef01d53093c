import Base
import SystemCalls
public import TICDSCore

/// The actions of a plan, in order. A plan may move or encrypt a million change sets: such an action is stored as the
/// packed name of its file and 32 bytes, in place of 500 and more, and is made again on request.
public struct PlanActions: Sendable {
    private var records: [Record] = []
    private var names = PackedNames()
    private var groups: [Group] = []
    /// The actions that are stored as they are.
    private var others: [PlanAction] = []

    /// An action on a file of a group, or another action.
    private struct Record {
        /// The name of the file; nil for an action that is stored as it is.
        var name: PackedNames.Place?
        var nanoseconds: Int32 = 0
        /// The place among the groups, or among the other actions.
        var place: UInt32
        var size: Int64 = 0
        var seconds: Int64 = 0
    }

    /// What many actions on files of one folder have in common.
    private struct Group {
        var folder: RemotePath
        var reason: String?
        var form: Form
    }

    private enum Form { case moveToTrash, recode }

    /// No actions.
    public init() {}

    /// Adds an action at the end.
    public mutating func append(_ action: PlanAction) {
        if let (form, file) = Self.packable(action.kind), let last = file.path.last {
            let group = place(of: form, file.path, action.reason)
            if let group, let name = last.bytes.withUnsafeBytes({ names.append($0) }) {
                return records.append(
                    Record(
                        name: name, nanoseconds: file.modified.nanoseconds, place: group, size: file.size,
                        seconds: file.modified.seconds))
            }
        }
        // bounded: each action takes memory
        records.append(Record(place: UInt32(clamping: others.count)))
        others.append(action)
    }

    /// The form of an action that names only a file as it was seen; nil for every other action.
    private static func packable(_ kind: PlanAction.Kind) -> (Form, RemoteFile)? {
        switch kind {
        case .moveToTrash(let path, let seen): seen.file(at: path).map { (.moveToTrash, $0) }
        case .replaceFile(let path, .recoded(let source, let before), let modified, let seen)
        where source == path && before == seen && modified == seen.modified:
            seen.file(at: path).map { (.recode, $0) }
        default: nil
        }
    }

    /// The place of the group for an action: the last one, or a new one.
    private mutating func place(of form: Form, _ path: RemotePath, _ reason: String?) -> UInt32? {
        if let last = groups.last, last.form == form, last.reason == reason,
            last.folder.names.elementsEqual(path.names.dropLast())
        {
            return UInt32(exactly: groups.count - 1)
        }
        groups.append(Group(folder: path.parent, reason: reason, form: form))
        return UInt32(exactly: groups.count - 1)
    }

    private func action(_ record: Record) -> PlanAction {
        guard let name = record.name else { return others[Int(record.place)] }
        let group = groups[Int(record.place)]
        let path = group.folder.appending(names.withName(name) { RemoteName($0) })
        let modified = FileTime(seconds: record.seconds, nanoseconds: record.nanoseconds)
        let seen = EntryState(kind: .file, size: record.size, modified: modified)
        let kind: PlanAction.Kind =
            switch group.form {
            case .moveToTrash: .moveToTrash(path: path, seen: seen)
            case .recode:
                .replaceFile(
                    path: path, content: .recoded(from: path, seen: seen), modified: modified, seen: seen)
            }
        return PlanAction(kind, reason: group.reason)
    }
}

extension EntryState {
    /// The file at `path` in this state; nil for the state of another entry.
    fileprivate func file(at path: RemotePath) -> RemoteFile? {
        guard let modified, self == EntryState(kind: .file, size: size, modified: modified) else {
            return nil
        }
        return RemoteFile(path: path, size: size, modified: modified)
    }
}

extension PlanActions: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of actions.
    public var endIndex: Int { records.count }

    /// The action at a position.
    public subscript(position: Int) -> PlanAction {
        get { action(records[position]) }
        set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
    }

    /// Reserves memory for a number of actions.
    public mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// Replaces a range of actions. What was stored of the former ones stays in memory.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with actions: some Collection<PlanAction>
    ) {
        let end = records.count
        for action in actions { append(action) }
        let added = Array(records[end...])
        records.removeSubrange(end...)
        records.replaceSubrange(range, with: added)
    }
}

extension PlanActions: Hashable, Codable, ExpressibleByArrayLiteral {
    /// Actions given as a literal.
    public init(arrayLiteral actions: PlanAction...) { self.init(actions) }

    public static func == (one: PlanActions, other: PlanActions) -> Bool { one.elementsEqual(other) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for action in self { hasher.combine(action) }
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd { append(try list.decode(PlanAction.self)) }
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for action in self { try list.encode(action) }
    }
}
