import SystemCalls
import SystemPackage
import TICDSRepair
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore
import TICDSOperations

/// Plans repairs of a remote in a temporary folder, carries them out, and verifies again.
struct RepairedRemote {
    let root: FilePath
    let keyring: RemoteKeyring
    /// A folder outside of the remote.
    let state: FilePath
    var now = FileTime(seconds: 1_400_000_000)
    var level = VerificationLevel.contents

    init(_ remote: DamagedRemote) {
        root = remote.root
        keyring = remote.clean.keyring
        state = remote.root.removingLastComponent().appending("state")
        level = .names
    }

    init(_ remote: CleanRemote) {
        root = remote.root
        keyring = remote.keyring
        state = remote.folder.path.appending("state")
    }

    func context() throws -> VerificationContext {
        let storage = LocalStorage(root: root)
        return VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring, now: now)
    }

    func findings() throws -> [Finding] {
        var settings = Verifier.Settings()
        settings.level = level
        return Verifier(try context(), settings).verify().report.findings
    }

    func codes() throws -> [String] { try findings().map(\.kind.code) }

    func plan(
        _ chosen: [Finding]? = nil, ignoring: [FindingKind] = []
    ) throws -> RepairPlan {
        let all = try findings().filter { !ignoring.contains($0.kind) }
        return try RepairPlanner.plan(
            chosen ?? all, among: all, try context(), root: (try? root.resolved()) ?? root,
            command: "ticds-verify --repair")
    }

    /// Carries a plan out.
    func execute(_ repair: RepairPlan) throws {
        let state = RemoteState(root: repair.plan.root, stateHome: state)
        _ = try Executor(state, recoder: repair.recoder).run(repair.plan)
    }

    /// Plans a repair and carries it out.
    @discardableResult
    func repair() throws -> RepairPlan {
        let repair = try plan()
        try execute(repair)
        return repair
    }

    /// Undoes the last operation.
    func undo() throws {
        let state = RemoteState(root: (try? root.resolved()) ?? root, stateHome: state)
        guard let journal = try Journal.read(state), let number = try journal.operations().first?.number
        else {
            Issue.record("no journal")
            return
        }
        _ = try Executor(state).run(try UndoPlanner.plan(undoing: number, in: journal), undoing: number)
    }
}

/// A picture of a remote without inode numbers, which differ for restored files.
func picture(of root: FilePath) throws -> [[UInt8]: TreeImage.Entry] {
    try TreeImage(of: root).entries.mapValues { entry in
        var entry = entry
        entry.status.inode = 0
        return entry
    }
}

extension Plan {
    /// Short lines such as "trash Documents/a", one for each action, for comparison.
    var steps: [String] {
        actions.map { action in
            let verb =
                switch action.kind {
                case .makeFolder: "folder"
                case .writeFile: "write"
                case .writeTree: "tree"
                case .adopt: "adopt"
                case .replaceFile: "replace"
                case .setTime: "time"
                case .moveToTrash: "trash"
                case .restore: "restore"
                }
            return "\(verb) \(action.kind.path.text)"
        }
    }

    var texts: [String] { notes.map(\.text) }
}
