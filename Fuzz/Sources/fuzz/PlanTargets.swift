import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// A saved plan. What is read leads nowhere out of the remote, and is written the same again.
@Sendable func readPlan(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("plan.json")
    try NewFile.write(bytes.array, to: path)
    let plan = try PlanFile.read(path)
    for action in plan.actions {
        for name in action.kind.path.names {
            if name.bytes.isEmpty || name.bytes == [0x2E] || name.bytes == [0x2E, 0x2E]
                || name.bytes.contains(where: { $0 == 0 || $0 == 0x2F })
            {
                finding("a name of a plan leads elsewhere: \(name.bytes)")
            }
        }
    }
    let again = folder.path.appending("again.json")
    try NewFile.write(try PlanFile.bytes(of: plan), to: again)
    guard (try? PlanFile.read(again)) == plan else {
        finding("a plan that was written cannot be read, or differs")
    }
}

@Sendable func planSeeds() throws -> [[UInt8]] {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    for name in ["a", "b"] { try NewFile.write([1, 2, 3], to: folder.path.appending(name)) }
    let storage = LocalStorage(root: folder.path)
    let seen = try storage.state(of: ["a"])
    let time = FileTime(seconds: 1_300_000_000, nanoseconds: 5)
    var plan = Plan(root: folder.path, command: "ticds-fuzz", summary: "Everything")
    plan.note(.warning, "Everything changes")
    plan.add(.makeFolder(path: ["new"]))
    plan.add(.writeFile(path: ["new", "file"], content: .bytes(PlannedBytes([0, 255])), modified: time))
    plan.add(.writeFile(path: ["copy"], content: .copy(of: ["a"], seen: seen), modified: nil))
    plan.add(
        .replaceFile(
            path: ["b"], content: .bytes(PlannedBytes([1])), modified: time,
            seen: try storage.state(of: ["b"])))
    plan.add(.setTime(path: ["a"], modified: time, seen: seen))
    plan.add(.setTime(path: ["a"], modified: .first, seen: seen))
    plan.add(.setTime(path: ["a"], modified: .last, seen: seen))
    plan.add(
        .writeTree(
            path: ["tree"],
            entries: [
                TreeEntry(path: ["x"]),
                TreeEntry(path: ["x", "y"], content: .bytes(PlannedBytes([1])), modified: time),
            ]))
    plan.add(.moveToTrash(path: ["a"], seen: seen), because: "nobody needs it")
    plan.add(.restore(path: ["z"], slot: TrashPlace(operation: 1, action: 2), seen: seen))
    return [try PlanFile.bytes(of: plan)]
}
