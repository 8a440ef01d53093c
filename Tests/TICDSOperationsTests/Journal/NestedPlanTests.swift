import SystemCalls
import TICDSCore
import TestSupport
import Testing
import TICDSOperations

/// Plans that make a folder, and then an entry in it, and their undo, which removes both in reverse order.
@Suite struct NestedPlanTests {
    @Test func undoTakesAwayWhatIsInAFolderFirst() throws {
        let remote = try ChangedRemote()
        let before = try remote.image
        var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Make a folder with a file")
        plan.add(.makeFolder(path: ["Documents", "more"]))
        plan.add(
            .writeFile(
                path: ["Documents", "more", "file"], content: .bytes(PlannedBytes([1])), modified: nil))
        let executor = Executor(remote.state)
        let number = try executor.run(plan)
        let after = try remote.image
        #expect(after.differences(from: before) == ["Documents/more", "Documents/more/file"])
        let undo = try UndoPlanner.plan(undoing: number, in: remote.journal())
        let second = try executor.run(undo, undoing: number)
        #expect(try remote.image.differences(from: before) == [])
        let redo = try UndoPlanner.plan(undoing: second, in: remote.journal())
        _ = try executor.run(redo, undoing: second)
        #expect(try remote.image.entries.keys == after.entries.keys)
    }

    @Test func aStrangersFileInTheFolderStopsTheUndo() throws {
        let remote = try ChangedRemote()
        var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Make a folder with a file")
        plan.add(.makeFolder(path: ["Documents", "more"]))
        plan.add(
            .writeFile(
                path: ["Documents", "more", "file"], content: .bytes(PlannedBytes([1])), modified: nil))
        let number = try Executor(remote.state).run(plan)
        try remote.builder.write("Documents/more/stranger", "mine")
        let before = try remote.image
        let problem = #expect(throws: FileProblem.self) {
            try UndoPlanner.plan(undoing: number, in: remote.journal())
        }
        #expect(problem?.kind == .refused)
        #expect(try remote.image.differences(from: before) == [])
    }
}
