import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Area 07: registers, property lists, and faults of any file.
@Suite struct SmallFileFindingTests {
    private static let kinds: [CleanRemote.Kind] = [.plain, .encrypted]

    private func only(_ remote: CleanRemote, _ file: String) throws -> FindingKind {
        let found = try remote.contents()
        #expect(found.summary == ["\(found.first?.kind.code ?? "") \(file)"], "\(found)")
        return try #require(found.first).kind
    }

    @Test(arguments: kinds) func damagedRegister(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try FileBytes.read(remote.path(remote.register())).array
        let text = Array("nothing of the sort".utf8)
        for damaged in [Array(bytes.dropLast(1)), Array(bytes.prefix(50)), bytes + [0], text] {
            try remote.write(remote.register(), damaged, encrypted: false)
            #expect(try only(remote, remote.register()) == .registerDamaged)
        }
    }

    @Test func damagedLines() throws {
        let remote = try CleanRemote(.plain)
        let register = remote.register(of: 2)
        try remote.edit(register, "UPDATE ZTICDSSYNCCHANGESET SET ZSYNCCHANGESETIDENTIFIER = NULL")
        #expect(try only(remote, register) == .registerDamaged)
    }

    @Test func registerOfAnotherModel() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let names =
            FrameworkModels.syncChangeSet.attributes(of: "TICDSSyncChangeSet").map(\.name) + ["colour"]
        try remote.write(remote.register(), try emptyStore(entity: "TICDSSyncChangeSet", attributes: names))
        #expect(try only(remote, remote.register()) == .registerModel)
    }

    @Test(arguments: kinds) func damagedList(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        for file in [remote.deviceInfo(), "Documents/cookbook/documentInfo.plist"] {
            let bytes = try remote.plain(file)
            try remote.write(file, Array(bytes.prefix(bytes.count / 2)))
            #expect(try only(remote, file) == .propertyListDamaged)
            try remote.write(file, bytes)
        }
        #expect(try remote.contents().isEmpty)
    }

    @Test(arguments: kinds) func otherIdentifier(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let info = DeviceInfo(description: "A Mac", identifier: "somebody-else")
        try remote.write(remote.deviceInfo(), try info.bytes(path: "deviceInfo.plist"))
        let found = try remote.contents()
        #expect(found.summary == ["TICDS-0715 \(remote.deviceInfo())"])
        #expect(found[0].expected == remote.clients[0] && found[0].found == "somebody-else")
    }

    /// The framework writes these keys; other keys, such as those of the client that created a document, may be missing.
    @Test(arguments: kinds) func missingKey(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let document = "Documents/cookbook/documentInfo.plist"
        for (file, keys) in [
            (remote.deviceInfo(), ["kTICDSClientDeviceDescription", "kTICDSClientDeviceIdentifier"]),
            (document, ["kTICDSDocumentDescription", "kTICDSDocumentIdentifier"]),
        ] {
            let bytes = try remote.plain(file)
            for key in keys {
                let text = String(decoding: bytes, as: UTF8.self).replacing(
                    "<key>\(key)<", with: "<key>other<")
                try remote.write(file, Array(text.utf8))
                #expect(try only(remote, file) == .keyMissing)
                #expect(try remote.contents().first?.expected == "a text under \(key)")
            }
            let empty = Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8)
            try remote.write(file, empty)
            #expect(try remote.contents().first?.expected == "a text under \(keys.joined(separator: ", "))")
            try remote.write(file, bytes)
        }
        let text = String(decoding: try remote.plain(document), as: UTF8.self)
        try remote.write(document, Array(text.replacing("<key>kTICDSOriginal", with: "<key>other").utf8))
        #expect(try remote.contents().isEmpty)
    }

    @Test func recentSyncWithoutDate() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let sync = "Documents/cookbook/RecentSyncs/\(remote.clients[0]).recentsync"
        try remote.write(sync, Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8))
        #expect(try only(remote, sync) == .unreadListDamaged)
    }

    /// A loose property list of another name may be a tombstone, which has no description.
    @Test func looseListsWithoutKeys() throws {
        let folder = try TemporaryFolder(prefix: "ticds-loose")
        let empty = Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8)
        for (name, kinds) in [
            ("deviceInfo.plist", [FindingKind.keyMissing]), ("documentInfo.plist", [.keyMissing]),
            ("client.plist", []),
        ] {
            let file = folder.path.appending(name)
            try TestFiles.write(file, empty)
            let found = try FileVerifier.findings(ofLoose: file, now: .now)
            #expect(found.map(\.kind) == kinds, "\(name)")
            if name == "documentInfo.plist" {
                #expect(found.first?.expected?.contains("kTICDSDocumentDescription") == true)
            }
        }
    }

    @Test func unreadLists() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let sync = "Documents/cookbook/RecentSyncs/\(remote.clients[0]).recentsync"
        let tombstone = "Documents/cookbook/DeletedClients/gone-client.plist"
        try remote.write(sync, Array("<?xml version=\"1.0\"?><plist><dict>".utf8))
        try remote.write(tombstone, Array("nothing at all".utf8))
        #expect(
            try Set(remote.contents().summary) == ["TICDS-0716 \(sync)", "TICDS-0716 \(tombstone)"])
    }

    @Test func emptyRecentSyncIsANote() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let sync = "Documents/cookbook/RecentSyncs/\(remote.clients[0]).recentsync"
        try remote.write(sync, [])
        let finding = try #require(try remote.contents().first { $0.kind == .unreadListDamaged })
        #expect(finding.path.text == sync && finding.found == "0 bytes")
        #expect(try remote.headers().summary == ["TICDS-0716 \(sync)"])
    }

    @Test func whatHappensWhileReading() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let context = try remote.context()
        let file = try #require(context.examinedFiles(of: nil).first { $0.role == .changeSet })
        let checked = CheckedFile(file: file, context: context)
        let kinds: [(FileProblem.Kind, FindingKind)] = [
            (.missing, .changedMeanwhile), (.changedWhileReading, .changedMeanwhile),
            (.unreadable, .cannotBeRead), (.limit, .tooLarge), (.damaged, .changeSetDamaged),
            (.unsupported, .changeSetDamaged), (.wrongPassword, .changeSetDamaged),
        ]
        for (kind, expected) in kinds {
            let problem = FileProblem(kind, path: "file", "trouble")
            #expect(checked.findings(problem, .changeSetDamaged).map(\.kind) == [expected], "\(kind)")
        }
        let locked = FileProblem(.encrypted, path: "file", "no password")
        #expect(checked.findings(locked, .changeSetDamaged).isEmpty)
        for file in context.examinedFiles(of: nil) where file.role != .integrityKey {
            try remote.remove(file.path.names.map(\.text).joined(separator: "/"))
            let found = ContentsCheck.findings(of: file, context)
            #expect(found.map(\.kind) == [.changedMeanwhile], "\(file.path)")
            #expect(found.map(\.kind) == HeaderCheck.findings(of: file, context).map(\.kind))
        }
    }

    /// Unchecked files are still read: foreign files, external data, remains of uploads.
    @Test(arguments: [
        "ReadMe.txt", "Documents/cookbook/ReadMe.txt", "notes/plan.txt",
        "Documents/cookbook/WholeStore/SharedExternalData/0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0",
        "Documents/cookbook/SyncChanges/CLIENT/copy of a set.txt",
        "Documents/cookbook/TemporaryFiles/WholeStore/CLIENT/part.txt",
    ])
    func whatCannotBeReadIsNotWell(place: String) throws {
        let remote = try CleanRemote(changeSets: 3)
        let file = place.replacing("CLIENT", with: remote.clients[0])
        try remote.write(file, Array("anything".utf8))
        let context = try remote.context()
        let examined = try #require(context.examinedFiles(of: nil).first { $0.path.text == file })
        #expect(ContentsCheck.findings(of: examined, context).isEmpty)
        #expect(HeaderCheck.findings(of: examined, context).isEmpty)
        try remote.remove(file)
        try TestFiles.link(remote.path(file), to: "elsewhere")
        let found = ContentsCheck.findings(of: examined, context)
        #expect(found.map(\.kind) == [.cannotBeRead] && found.map(\.path.text) == [file], "\(found)")
        #expect(HeaderCheck.findings(of: examined, context) == found)
        let isRead = file.contains("SyncChanges") || file.contains("SharedExternalData")
        #expect(found.first?.affected.map(\.consequence) == [isRead ? .blocks : .harmless])
    }

    /// It is unknown whether unchecked leftovers are damaged.
    @Test(arguments: kinds) func leftoversThatAreNotChecked(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let file = "Documents/cookbook/TemporaryFiles/WholeStore/\(remote.clients[0])/WholeStore.ticdsync"
        try remote.write(
            file, Array("<?xml version=\"1.0\" encoding=\"latin1\"?><!DOCTYPE database><database/>".utf8))
        #expect(try only(remote, file) == .xmlStore)
        #expect(try remote.contents().first?.affected == [Affected(.harmless, clients: [])])
        let binary = try remote.plain(remote.wholeStore(in: "pantry"))
        try remote.write(file, binary)
        #expect(try remote.contents().isEmpty)
        let found = try remote.contents(memoryLimit: binary.count - 1).filter { $0.path.text == file }
        #expect(found.map(\.kind) == [.tooLarge] && found.map(\.affected.count) == [1], "\(found)")
        #expect(found.first?.affected.first?.consequence == .harmless)
    }

    @Test(arguments: kinds) func leftovers(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let folder = "Documents/cookbook/TemporaryFiles/WholeStore/\(remote.clients[0])"
        for (name, original) in [
            ("WholeStore.ticdsync", remote.wholeStore()),
            ("AppliedSyncChangeSets.ticdsync", remote.register()),
        ] {
            let bytes = try FileBytes.read(remote.path(original)).array
            try remote.write("\(folder)/\(name)", bytes, encrypted: false)
        }
        #expect(try remote.contents().isEmpty)
        try remote.damage("\(folder)/WholeStore.ticdsync") {
            $0[8200] ^= 0xFF; $0.removeLast()
        }
        #expect(try only(remote, "\(folder)/WholeStore.ticdsync") == .leftoverDamaged)
    }
}
