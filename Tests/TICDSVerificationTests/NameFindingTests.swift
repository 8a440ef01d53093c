import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct NameFindingTests {
    static let damages = [
        Damage("0109", "ClientDevices/abcd") {
            try $0.write("ClientDevices/abcd/deviceInfo.plist")
            try $0.makeFolder("Documents/pantry/SyncChanges/abcd")
            try $0.makeFolder("Documents/pantry/SyncCommands/abcd")
            try $0.write("Documents/pantry/RecentSyncs/abcd.recentsync")
        },
        Damage("0109", "Documents/pant", [(.breaksLists, [0, 1, 2], true)]) {
            try $0.rename("Documents/pantry", "Documents/pant")
        },
        Damage("0109", "Documents/pantry/SyncChanges/<0>/abc.syncchg", [(.silentlyLost, [1, 2], true)]) {
            try $0.write("Documents/pantry/SyncChanges/\($0.clients[0])/abc.syncchg")
        },
        Damage(
            "0107", "Documents/pantry", [(.blocks, [0, 1, 2], true), (.breaksLists, [0, 1, 2], true)]
        ) {
            try $0.makeFolder("Documents/PANTRY")
        },
        Damage("0107", "Documents/cookbook/SyncChanges/a-new-client") {
            try $0.makeFolder("Documents/cookbook/SyncChanges/a-new-client")
            try $0.makeFolder("Documents/cookbook/SyncChanges/A-NEW-CLIENT")
        },
        Damage("0107", "ClientDevices/a-new-client") {
            try $0.write("ClientDevices/A-NEW-CLIENT/deviceInfo.plist")
            try $0.makeFolder("ClientDevices/a-new-client")
        },
        Damage("0107", "Documents/pantry/IntegrityKey/key of LETTERS") {
            let folder = "Documents/pantry/IntegrityKey"
            try $0.remove(folder)
            try $0.write("\(folder)/KEY of LETTERS")
            try $0.write("\(folder)/key of LETTERS")
        },
    ]

    @Test(arguments: damages) func isFound(_ damage: Damage) throws { try damage.check() }

    @Test func aNameThatIsNotUTF8IsFoundUnlessItIsAStray() throws {
        let remote = try DamagedRemote()
        let client = remote.clients[0]
        let folder: RemotePath = ["Documents", "pantry", "SyncChanges", RemoteName(client)]
        let set = folder.appending(
            RemoteName(
                Array("0400000000,000000-\u{e9}".unicodeScalars.map { UInt8($0.value) })
                    + Array(".syncchg".utf8)))
        let stray = folder.appending(RemoteName([0xFF, 0x2E, 0x74, 0x6D, 0x70]))
        for path in [set, stray] {
            try TestFiles.write(path.filePath(under: remote.root), [1, 2])
            try TestFiles.setTime(path.filePath(under: remote.root), FileTime(seconds: 1_378_307_200))
        }
        let findings = try remote.findings()
        #expect(
            Set(findings.map { "\($0.kind.code) \($0.path)" }) == [
                "TICDS-0108 \(set)", "TICDS-0201 \(stray)",
            ])
        let finding = try #require(findings.first { $0.kind == .nameNotUTF8 })
        #expect(finding.client == RemoteName(client))
        #expect(finding.remedy(under: "/r").last?.contains("\\351") == true)
    }

    @Test func twoNamesThatDifferInUnicodeFormAreFound() throws {
        let remote = try DamagedRemote()
        try remote.makeFolder("Documents/pantry/SyncChanges/J\u{F6}rg's Mac")
        try remote.makeFolder("Documents/pantry/SyncChanges/Jo\u{308}rg's Mac")
        let twins = try remote.findings().filter { $0.kind == .nameTwin }
        #expect(twins.count == 1)
        #expect(twins.first?.subject != nil)
    }

    // MARK: Listing

    @Test func aFolderThatCannotBeListedIsFound() throws {
        let remote = try DamagedRemote()
        let depth = Array(repeating: "deep", count: 50).joined(separator: "/")
        try remote.makeFolder("Documents/pantry/TemporaryFiles/\(depth)")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0101"])
        #expect(findings.first?.path.names.count == RemoteScanner.deepestFolder + 1)
        #expect(findings.first?.path.names.prefix(3) == ["Documents", "pantry", "TemporaryFiles"])
        #expect(findings.first?.document == "pantry")
    }

    /// A folder that cannot be read; the tests may run as root, who may read everything.
    @Test(arguments: [(FileProblem.Kind.unreadable, "TICDS-0101"), (.missing, "TICDS-0111")])
    func whatCouldNotBeListedIsNotCalledMissing(kind: FileProblem.Kind, code: String) throws {
        let remote = try DamagedRemote()
        let tree = try RemoteSnapshot.take(remote.storage).tree
        let hidden: [RemotePath] = [
            ["Documents", "pantry", "SyncChanges"], ["Documents", "pantry", "RecentSyncs"],
            ["Documents", "pantry", "IntegrityKey"], ["Documents", "pantry", "WholeStore"],
            ["ClientDevices", RemoteName(remote.clients[0])], ["Documents", "pantry", "SyncCommands"],
        ]
        let problems = hidden.map {
            FileProblem(kind, path: $0.filePath(under: remote.root), "cannot be read")
        }
        let folders = tree.folders.filter { !hidden.contains($0.key) }
        let snapshot = RemoteSnapshot(RemoteTree(root: tree.root, folders: folders, problems: problems))
        let context = VerificationContext(
            storage: remote.storage, snapshot: snapshot, keyring: remote.clean.keyring,
            now: FileTime(seconds: 1_400_000_000))
        let findings = ListingCheck.findings(context)
        #expect(findings.map(\.path) == hidden.sorted())
        #expect(findings.allSatisfy { $0.kind.code == code })
    }

    /// The clients of an unlisted folder are known from elsewhere, and may be affected.
    @Test(
        arguments: [
            ["Documents", "pantry", "SyncChanges"], ["Documents", "pantry"], ["ClientDevices"],
        ] as [RemotePath])
    func unlistedFolderMayHarmEveryKnownClient(hidden: RemotePath) throws {
        let remote = try DamagedRemote()
        let tree = try RemoteSnapshot.take(remote.storage).tree
        let problem = FileProblem(.unreadable, path: hidden.filePath(under: remote.root), "no permission")
        let folders = tree.folders.filter { !$0.key.names.starts(with: hidden.names) }
        let snapshot = RemoteSnapshot(RemoteTree(root: tree.root, folders: folders, problems: [problem]))
        let context = VerificationContext(
            storage: remote.storage, snapshot: snapshot, keyring: remote.clean.keyring,
            now: FileTime(seconds: 1_400_000_000))
        let finding = try #require(ListingCheck.findings(context).first { $0.path == hidden })
        #expect(finding.affected.flatMap(\.clients) == remote.clients.map { RemoteName($0) }.sorted())
    }

    @Test func aRemoteWithoutDocumentsIsTold() throws {
        let remote = try DamagedRemote()
        try remote.remove("Documents/pantry")
        try remote.remove("Documents/cookbook")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0110"])
        #expect(findings.first?.path.text == "Documents")
    }

    @Test func aRemoteWithoutTheFolderOfDocumentsIsTold() throws {
        let remote = try DamagedRemote()
        try remote.remove("Documents")
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0102"])
        #expect(findings.first?.path.text == "Documents")
        try remote.run(try #require(findings.first))
        #expect(try remote.findings().map(\.kind.code) == ["TICDS-0110"])
    }
}
