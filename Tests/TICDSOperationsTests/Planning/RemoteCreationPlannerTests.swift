import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

@Suite struct RemoteCreationPlannerTests {
    private let folder: TemporaryFolder
    private let root: FilePath
    private static let client = RemoteCreationPlanner.Client(
        identifier: "B2C0D0A4-0001-4A11-8E1D-0000000000AA", description: "Anna's Mac")

    init() throws {
        folder = try TemporaryFolder(prefix: "ticds-new")
        root = try #require(try folder.path.resolved()).appending("com.example.notes")
    }

    /// The same tree, name by name, with the same bytes except for texts of ticds.
    @Test func equalsTheFrameworks() throws {
        let sample = try DescribedRemote("plain-empty")
        let plan = try RemoteCreationPlanner(at: root, clients: [Self.client], secret: nil).plan(
            command: "test")
        #expect(plan.lines == ["tree "])
        try CarriedOut().run(plan)
        let made = try TreeImage(of: root)
        let theirs = try TreeImage(of: sample.root)
        #expect(Set(made.entries.keys) == Set(theirs.entries.keys))
        for (path, entry) in theirs.entries {
            #expect(made.entries[path]?.status.kind == entry.status.kind)
            if path != Array("ReadMe.txt".utf8) { #expect(made.entries[path]?.content == entry.content) }
        }
    }

    @Test func encrypted() throws {
        let secret = try EncryptionSecret(password: "correct horse")
        let remote = try RemoteCreationPlanner(at: root, clients: [Self.client], secret: secret)
        try CarriedOut().run(remote.plan(command: "test"))
        let storage = LocalStorage(root: root)
        #expect(try PasswordCheck.salt(of: storage)?.count == 16)
        let keyring = try PasswordCheck.open(storage) { () throws(FileProblem) in " correct horse\n" }
        #expect(keyring.state == .checked(secret.key))
        let snapshot = try RemoteSnapshot.take(storage)
        #expect(snapshot.strays == [])
        let file = try #require(snapshot.clientDevices.first?.deviceInfo.part)
        let info = try DeviceInfo(keyring.read(storage, file.path), path: root)
        #expect(info.description == "Anna's Mac")
        #expect(throws: FileProblem.self) {
            try PasswordCheck.open(storage) { () throws(FileProblem) in "correct hors" }
        }
    }

    /// The text for people is unencrypted, and differs from the framework's.
    @Test func readMe() throws {
        try CarriedOut().run(RemoteCreationPlanner(at: root, clients: [], secret: nil).plan(command: "test"))
        let text = String(decoding: try FileBytes.read(root.appending("ReadMe.txt")).array, as: UTF8.self)
        #expect(text.contains("Please do not"))
        #expect(!text.contains("Dropbox") && text.hasSuffix("\n"))
    }

    @Test func refusesPlacesThatAreTaken() throws {
        try TestFiles.makeFolder(root)
        #expect(throws: FileProblem.self) { try RemoteCreationPlanner(at: root, clients: [], secret: nil) }
        try TestFiles.makeFolder(root.appending("ClientDevices"))
        let inside = #expect(throws: FileProblem.self) {
            try RemoteCreationPlanner(at: root.appending("com.example.other"), clients: [], secret: nil)
        }
        #expect(inside?.kind == .refused)
    }

    @Test(arguments: [["abc"], [".hidden-one"], ["a/client"], ["client-A", "CLIENT-a"], ["x\u{1B}client"]])
    func refusesClientsThatNobodySees(clients: [String]) throws {
        let problem = #expect(throws: FileProblem.self) {
            try RemoteCreationPlanner(
                at: root, clients: clients.map { .init(identifier: RemoteName($0), description: "") },
                secret: nil)
        }
        #expect(problem?.kind == .refused)
    }

    @Test func removal() throws {
        let pair = try SampleRemote("op-remove-all")
        let root = try #require(try pair.parent("before").appending("com.example.notes").resolved())
        let before = try TreeImage(of: root).withoutIdentity
        let snapshot = try RemoteSnapshot.take(LocalStorage(root: root))
        let names = ClientNames(["B2C0D0A4-0001-4A11-8E1D-0000000000AA": "Anna's Mac"])
        let plan = try RemoteRemovalPlanner.plan(
            of: ListedRemote(root: root, snapshot, names: names), command: "test")
        #expect(plan.lines == ["trash "])
        #expect(plan.texts(.consequence).first?.hasPrefix("Anna's Mac (B2C0D0A4-0001") == true)
        #expect(plan.texts(.consequence).count == snapshot.clientDevices.count + 2)
        let carriedOut = try CarriedOut()
        let number = try carriedOut.run(plan)
        let after = try TreeImage(of: pair.parent("before")).entries.keys
        #expect(after.sorted { $0.count < $1.count } == [[]])
        #expect(try TreeImage(of: pair.parent("after")).entries.keys.count == 1)
        try carriedOut.undo(number, of: root)
        #expect(try TreeImage(of: root).withoutIdentity == before)
    }
}
