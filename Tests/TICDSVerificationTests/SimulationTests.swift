import SystemCalls
import TICDSVerification
import TestSupport
import Testing
import TICDSCore

/// The simulated synchronisation of intact remotes.
@Suite struct SimulationTests {
    @Test(arguments: CleanRemote.Kind.allCases, Variant.allCases)
    func aMemberOfASoundRemote(kind: CleanRemote.Kind, variant: Variant) throws {
        let remote = try CleanRemote(kind, changeSets: 6)
        let simulation = try remote.simulate(remote.clients[0], variant)
        #expect(simulation.standing == .member && simulation.stop == nil)
        #expect(simulation.steps.allSatisfy { $0.outcome == .done }, "\(simulation.summary)")
        #expect(simulation.nextStart.allSatisfy { $0.outcome == .done })
        #expect(simulation.steps.map(\.stage).first == .preSync)
        #expect(simulation.steps.last?.stage == .vacuum)
        #expect(simulation.known.source == .ownRegister && simulation.known.count > 0)
        #expect(simulation.changeSets.allSatisfy { $0.fate == .applied })
        #expect(!simulation.changeSets.contains { $0.author.text == remote.clients[0] })
    }

    /// The first client's register contains all sets except those after its upload; the second client has none.
    @Test func fetchesWhatNoRegisterNames() throws {
        let remote = try CleanRemote(.plain)
        let all = ChangeHistory(of: try #require(try remote.context().snapshot.document("cookbook")))
        for client in remote.clients {
            let simulation = try remote.simulate(client, .fileManager)
            let register = try remote.registered(by: client)
            let expected = (0..<all.count).map { all[$0] }.filter {
                $0.client.text != client && !register.contains($0.file.identifier.text)
            }
            #expect(simulation.changeSets.map(\.path) == expected.map(\.path), "\(client)")
            #expect(simulation.changeSets.map(\.modified) == expected.map(\.file.modified))
            #expect(simulation.known.count == register.count)
            #expect(simulation.known.source == (register.isEmpty ? .nothing : .ownRegister))
        }
        let late = try remote.simulate(remote.clients[2], .fileManager)
        #expect(!late.changeSets.isEmpty && late.changeSets.contains { $0.isCertain })
        let second = try remote.simulate(remote.clients[1], .fileManager)
        #expect(second.changeSets.contains { !$0.isCertain })
        let doubtful = second.changeSets.count { !$0.isCertain }
        let fetch = try #require(second.steps.first { $0.name == "Fetch the change sets" })
        #expect(
            fetch.sentence.hasPrefix(
                "\(second.changeSets.count) change sets to fetch. Of these, \(doubtful) ")
        )
    }

    @Test(arguments: CleanRemote.Kind.allCases, Variant.allCases)
    func aNewClient(kind: CleanRemote.Kind, variant: Variant) throws {
        let remote = try CleanRemote(kind, changeSets: 6)
        let simulation = try remote.simulate(nil, variant)
        #expect(simulation.standing == .newcomer && simulation.stop == nil, "\(simulation.summary)")
        // Only Dropbox clients extract a zip; the others install it as it is.
        let isFoiled = kind.isZipped && variant != .dropbox
        #expect(simulation.steps.filter { $0.outcome == .silentLoss }.count == (isFoiled ? 1 : 0))
        let document = try #require(try remote.context().snapshot.document("cookbook"))
        let latest = document.wholeStores.compactMap(\.store).max { $0.modified < $1.modified }
        #expect(simulation.wholeStore == latest?.path)
        #expect(simulation.known.source == .downloadedRegister)
        let register = try remote.registered(by: remote.clients[0])
        let sets = document.clients.flatMap { $0.changeSets.map(\.identifier.text) }
        #expect(Set(simulation.changeSets.map(\.identifier.text)) == Set(sets).subtracting(register))
        #expect(Set(simulation.steps.map(\.stage)) == Set(SimulationStep.Stage.allCases))
    }

    @Test(arguments: Variant.allCases)
    func theVacuumLimitIsTheOldestStoreOrSync(variant: Variant) throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let document = try #require(try remote.context().snapshot.document("cookbook"))
        let stores = document.wholeStores.compactMap(\.store?.modified)
        let syncs = document.recentSyncs.filter { $0.client.text != remote.clients[2] }.map(\.file.modified)
        let limit = try #require((stores + syncs).min())
        let simulation = try remote.simulate(remote.clients[2], variant)
        let found = try #require(simulation.vacuumLimit)
        #expect(variant == .dropbox ? found.seconds == limit.seconds : found == limit)
        let own = try #require(document.client(RemoteName(remote.clients[2])))
        #expect(simulation.vacuumed.count == own.changeSets.count { $0.modified < limit })
    }

    @Test func aDocumentThatIsNotThere() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let simulation = SyncSimulator.run(
            client: nil, document: "nowhere", variant: .fileManager, try remote.context())
        #expect(simulation.steps.map(\.outcome).suffix(2) == [.unknown, .fails])
        #expect(simulation.steps.map(\.stage).suffix(2) == [.documentRegistration, .download])
        #expect(simulation.stop?.error == .fileManager)
        #expect(simulation.changeSets.isEmpty)
    }

    @Test func withoutAPasswordEncryptedSetsAreNotChecked() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let context = try remote.context(keyring: RemoteKeyring(.locked))
        let simulation = SyncSimulator.run(
            client: nil, document: "cookbook", variant: .fileManager, context)
        #expect(simulation.stop == nil)
        #expect(simulation.changeSets.allSatisfy { $0.fate == .unknown })
        #expect(simulation.steps.contains { $0.stage == .download && $0.outcome == .unknown })
    }

    @Test func errorsHaveTheFrameworksCodes() {
        #expect(FrameworkError.integrityKeysDiffer.code == 20)
        #expect(FrameworkError.integrityKeyMissing.code == 21)
        #expect(FrameworkError.allCases.map(\.code) == [2, 3, 9, 14, 15, 16, 20, 21])
    }
}

extension CleanRemote {
    func simulate(_ client: String?, _ variant: Variant, document: RemoteName = "cookbook") throws
        -> Simulation
    {
        SyncSimulator.run(
            client: client.map { RemoteName($0) }, document: document, variant: variant, try context())
    }

    func simulations(_ client: String, keyring: RemoteKeyring? = nil) throws -> [Simulation] {
        SyncSimulator.runs(
            client: RemoteName(client), document: "cookbook", variant: .fileManager,
            try context(keyring: keyring)
        )
    }

    /// The identifiers in the register of a client of `cookbook`; empty if it uploaded none.
    func registered(by client: String) throws -> Set<String> {
        let path = path("Documents/cookbook/WholeStore/\(client)/AppliedSyncChangeSets.ticdsync")
        guard try FileStatus.ifPresent(path) != nil else { return [] }
        var identifiers: Set<String> = []
        try ChangeSetRegister(path).forEachChangeSet { identifiers.insert($0.identifier ?? "") }
        return identifiers
    }
}

extension Simulation {
    /// A summary for messages of tests.
    var summary: String {
        steps.map { "\($0.stage) \($0.name): \($0.outcome) \($0.error?.code ?? 0) \($0.sentence)" }
            .joined(separator: "\n")
    }
}
