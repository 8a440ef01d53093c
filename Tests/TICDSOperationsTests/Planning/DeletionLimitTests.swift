import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Two documents: `notes` with ten change sets of A and ten of B, `songs` with four of A.
@Suite struct DeletionLimitTests {
    private let builder: RemoteBuilder
    private let snapshot: RemoteSnapshot

    init() throws {
        builder = try RemoteBuilder()
        try builder.skeleton().client("client-A").client("client-B")
        for (document, client, count) in [
            ("notes", "client-A", 10), ("notes", "client-B", 10), ("songs", "client-A", 4),
        ] {
            try builder.document(document).join(client, document)
            for number in 0..<count {
                try builder.changeSet("\(number)-SET", of: client, in: document, time: 1_300_000_000)
            }
        }
        try builder.write("Documents/notes/SyncChanges/client-A/stray.txt", "no set")
        snapshot = try RemoteSnapshot.take(builder.storage)
    }

    private func plan(_ changes: [PlanAction.Kind]) -> Plan {
        var plan = Plan(root: builder.root, command: "test", summary: "Test")
        for change in changes { plan.add(change) }
        return plan
    }

    private func trash(_ path: RemotePath) throws -> PlanAction.Kind {
        .moveToTrash(path: path, seen: try snapshot.tree.state(of: path))
    }

    private func sets(_ count: Int, of client: RemoteName, in document: RemoteName) throws -> [PlanAction
        .Kind]
    {
        try (0..<count).map {
            try trash(["Documents", document, "SyncChanges", client, RemoteName("\($0)-SET.syncchg")])
        }
    }

    private func refusal(
        _ changes: [PlanAction.Kind], _ limit: DeletionLimit = .standard
    ) throws -> FileProblem? {
        do throws(FileProblem) {
            try limit.check(plan(changes), snapshot)
            return nil
        } catch {
            #expect(error.kind == .refused)
            return error
        }
    }

    @Test func halfOfADocumentIsAllowed() throws {
        #expect(try refusal([]) == nil)
        #expect(try refusal([trash(["Documents", "notes", "SyncChanges", "client-A"])]) == nil)
        #expect(try refusal(sets(2, of: "client-A", in: "songs")) == nil)
    }

    @Test func moreIsRefusedWithTheFigure() throws {
        let changes =
            try [trash(["Documents", "notes", "SyncChanges", "client-A"])]
            + sets(1, of: "client-B", in: "notes")
        let problem = try #require(try refusal(changes))
        #expect(problem.problem.contains("11 of the 20 change sets"), "\(problem)")
        #expect(problem.found == "55%" && problem.expected?.hasPrefix("at most 50%") == true)
        #expect(problem.advice?.hasSuffix("--max-delete 11") == true)
        #expect(problem.path == builder.root.appending("Documents").appending("notes"))
        #expect(try refusal(changes, DeletionLimit(.count(11))) == nil)
        #expect(try refusal(changes, DeletionLimit(.count(10))) != nil)
        #expect(try refusal(changes, DeletionLimit(.percent(55))) == nil)
        #expect(try refusal(changes, DeletionLimit(.percent(54))) != nil)
    }

    @Test(
        arguments: [
            [], ["Documents"], ["Documents", "notes"], ["Documents", "notes", "SyncChanges"],
        ] as [[String]])
    func foldersAboveCountWithAllSets(names: [String]) throws {
        let path = RemotePath(names.map { RemoteName($0) })
        let problem = try #require(try refusal([trash(path)]))
        #expect(problem.problem.contains("20 of the 20 change sets"), "\(problem)")
        #expect(problem.problem.contains("too many of 1 more document") == (names.count < 2))
        #expect(try refusal([trash(path)], DeletionLimit(.percent(100))) == nil)
    }

    /// A set that is removed twice, with its folder and by itself, counts once.
    @Test func nothingCountsTwice() throws {
        let changes =
            try sets(10, of: "client-A", in: "notes")
            + [trash(["Documents", "notes", "SyncChanges", "client-A"])]
        #expect(try refusal(changes) == nil)
    }

    @Test func replacedSetsCountAndOthersDoNot() throws {
        let place: RemotePath = ["Documents", "songs", "SyncChanges", "client-A"]
        let replaced = try (0..<3).map { number -> PlanAction.Kind in
            let path = place.appending(RemoteName("\(number)-SET.syncchg"))
            return .replaceFile(
                path: path, content: .bytes(PlannedBytes([1])), modified: nil,
                seen: try snapshot.tree.state(of: path))
        }
        let problem = try #require(try refusal(replaced))
        #expect(problem.problem.contains("3 of the 4 change sets"))
        let harmless = try (0..<3).map { number -> PlanAction.Kind in
            let path = place.appending(RemoteName("\(number)-SET.syncchg"))
            return .setTime(
                path: path, modified: FileTime(seconds: 1), seen: try snapshot.tree.state(of: path))
        }
        let stray: RemotePath = ["Documents", "notes", "SyncChanges", "client-A", "stray.txt"]
        let others = try [trash(stray), trash(["ReadMe.txt"]), trash(["ClientDevices", "client-A"])]
        #expect(try refusal(harmless + others, DeletionLimit(.count(0))) == nil)
    }
}
