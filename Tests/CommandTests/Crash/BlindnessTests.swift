import Base
import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// An error is not an absence: commands on a failing file system, at one call or at one path, report it and name it, or
/// give the same result as without. They never report less with exit status 0, and do not plan, register, remove or
/// recover anything on the basis of unread data.
@Suite(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) struct BlindnessTests {
    static let errors: [Errno] = [.ioError, .permissionDenied, .staleNFSFileHandle]
    static let isThorough = CrashTests.isThorough

    /// Commands on a remote, written REMOTE here.
    static let reading =
        ReadingCommand.all(on: "REMOTE").map { [$0.program] + $0.arguments }
        + [["ticds-client", "show", "REMOTE", "Anna’s iPhone"], ["ticds-integrity", "check", "REMOTE"]]
    static let planning = [
        ["ticds-client", "delete", "REMOTE", "Børge’s iPad", "--from-application"],
        ["ticds-document", "delete", "REMOTE", "pantry"],
        ["ticds-document", "create", "REMOTE", "new", "--description", "New"],
        ["ticds-integrity", "reset", "REMOTE", "--document", "cookbook", "--key", "A-KEY-OF-ITS-OWN"],
        ["ticds-vacuum", "REMOTE", "--keep-within", "0s", "--leftovers"],
        ["ticds-remote", "remove", "REMOTE"],
        ["ticds-verify", "REMOTE", "--repair"],
    ].map { $0 + ["--dry-run"] }

    /// Commands on a remote after a deletion.
    static let restoring = [
        ["ticds-client", "restore", "REMOTE", "Børge’s iPad", "--document", "cookbook"],
        ["ticds-document", "restore", "REMOTE", "pantry"],
        ["ticds-journal", "undo", "REMOTE", "1"],
    ].map { $0 + ["--dry-run"] }
    /// Commands with the password of the remote, or its new one.
    static let opening: [(kind: DemoRemote.Kind, command: [String])] = [
        (.plain, ["ticds-remote", "encrypt", "REMOTE"]), (.encrypted, ["ticds-remote", "encrypt", "REMOTE"]),
        (.encrypted, ["ticds-remote", "decrypt", "REMOTE"]),
        (.encrypted, ["ticds-client", "delete", "REMOTE", "Børge’s iPad", "--all-documents"]),
    ]

    @Test(arguments: reading) func aReadingCommandNamesWhatItDidNotSee(command: [String]) throws {
        try Self.fail(command, on: DemoRemote(changeSets: 6), atLeast: 3)
    }

    @Test(arguments: planning) func nothingIsPlannedOnWhatWasNotSeen(command: [String]) throws {
        try Self.fail(command, on: DemoRemote(changeSets: 6), atLeast: 4)
    }

    @Test(arguments: restoring) func nothingIsRestoredOnWhatWasNotSeen(command: [String]) throws {
        let demo = try DemoRemote(changeSets: 6)
        let state = "export XDG_STATE_HOME='\(demo.scratch.path)/state' PATH='\(Program.folder.path)':$PATH"
        try demo.scratch.shell(
            """
            \(state); ticds-client delete '\(demo.path)' 'Børge’s iPad' --document cookbook --yes
            ticds-document delete '\(demo.path)' pantry --yes
            """)
        try Self.fail(command, on: demo, atLeast: 4)
    }

    @Test(arguments: opening) func nothingIsPlannedBehindAPassword(
        kind: DemoRemote.Kind, command: [String]
    ) throws {
        let demo = try DemoRemote(kind, changeSets: 6)
        let options = ["--password-file", "\(demo.scratch.path)/password", "--dry-run"]
        try Self.fail(command + options, on: demo, atLeast: 4)
    }

    @Test func aReplicaIsNotClonedOfWhatWasNotSeen() throws {
        let demo = try DemoRemote(changeSets: 6)
        let (replica, model) = ("\(demo.scratch.path)/new", "\(demo.scratch.path)/demo/Cookbook.xcdatamodel")
        let command = ["ticds-sync", "clone", "REMOTE", replica, "--model", model, "--dry-run"]
        try Self.fail(command + ["--document", "cookbook"], on: demo, atLeast: 4)
    }

    /// A set without blocks may be one that a service has not fetched: only reading it shows that.
    @Test func aSetWithoutBlocksIsNotTakenForOneThatIsThere() throws {
        let demo = try DemoRemote(changeSets: 6)
        try demo.scratch.shell(
            "set=$(find '\(demo.path)' -name '*.syncchg' | sort | head -n 1); : > $set; truncate -s 3000 $set"
        )
        let trial = try BlindTrial(
            ["ticds-vacuum", "REMOTE", "--keep-within", "0s", "--leftovers", "--dry-run"], demo)
        let moments = stride(from: 1, through: trial.calls, by: Self.isThorough ? 2 : 7).map {
            BlindTrial.Moment(call: $0, error: .ioError, isLasting: true)
        }
        #expect(try moments.filter { try trial.status($0) <= 0 }.map(\.description) == [])
    }

