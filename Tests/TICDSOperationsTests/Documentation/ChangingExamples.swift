import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The examples of the article on changing; `DocumentationTests` sees to it that they are these.
@Suite struct ChangingExamples {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder(prefix: "ticds-examples") }

    private var stateHome: FilePath { home.path.appending("ticds") }

    @Test func aClientGoesAndComesBack() throws {
        let remote = try CleanRemote()
        let before = try TreeImage(of: remote.root)
        let root = remote.root
        let storage = remote.storage
        let keyring = remote.keyring
        let client = RemoteName(remote.clients[2])

        let planned = try PlannedRemote(
            root: root, storage, try RemoteSnapshot.take(storage), keyring: keyring)
        let plan = try ClientDeletionPlanner(planned).plan(client, from: .document("cookbook"))
        try DeletionLimit.standard.check(plan, planned.snapshot)
        let warnings = plan.notes.filter { $0.kind == .warning }.map(\.text)

        #expect(plan.actions.count > 1)
        #expect(warnings.allSatisfy { !$0.hasSuffix(".") })

        let file = home.path.appending("plan.json")
        try TestFiles.write(file, try PlanFile.bytes(of: plan))
        #expect(try PlanFile.read(file) == plan)

        let state = RemoteState(root: root, stateHome: stateHome)
        let number = try Executor(state).run(plan)

        #expect(try RemoteSnapshot.take(storage).document("cookbook")?.client(client) == nil)
        try undo(number, state)
        #expect(try TreeImage(of: remote.root).withoutIdentity == before.withoutIdentity)
        try recover(state)
    }

    private func undo(_ number: Int64, _ state: RemoteState) throws {
        guard let journal = try Journal.read(state) else { return }
        let undoing = try UndoPlanner.plan(undoing: number, in: journal)
        _ = try Executor(state).run(undoing, undoing: number)
    }

    private func recover(_ state: RemoteState) throws {
        for operation in try OperationRecovery.recover(state) {
            print("\(operation.number) \(operation.summary): \(operation.state.rawValue)")
        }
        #expect(try OperationRecovery.unfinished(state).isEmpty)
    }

    @Test func aPlanOfOnesOwn() throws {
        let remote = try CleanRemote()
        let root = remote.root
        let storage = remote.storage
        let state = RemoteState(root: root, stateHome: stateHome)

        let snapshot = try RemoteSnapshot.take(storage)
        var plan = Plan(root: root, command: "example", summary: "Say whose folder this is")
        let readMe: RemotePath = [RemoteLayout.readMe]
        plan.note(.consequence, "no client reads the file")
        plan.add(
            .replaceFile(
                path: readMe, content: .bytes(PlannedBytes(Array("Anna’s recipes\n".utf8))), modified: nil,
                seen: try snapshot.tree.state(of: readMe)),
            because: "the text of the framework does not say")
        try TestFiles.write(readMe.filePath(under: root), Array("Somebody was here first".utf8))

        var refusal: FileProblem?
        do throws(FileProblem) {
            _ = try Executor(state).run(plan)
        } catch {
            refusal = error
        }

        #expect(refusal?.kind == .refused)
        #expect(try storage.read(readMe).array == Array("Somebody was here first".utf8))
    }
}
