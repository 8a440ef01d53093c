import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Whole commands that are killed: after `ticds-journal recover` they have happened, or not, and can be undone.
@Suite struct CommandCrashTests {
    static let commands = [
        ["ticds-client", "delete", "REMOTE", "Børge’s iPad", "--from-application"],
        ["ticds-document", "delete", "REMOTE", "cookbook"],
        ["ticds-integrity", "reset", "REMOTE", "--document", "cookbook"],
        ["ticds-vacuum", "REMOTE", "--keep-within", "0s", "--leftovers"],
        ["ticds-remote", "change-password", "REMOTE", "--new-password-file", "NEW"],
        ["ticds-remote", "decrypt", "REMOTE"],
    ]

    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"), arguments: commands)
    func killed(command: [String]) throws {
        let trial = try CommandTrial(command)
        let count = try trial.countCalls()
        try #require(count > 20)
        let calls = CrashTests.calls(count, few: 6)
        CrashTests.expectBeforeOrAfter(calls) { call in try trial.outcome(.kill(call)) }
    }

    /// Each call from the start of a command to its lock, and the same number at its end.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func killedCommandLeavesNoLockDraft() throws {
        let trial = try CommandTrial(Self.commands[0])
        let count = try trial.countCalls()
        try #require(count > 80)
        CrashTests.expectBeforeOrAfter(Array(1...40) + [count]) { call in try trial.outcome(.kill(call)) }
    }
}

/// One command on copies of one encrypted remote.
struct CommandTrial: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let command: [String]
    private let demo: DemoRemote
    private let newPassword: String

    init(_ command: [String]) throws {
        self.command = command
        demo = try DemoRemote(.encrypted, changeSets: 6)
        newPassword = try demo.scratch.write("new", Array("another one".utf8))
    }

    func countCalls() throws -> Int {
        let fixture = try copy()
        let file = fixture.path.appending("count")
        guard try run(command, fixture, .count(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    /// The state of the remote after the fault and recovery.
    func outcome(_ fault: FaultyProgram.Fault) throws -> String {
        let fixture = try copy()
        let remote = fixture.path.appending("remote")
        let before = try TreeImage(of: remote).withoutIdentity
        _ = try run(command, fixture, fault)
        try require(run(["ticds-journal", "recover", "REMOTE"], fixture) == 0, "recovery fails")
        let beside = try FileManager.default.contentsOfDirectory(atPath: fixture.path.string)
        try require(!beside.contains { $0.contains(".lock") }, "a lock stays: \(beside)")
        if try TreeImage(of: remote).withoutIdentity == before { return "as before" }
        try require(run(["ticds-journal", "undo", "REMOTE", "1"], fixture) == 0, "cannot be undone")
        let left = try TreeImage(of: remote).withoutIdentity.differences(from: before)
        try require(left.isEmpty, "undone, but not as before: \(left)")
        try require(run(["ticds-journal", "undo", "REMOTE", "2"], fixture) == 0, "cannot be done again")
        try checkPasswords(fixture)
        return "as after"
    }

    /// Every protected file opens with the password after the finished command.
    private func checkPasswords(_ fixture: Scratch) throws {
        let opens = ["ticds-remote", "check-password", "REMOTE", "--all"]
        let password = command.contains("change-password") ? ["--password-file", newPassword] : []
        try require(run(opens + password, fixture) == 0, "files do not open")
    }

    private func require(_ condition: @autoclosure () throws -> Bool, _ problem: String) throws {
        guard try condition() else { throw Failure(description: problem) }
    }

    private func copy() throws -> Scratch {
        let fixture = try Scratch()
        let done = try Program.shell("cp -a '\(demo.path)' '\(fixture.path)/remote'")
        try require(done.status == 0, done.errors)
        return fixture
    }

    private func run(
        _ command: [String], _ fixture: Scratch, _ fault: FaultyProgram.Fault = .none
    ) throws -> Int32 {
        var words = command.map { word in
            switch word {
            case "REMOTE": fixture.path.appending("remote").string
            case "NEW": newPassword
            default: word
            }
        }
        let name = words.removeFirst()
        let changes = !words.contains("recover") && !words.contains("check-password")
        if changes { words += ["--yes", "--max-delete", "100%"] }
        let takesPassword = [
            "ticds-remote", "ticds-vacuum", "ticds-client", "ticds-document", "ticds-integrity",
        ]
        if takesPassword.contains(name), !words.contains("--password-file") { words += demo.passwordOptions }
        return try FaultyProgram(name: name, home: fixture.path).run(words, fault: fault)
    }
}
