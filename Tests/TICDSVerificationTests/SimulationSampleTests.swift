import Foundation
import SystemCalls
import SystemPackage
import TICDSVerification
import TestSupport
import Testing
import TICDSCore

/// Simulations of remotes that the framework wrote, compared with the framework's own behaviour.
@Suite struct SimulationSampleTests {
    private let clients = ["AA", "BB", "CC"].enumerated().map {
        RemoteName("B2C0D0A4-000\($0 + 1)-4A11-8E1D-0000000000\($1)")
    }

    /// Two clients with eight placeholders each, which are not stores, and whole stores and recent syncs of given
    /// times.
    @Test func whatAVacuumRemoves() throws {
        let sample = try SampleParts("op-vacuum")
        let truth = try #require(sample.json["vacuum"] as? [String: Any])
        let removed = try #require(truth["removed"] as? [String])
        let simulation = SyncSimulator.run(
            client: clients[0], document: "doc-one-0001", variant: .fileManager,
            try sample.context("before"))
        #expect(simulation.vacuumed.count == removed.count)
        #expect(simulation.vacuumLimit == FileTime(seconds: 1_300_000_000))
        let own = try #require(
            try sample.context("before").snapshot.document("doc-one-0001")?.client(clients[0]))
        let limit = try #require(simulation.vacuumLimit)
        let older = own.changeSets.filter { $0.modified < limit }.map { own.path.appending($0.name) }
        #expect(older.map { "com.example.notes/" + $0.text } == removed)
        // The placeholders of the other client are too short for a store.
        #expect(simulation.changeSets.map(\.fate) == Array(repeating: .swallowedAsEmpty, count: 8))
        #expect(simulation.steps.contains { $0.name == "Open the change sets" && $0.outcome == .unknown })
    }

    /// The first document's zip has an entry named like the document, the second's a different name, the third is not a
    /// zip.
    @Test func downloadsOfTheDropboxVariant() throws {
        let sample = try SampleParts("dropbox-plain-zip")
        let truth = try #require(sample.json["realDownloads"] as? [String: [String: Any]])
        for document in ["doc-one-0001", "doc-two-0002", "doc-three-0003"] {
            let answer = try #require(truth["download-store \(document) compression on"])
            let simulation = SyncSimulator.run(
                client: nil, document: RemoteName(document), variant: .dropbox, try sample.context())
            let step = try #require(simulation.steps.first { $0.name == "Fetch and install the store" })
            #expect((step.outcome == .done) == (answer["ok"] as? Bool), "\(document)")
            #expect(step.error?.name == answer["error"] as? String, "\(document)")
            // Without compression, as in the other variants, the zip itself is installed.
            let plain = try #require(truth["download-store \(document) compression off"]?["got"] as? String)
            let other = SyncSimulator.run(
                client: nil, document: RemoteName(document), variant: .fileManager, try sample.context())
            let loss = try #require(other.steps.first { $0.name == "Fetch and install the store" })
            #expect((loss.outcome == .silentLoss) == (plain == "a zip file"), "\(document)")
        }
    }

    /// Members are the clients that the framework lists; the second was removed from the second document.
    @Test(arguments: ["plain-multi", "enc-multi"])
    func whoIsAMember(_ name: String) throws {
        let sample = try SampleParts(name)
        let answers = try #require(sample.json["realAnswers"] as? [String: Any])
        let lists = try #require(answers["list-doc-clients"] as? [String: [String: Any]])
        #expect(lists.count == 2)
        for (document, members) in lists {
            for client in clients {
                let simulation = SyncSimulator.run(
                    client: client, document: RemoteName(document), variant: .fileManager,
                    try sample.context())
                #expect((simulation.standing == .member) == (members[client.text] != nil))
            }
        }
        let removed = SyncSimulator.run(
            client: clients[1], document: "doc-two-0002", variant: .fileManager, try sample.context())
        #expect(removed.standing == .removed && removed.stop == nil)
    }

    /// The first client synchronised, and the framework reported success.
    @Test func aSynchronisationWithoutNews() throws {
        let sample = try SampleParts("op-sync-nothing")
        let simulation = SyncSimulator.run(
            client: clients[0], document: "doc-one-0001", variant: .fileManager,
            try sample.context("before"))
        #expect(simulation.stop == nil && simulation.changeSets.isEmpty)
        #expect(simulation.steps.allSatisfy { $0.outcome == .done })
    }

    /// Operations that registered a client and that the framework completed, with its messages to its delegate.
    @Test(arguments: [
        ("op-join-document", "doc-one-0001", 2, Simulation.Standing.newcomer),
        ("op-rejoin-after-removal", "doc-two-0002", 1, .removed),
    ])
    func registrations(
        _ name: String, _ document: String, _ client: Int, _ standing: Simulation.Standing
    ) throws {
        let sample = try SampleParts(name)
        let answer = try #require(sample.json["answer"] as? [String: Any])
        let events = try #require(answer["events"] as? [[String: Any]]).compactMap { $0["event"] as? String }
        let simulation = SyncSimulator.run(
            client: clients[client], document: RemoteName(document), variant: .fileManager,
            try sample.context("before"))
        #expect(simulation.standing == standing)
        let steps = simulation.steps.filter { $0.stage == .documentRegistration }
        #expect(!steps.contains(where: { $0.outcome == .fails }))
        let finds = events.contains("docClientHadPreviouslyBeenDeleted")
        #expect(finds == steps.contains { $0.name == "Find that it was removed" })
        let after = try sample.context("after").snapshot.document(RemoteName(document))
        let isMember = after?.client(clients[client]) != nil
        #expect(isMember == steps.contains { $0.name == "Make its folders" && $0.outcome == .done })
    }

    /// The app was asked whether to create the document.
    @Test(arguments: [
        ("op-create-document", "new-doc-0001", false),
        ("op-recreate-deleted-document", "doc-three-0003", true),
    ])
    func documentsThatAreNotThere(_ name: String, _ document: String, _ wasDeleted: Bool) throws {
        let simulation = SyncSimulator.run(
            client: clients[2], document: RemoteName(document), variant: .fileManager,
            try SampleParts(name).context("before"))
        let last = try #require(simulation.steps.last)
        #expect(last.outcome == .unknown && last.stage == .documentRegistration)
        #expect(last.paths.isEmpty != wasDeleted)
    }

    /// The password of the description opens the test file; the framework registered the client.
    @Test func aClientOfAnEncryptedRemote() throws {
        let sample = try SampleParts("op-register-client-encrypted")
        let simulation = SyncSimulator.run(
            client: "NEW-CLIENT-0001", document: "doc-one-0001", variant: .fileManager,
            try sample.context("before"))
        let steps = simulation.steps.filter { $0.stage == .applicationRegistration }
        #expect(steps.count == 3 && steps.allSatisfy { $0.outcome == .done }, "\(simulation.summary)")
    }
}

/// A sample remote, or the two of a pair, with its description.
private struct SampleParts {
    let remote: SampleRemote
    let json: [String: Any]

    init(_ name: String) throws {
        remote = try SampleRemote(name)
        let data = try Data(contentsOf: URL(fileURLWithPath: remote.description.string))
        json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func context(_ part: String = "remote") throws -> VerificationContext {
        let storage = LocalStorage(root: try RemoteLocation.find(remote.parent(part)))
        let password = json["password"] as? String
        let keyring = try PasswordCheck.open(storage, password: { () throws(FileProblem) in password })
        return VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring, now: .now)
    }
}
