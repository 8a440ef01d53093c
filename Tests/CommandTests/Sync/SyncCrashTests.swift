import Base
import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Runs that were killed, or met a full disk: the next run knows exactly which sets are in the document, and which are
/// sent.
@Suite struct SyncCrashTests {
    @Test(
        .enabled(if: FaultyProgram.library != nil, "needs a C compiler"), arguments: SyncTrial.Kind.allCases)
    func aKilledCommandIsEndedByTheNextRun(_ kind: SyncTrial.Kind) throws {
        let trial = try SyncTrial(kind)
        let count = try trial.countCalls()
        try #require(count > 50)
        let wanted = try trial.outcome(.none)
        #expect(wanted.contains("sets of its own: 1"))
        let calls = CrashTests.calls(count, few: 8)
        // Other calls than those of the kills meet a full disk.
        let faults =
            calls.map { FaultyProgram.Fault.kill($0) }
            + zip(calls, calls.dropFirst()).map { .failFrom(($0 + $1) / 2, .noSpace) }
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: faults.count) { number in
            let fault = faults[number]
            do {
                let outcome = try trial.outcome(fault)
                if outcome != wanted { problems.withLock { $0.append("\(fault) \(outcome)") } }
            } catch {
                problems.withLock { $0.append("\(fault) \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [], "wanted: \(wanted)")
    }
}

/// A replica with a local edit, and a set of another client that it has not fetched.
struct SyncTrial: Sendable {
    enum Kind: CaseIterable {
        /// A run with small values.
        case run
        /// A run with values of megabytes in both directions, which are written in pieces.
        case runOfLargeValues
        /// A commit of such a value, before a run.
        case commitOfLargeValue
        /// A run that sends what a commit recorded.
        case runAfterCommit

        var isLarge: Bool { self != .run }
    }

    private let kind: Kind
    private let folder: String
    private let scratch: Scratch
    private static let client = "Client-Of-Its-Own"

    init(_ kind: Kind = .run) throws {
        self.kind = kind
        let fixture = try SyncFixture(changeSets: 6)
        let cloned = try fixture.clone("A", ["--yes", "--client", Self.client])
        try #require(cloned.status == 0, "\(cloned.errors)")
        try #require(try fixture.clone("B").status == 0)
        let large = [
            (
                "B",
                "UPDATE ZRECIPE SET ZPHOTO = CAST(randomblob(1500000) AS BLOB) WHERE Z_PK = (SELECT max(Z_PK) FROM ZRECIPE)"
            ),
            (
                "A",
                "UPDATE ZRECIPE SET ZPHOTO = CAST(randomblob(2500000) AS BLOB) WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"
            ),
        ]
        for (replica, statement) in (kind.isLarge ? large : []) + [
            ("B", "UPDATE ZRECIPE SET ZTITLE = 'theirs' WHERE Z_PK = (SELECT max(Z_PK) FROM ZRECIPE)"),
            ("A", "UPDATE ZRECIPE SET ZTITLE = 'mine' WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"),
            ("A", "INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('new', 'TAG-OF-ITS-OWN')"),
        ] {
            let store = "\(fixture.place(replica))/Document.sqlite"
            let edited = try Program.shell("sqlite3 '\(store)' \"\(statement)\"")
            try #require(edited.status == 0, "\(edited.errors)")
        }
        if kind != .runAfterCommit { try #require(try fixture.sync("run", "B").status == 0) }
        if kind == .runAfterCommit { try #require(try fixture.sync("commit", "A").status == 0) }
        scratch = fixture.demo.scratch
        folder = scratch.path.string
    }

    func countCalls() throws -> Int {
        let fixture = try copy()
        let file = fixture.path.appending("count")
        guard try run(fixture, .count(file), kind == .commitOfLargeValue ? "commit" : "run") == 0 else {
            return 0
        }
        return try FaultyProgram.number(in: file)
    }

    func countLooks() throws -> Int {
        let fixture = try copy()
        let file = fixture.path.appending("looks")
        guard try run(fixture, .looks(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    /// The state of replica and remote after a run with a fault, and one without. A run that reports completion is
    /// complete.
    func outcome(_ fault: FaultyProgram.Fault) throws -> String {
        let fixture = try copy()
        let first = try run(fixture, fault, kind == .commitOfLargeValue ? "commit" : "run")
        let claimed = first == 0 && kind != .commitOfLargeValue ? try look(fixture) : nil
        let status = try run(fixture)
        let again = try run(fixture)
        let ended = try look(fixture)
        if let claimed, claimed != ended { return "done, it said, and then: \(claimed)" }
        return "statuses: \(status) \(again)\n\(ended)"
    }

    private func look(_ fixture: Scratch) throws -> String {
        let place = "\(fixture.path)/work"
        let look = """
            cd '\(place)'
            echo "clients: $(ls demo/*/Documents/cookbook/SyncChanges | wc -l) $(ls demo/*/ClientDevices | wc -l)"
            echo "sets of its own: $(ls demo/*/Documents/cookbook/SyncChanges/\(Self.client) | wc -l)"
            sqlite3 A/Document.sqlite "PRAGMA integrity_check; SELECT ZTICDSSYNCID, ZTITLE FROM ZRECIPE ORDER BY 1; \
            SELECT ZTICDSSYNCID, ZNAME FROM ZTAG ORDER BY 1"
            sqlite3 A/AppliedSyncChangeSets.ticdsync "SELECT count(*), count(DISTINCT ZSYNCCHANGESETIDENTIFIER) \
            FROM ZTICDSSYNCCHANGESET"
            sqlite3 A/Document.sqlite "SELECT quote(ZPHOTO) FROM ZRECIPE ORDER BY ZTICDSSYNCID" | sha256sum
            ls -A A | grep -e sending
            ls A | grep -e syncchg -e Unapplied.*ticdsync -e journal
            ls A/UnsavedAppliedSyncChanges A/UnappliedSyncChanges
            '\(Program.path("ticds-changes"))' dump demo/com.example.cookbook --document cookbook \
              --client \(Self.client) --json | sed -E 's/"changeSet":"[^"]*",?//; s/"timestamp":[{][^}]*[}]//' \
              \(kind.isLarge ? "| sha256sum" : "")
            """
        return try Program.shell(look).output
    }

    private func copy() throws -> Scratch {
        let fixture = try Scratch()
        let line = """
            cp -a '\(folder)' '\(fixture.path)/work'
            sed -i 's|\(folder)|\(fixture.path)/work|' '\(fixture.path)/work/A/Replica.json'
            """
        let done = try Program.shell(line)
        try #require(done.status == 0, "\(done.errors)")
        return fixture
    }

    private func run(
        _ fixture: Scratch, _ fault: FaultyProgram.Fault = .none, _ command: String = "run"
    ) throws -> Int32 {
        try FaultyProgram(name: "ticds-sync", home: fixture.path).run(
            [command, "\(fixture.path)/work/A"], fault: fault)
    }
}