    /// Any reading command, on an intact or a damaged remote, that fails at one call, once or permanently.
    @Test func randomCalls() throws {
        var random = RandomNumbers(0xB11D)
        let trials = try [DemoRemote.Kind.plain, .damaged].flatMap { kind in
            let demo = try DemoRemote(kind, changeSets: 6)
            return try (0..<(Self.isThorough ? Self.reading.count : 6)).map { number in
                let command =
                    Self.isThorough ? Self.reading[number] : Self.reading.randomElement(using: &random)
                return try BlindTrial(command ?? [], demo)
            }
        }
        var cases: [(BlindTrial, BlindTrial.Moment)] = []
        for _ in 0..<(Self.isThorough ? 2_000 : 16) {
            guard let trial = trials.randomElement(using: &random) else { return }
            cases.append(
                (
                    trial,
                    BlindTrial.Moment(
                        call: .random(in: 1...trial.calls, using: &random),
                        error: Self.errors.randomElement(using: &random) ?? .ioError,
                        isLasting: .random(using: &random))
                ))
        }
        Self.expectNone(cases)
    }

    /// Makes a command fail at some calls; in a long run at all of them.
    private static func fail(_ command: [String], on demo: DemoRemote, atLeast count: Int) throws {
        let trial = try BlindTrial(command, demo)
        try #require(trial.calls > 20)
        let moments =
            isThorough
            ? (1...trial.calls).flatMap { call in
                // The three errors alternate: the interpretation does not depend on the kind of error.
                [true, false].map {
                    BlindTrial.Moment(call: call, error: errors[(call + ($0 ? 0 : 1)) % 3], isLasting: $0)
                }
            }
            // The first and the last call, and some between them.
            : (0..<count).map { number in
                BlindTrial.Moment(
                    call: 1 + number * (trial.calls - 1) / (count - 1), error: errors[number % 3],
                    isLasting: number % 4 != 3)
            }
        expectNone((isThorough ? CrashTests.share(of: moments) : moments).map { (trial, $0) })
    }

    private static func expectNone(_ cases: [(BlindTrial, BlindTrial.Moment)]) {
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: cases.count) { number in
            let (trial, moment) = cases[number]
            do {
                if let problem = try trial.problem(moment) {
                    problems.withLock { $0.append("\(trial.command.joined(separator: " ")): \(problem)") }
                }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
    }

    @Test func aBlindRunSynchronisesAllOrSaysSo() throws {
        let trial = try SyncTrial()
        let count = try trial.countLooks()
        try #require(count > 100)
        let wanted = try trial.outcome(.none)
        let faults = Self.faults(count, CrashTests.calls(count, few: 6).count)
        Self.expectNone(faults) { fault in
            let outcome = try trial.outcome(fault)
            return outcome == wanted ? nil : "\(outcome), wanted: \(wanted)"
        }
    }

    @Test func aBlindRecoveryRecoversAllOrSaysSo() throws {
        let trial = try CrashTrial(.near, .apply)
        let calls = try trial.countCalls()
        let moments = Self.isThorough ? stride(from: 2, to: calls, by: 5).map(\.self) : [calls / 2]
        for moment in CrashTests.share(of: moments) {
            let looks = try trial.countLooks(after: .kill(moment))
            try #require(looks > 20)
            Self.expectNone(Self.faults(looks, CrashTests.calls(looks, few: 6).count)) { fault in
                try trial.problem(.kill(moment), nil, blindness: fault)
            }
        }
    }

    /// Faults at some calls, spread over all of them.
    private static func faults(
        _ count: Int, _ number: Int
    ) -> [@Sendable (Scratch) -> FaultyProgram.Fault] {
        (0..<number).map { position in
            { scratch in
                let call = 1 + (position * count + position) / number
                let file = scratch.path.appending("call")
                return position % 4 == 3
                    ? .once(call, errors[position % 3], file) : .blind(call, errors[position % 3], file)
            }
        }
    }

    private static func expectNone(
        _ faults: [@Sendable (Scratch) -> FaultyProgram.Fault],
        _ problem: @Sendable (FaultyProgram.Fault) throws -> String?
    ) {
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: faults.count) { number in
            do {
                let scratch = try Scratch()
                let fault = faults[number](scratch)
                guard let found = try problem(fault) else { return }
                let call = try String(contentsOfFile: scratch.path.appending("call").string, encoding: .utf8)
                problems.withLock { $0.append("\(fault) \(call): \(found)") }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
    }
}

/// One command on one remote, which it does not change.
struct BlindTrial: Sendable {
    struct Moment: Sendable, CustomStringConvertible {
        var call: Int
        var error: Errno
        /// Whether all later calls on the same path fail as well.
        var isLasting: Bool

        var description: String { "call \(call), \(error)\(isLasting ? ", for good" : "")" }
    }

    let command: [String]
    /// The number of calls that read files.
    let calls: Int
    private let demo: DemoRemote
    private let sound: Program.Result

    init(_ command: [String], _ demo: DemoRemote) throws {
        self.command = command
        self.demo = demo
        let words = command.map { $0 == "REMOTE" ? demo.path : $0 }
        sound = try Self.run(words, demo)
        let scratch = try Scratch()
        let file = scratch.path.appending("looks")
        _ = try Self.run(words, demo, .looks(file))
        calls = try FaultyProgram.number(in: file)
    }

    /// The output without the duration of the command, new identifiers and integrity keys.
    private static func untimed(_ result: Program.Result) -> String {
        result.output.replacing(/\sin\s[0-9.]+\sm?s/, with: "")
            .replacing(/IntegrityKey\/[0-9A-F-]{36}(?![0-9A-F-])/, with: "IntegrityKey/NEW")
            .replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}(?![0-9A-F-])/, with: "NEW")
    }

