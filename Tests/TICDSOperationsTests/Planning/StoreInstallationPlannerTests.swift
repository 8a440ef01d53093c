import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations

@Suite struct StoreInstallationPlannerTests {
    /// The old store moves away as a whole, and the new one appears as a whole.
    @Test func replacesTheFolder() throws {
        let remote = try CleanRemote()
        let (document, client) = (RemoteName("cookbook"), RemoteName(remote.clients[0]))
        let plan = try planner(remote).plan(installing: try upload(remote), for: client, in: document)
        let folder = RemoteLayout.wholeStore(of: client, in: document)
        #expect(plan.actions.count == 2)
        guard case .moveToTrash(folder, let seen) = plan.actions[0].kind else {
            Issue.record("\(plan.actions[0])")
            return
        }
        #expect(seen == (try remote.storage.state(of: folder)))
        guard case .writeTree(folder, let entries) = plan.actions[1].kind else {
            Issue.record("\(plan.actions[1])")
            return
        }
        #expect(entries.map(\.path) == [[RemoteLayout.wholeStoreFile], [RemoteLayout.appliedSyncChangeSets]])
        #expect(plan.notes.allSatisfy { $0.kind != .warning })
    }

    /// The client without a store gets a folder, and nothing else changes.
    @Test func makesAFolder() throws {
        let remote = try CleanRemote()
        let plan = try planner(remote).plan(
            installing: try upload(remote), for: RemoteName(remote.clients[1]), in: "cookbook")
        #expect(plan.actions.count == 1)
    }

    @Test func refusals() throws {
        let remote = try CleanRemote()
        let client = RemoteName(remote.clients[0])
        var lacking = try upload(remote)
        let one = try #require(lacking.applied.first)
        lacking.applied.remove(one)
        expectRefusal { try self.planner(remote).plan(installing: lacking, for: client, in: "cookbook") }
        lacking.mayLack = true
        let plan = try planner(remote).plan(installing: lacking, for: client, in: "cookbook")
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("lacks 1 change set") })
        let whole = try upload(remote)
        expectRefusal { try self.planner(remote).plan(installing: whole, for: "stranger", in: "cookbook") }
    }

    @Test func warnsOfAnotherModel() throws {
        let remote = try CleanRemote()
        var upload = try upload(remote)
        upload.modelDigest = "mine"
        upload.otherDigests = [RemoteName(remote.clients[2]): "theirs"]
        let client = RemoteName(remote.clients[0])
        let plan = try planner(remote).plan(installing: upload, for: client, in: "cookbook")
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("another model") })
    }

    @Test func longListOfOtherModelsHasACount() throws {
        let remote = try CleanRemote()
        var upload = try upload(remote)
        upload.modelDigest = "mine"
        for number in 1...7 { upload.otherDigests[RemoteName("client\(number)")] = "theirs" }
        let client = RemoteName(remote.clients[0])
        let plan = try planner(remote).plan(installing: upload, for: client, in: "cookbook")
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("client5 and 2 more: ") })
    }

    private func planner(_ remote: CleanRemote) throws -> StoreInstallationPlanner {
        let planned = try PlannedRemote(
            root: remote.root, remote.storage, try RemoteSnapshot.take(remote.storage),
            keyring: remote.keyring)
        return StoreInstallationPlanner(planned, command: "test")
    }

    /// An upload whose register names every set.
    private func upload(_ remote: CleanRemote) throws -> StoreUpload {
        let document = try #require(try RemoteSnapshot.take(remote.storage).document("cookbook"))
        let names = document.clients.flatMap { $0.changeSets.map(\.identifier.bytes) }
        return StoreUpload(
            entries: [TreeEntry(path: [RemoteLayout.wholeStoreFile], content: .bytes(PlannedBytes([1])))],
            register: .bytes(PlannedBytes([2])), applied: Set(names), modelDigest: nil)
    }

    private func expectRefusal(_ body: () throws -> Plan) {
        do {
            _ = try body()
            Issue.record("not refused")
        } catch {
            #expect((error as? FileProblem)?.kind == .refused)
        }
    }
}
