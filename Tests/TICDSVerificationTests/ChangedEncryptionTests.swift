import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSVerification
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// After a change of encryption, a new key or a new remote there are no findings.
@Suite struct ChangedEncryptionTests {
    private func carryOut(_ plan: Plan, _ recoder: EncryptionRecoder? = nil) throws {
        let home = try TemporaryFolder(prefix: "ticds-state")
        let state = RemoteState(root: plan.root, stateHome: home.path.appending("ticds"))
        _ = try Executor(state, recoder: recoder).run(plan)
    }

    private func findings(_ storage: LocalStorage, _ keyring: RemoteKeyring) throws -> [String] {
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring,
            now: .now)
        var settings = Verifier.Settings()
        settings.level = .deep
        return Verifier(context, settings).verify().report.findings.map { "\($0.kind.code) \($0.path)" }
    }

    private func change(_ remote: CleanRemote, _ goal: EncryptionPlanner.Goal, new: SyncKey?) throws {
        let snapshot = try RemoteSnapshot.take(remote.storage)
        let census =
            remote.keyring.key.map {
                EncryptionCensus(snapshot, remote.storage, key: $0, form: .since2011June)
            } ?? EncryptionCensus(ofPlain: snapshot, remote.storage)
        let listed = try ListedRemote(root: try #require(try remote.root.resolved()), snapshot)
        let plan = try EncryptionPlanner(of: listed, goal, census: census).plan(command: "test")
        try carryOut(plan, EncryptionRecoder(old: remote.keyring.key, new: new))
    }

    @Test func decrypted() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 8)
        let before = try findings(remote.storage, remote.keyring)
        try change(remote, .decrypt, new: nil)
        #expect(try findings(remote.storage, RemoteKeyring(.plain)) == before)
    }

    @Test(arguments: [CleanRemote.Kind.plain, .zipped])
    func encrypted(_ kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 8)
        let before = try findings(remote.storage, remote.keyring)
        let secret = try EncryptionSecret(password: "new")
        try change(remote, .encrypt(secret), new: secret.key)
        #expect(try findings(remote.storage, RemoteKeyring(.checked(secret.key))) == before)
    }

    @Test func anotherPassword() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 8)
        let before = try findings(remote.storage, remote.keyring)
        let secret = try EncryptionSecret(password: "new")
        try change(remote, .changePassword(secret), new: secret.key)
        #expect(try findings(remote.storage, RemoteKeyring(.checked(secret.key))) == before)
    }

    @Test func aNewKey() throws {
        let remote = try CleanRemote(.plain, changeSets: 8)
        let before = try findings(remote.storage, remote.keyring)
        let snapshot = try RemoteSnapshot.take(remote.storage)
        let listed = try ListedRemote(root: try #require(try remote.root.resolved()), snapshot)
        let reset = try IntegrityResetPlanner(
            of: try #require(snapshot.document("pantry")), in: listed, remote.storage, key: "NEW-KEY")
        try carryOut(try reset.plan(command: "test", creator: nil))
        #expect(try findings(remote.storage, remote.keyring) == before)
    }

    @Test(arguments: [nil, "password"] as [String?])
    func aNewRemote(_ password: String?) throws {
        let folder = try TemporaryFolder(prefix: "ticds-new")
        let root = try #require(try folder.path.resolved()).appending("com.example.notes")
        let secret = try password.map { try EncryptionSecret(password: $0) }
        let clients = ["client-A", "client-B"].map {
            RemoteCreationPlanner.Client(identifier: RemoteName($0), description: "A \($0)")
        }
        try carryOut(
            try RemoteCreationPlanner(at: root, clients: clients, secret: secret).plan(command: "test"))
        let keyring = RemoteKeyring(secret.map { .checked($0.key) } ?? .plain)
        // The finding is a note: there is no document yet.
        #expect(try findings(LocalStorage(root: root), keyring) == ["TICDS-0110 Documents"])
    }
}
