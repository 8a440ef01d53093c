import SystemCalls
import TICDSCore

/// One action of an operation.
struct JournaledStep {
    var action: PlanAction
    /// The state of the entry that the action put into the staging folder; nil if it makes nothing.
    var made: EntryState?
    /// Whether the entry that the action moved to the trash is still there.
    var hasTrash: Bool
}

/// The actions of an operation, of which there may be a million.
struct JournaledSteps: RandomAccessCollection {
    private(set) var actions: PlanActions
    private var made: MadeStates
    /// For each action whether its entry is still in the trash; empty if none is.
    private var hasTrash: [Bool] = []

    init(_ actions: PlanActions = [], made: MadeStates = MadeStates()) {
        self.actions = actions
        self.made = made
    }

    mutating func append(_ step: JournaledStep) {
        if step.hasTrash || !hasTrash.isEmpty {
            hasTrash += repeatElement(false, count: actions.count - hasTrash.count)
            hasTrash.append(step.hasTrash)
        }
        made[actions.count] = step.made
        actions.append(step.action)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { actions.count }

    subscript(position: Int) -> JournaledStep {
        JournaledStep(
            action: actions[position], made: made[position],
            hasTrash: !hasTrash.isEmpty && hasTrash[position])
    }
}

/// The states of the entries that actions put into the staging folder, by the numbers of the actions. The state of a file
/// takes 24 bytes.
struct MadeStates {
    private var files: [FileState?] = []
    /// The states of folders and other entries.
    private var others: [Int: EntryState] = [:]

    private struct FileState {
        var size: Int64
        var seconds: Int64
        var nanoseconds: Int32
    }

    subscript(number: Int) -> EntryState? {
        get {
            guard number < files.count, let file = files[number] else { return others[number] }
            return EntryState(
                kind: .file, size: file.size,
                modified: FileTime(seconds: file.seconds, nanoseconds: file.nanoseconds))
        }
        set {
            others[number] = newValue
            if number < files.count { files[number] = nil }
            guard let modified = newValue?.modified, let size = newValue?.size,
                newValue == EntryState(kind: .file, size: size, modified: modified)
            else { return }
            files += repeatElement(nil, count: max(0, number + 1 - files.count))
            files[number] = FileState(
                size: size, seconds: modified.seconds, nanoseconds: modified.nanoseconds)
            others[number] = nil
        }
    }

    /// Calls `body` with each state and the number of its action.
    func forEach<Failure>(_ body: (Int, EntryState) throws(Failure) -> Void) throws(Failure) {
        for number in files.indices { if let state = self[number] { try body(number, state) } }
        for (number, state) in others where number >= files.count { try body(number, state) }
    }
}