    /// The exit status under a failure.
    func status(_ moment: Moment) throws -> Int32 {
        let scratch = try Scratch()
        let fault = FaultyProgram.Fault.blind(moment.call, moment.error, scratch.path.appending("call"))
        return try Self.run(command.map { $0 == "REMOTE" ? demo.path : $0 }, demo, fault).status
    }

    /// The problem of a result under a failure; nil if it is right.
    func problem(_ moment: Moment) throws -> String? {
        let scratch = try Scratch()
        let file = scratch.path.appending("call")
        let fault: FaultyProgram.Fault =
            moment.isLasting
            ? .blind(moment.call, moment.error, file) : .once(moment.call, moment.error, file)
        let result = try Self.run(command.map { $0 == "REMOTE" ? demo.path : $0 }, demo, fault)
        if result.status == sound.status, Self.untimed(result) == Self.untimed(sound) { return nil }
        guard let failed = try? String(contentsOfFile: file.string, encoding: .utf8) else {
            return "\(moment): another answer, and no call failed"
        }
        let path = failed.dropLast().drop { $0 != " " }.dropFirst()
        if result.status <= 0 {
            let lines = Set(Self.untimed(sound).split(separator: "\n"))
            let other = Self.untimed(result).split(separator: "\n").filter { !lines.contains($0) }
            return "\(moment), \(failed): status \(result.status): \(other) \(result.errors)"
        }
        let isNamed = Self.names(of: String(path), under: demo.path).contains { name in
            result.errors.contains(name) || result.output.contains(name)
        }
        return isNamed ? nil : "\(moment), \(failed): not named: \(result.errors)"
    }

    /// The forms of a path in messages: complete, as a part of the remote, or by its owner.
    private static func names(of path: String, under root: String) -> [String] {
        var names = [path]
        // A private folder represents the target that is made in it.
        if let place = path.firstMatch(of: /\/\.ticds[-a-z]*\.[0-9a-f]{16}(?=\/)/) {
            names.append(path.replacingCharacters(in: place.range, with: ""))
        }
        for suffix in ["-wal", "-journal", "-shm"] where path.hasSuffix(suffix) {
            names += names.map { String($0.dropLast(suffix.count)) }
        }
        // The only draft in an unfinished replica becomes the register.
        for name in names where name.contains("/.ticds-draft-") {
            names.append(name.replacing(/\.ticds-draft-.*$/, with: "AppliedSyncChangeSets.ticdsync"))
        }
        // For an unfinished replica, a copy is named after its original. SQLite reads all folders above a file, and errors
        // name the file.
        if (root + "/").hasPrefix(path + "/") { names += ["cannot be read", "could not be checked"] }
        if path.contains("/.ticds-clone.") { names += ["/WholeStore.ticdsync: ", "/.ticds-clone."] }
        if path.contains(/\/\.ticds-clone\.[0-9a-f]{16}$/) { names.append("/Document.sqlite: ") }
        return names + names.filter { $0.hasPrefix(root + "/") }.map { String($0.dropFirst(root.count + 1)) }
    }

    private static func run(
        _ words: [String], _ demo: DemoRemote, _ fault: FaultyProgram.Fault = .none
    ) throws -> Program.Result {
        var environment = ["XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC"]
        if fault.isThere, let library = FaultyProgram.library {
            environment["TICDS_FAULT"] = "\(fault)"
            environment["LD_PRELOAD"] = library.string
        }
        return try Program.run(words[0], Array(words.dropFirst()), environment: environment, seconds: 60)
    }
}
