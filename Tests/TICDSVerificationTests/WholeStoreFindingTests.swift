import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Area 07, whole stores: one damage in each test.
@Suite struct WholeStoreFindingTests {
    private static let kinds = CleanRemote.Kind.allCases
    private static let unzipped: [CleanRemote.Kind] = [.plain, .encrypted]
    private static let zipped: [CleanRemote.Kind] = [.zipped, .encryptedAndZipped]

    private func only(_ remote: CleanRemote, _ file: String) throws -> FindingKind {
        let found = try remote.contents()
        #expect(found.summary == ["\(found.first?.kind.code ?? "") \(file)"], "\(found)")
        return try #require(found.first).kind
    }

    @Test(arguments: kinds) func noKnownKind(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.write(remote.wholeStore(), Array("A store of paper and string, not of objects.".utf8))
        #expect(try only(remote, remote.wholeStore()) == .notAWholeStore)
    }

    @Test(arguments: unzipped) func damagedPages(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try remote.plain(remote.wholeStore())
        var torn = bytes
        torn.replaceSubrange(8192..<8292, with: repeatElement(0xA5, count: 100))
        let cases = [
            torn, Array(bytes.dropLast(1)), Array(bytes.dropLast(4096)), bytes + [0],
            bytes + Array(bytes.suffix(4096)),
        ]
        for (number, damaged) in cases.enumerated() {
            try remote.write(remote.wholeStore(), damaged)
            #expect(try only(remote, remote.wholeStore()) == .wholeStoreDamaged, "case \(number)")
        }
    }

    @Test(arguments: unzipped) func damagedBinaryStore(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let store = remote.wholeStore(in: "pantry")
        let bytes = try remote.plain(store)
        #expect(bytes.starts(with: Array("CoreData".utf8)))
        for damaged in [Array(bytes.dropLast(1)), bytes + [0], Array(bytes.prefix(100))] {
            try remote.write(store, damaged)
            #expect(try only(remote, store) == .wholeStoreDamaged)
        }
    }

    @Test func notOfCoreData() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        try remote.edit(remote.wholeStore(), "DROP TABLE Z_METADATA")
        #expect(try only(remote, remote.wholeStore()) == .notAWholeStore)
    }

    @Test(arguments: unzipped) func logMissing(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        var bytes = try remote.plain(remote.wholeStore())
        bytes[18] = 2
        bytes[19] = 2
        try remote.write(remote.wholeStore(), bytes)
        #expect(try only(remote, remote.wholeStore()) == .logMissing)
    }

    @Test func pendingFiles() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let hostile = journal + [UInt8](repeating: 255, count: 504)
        for (suffix, bytes) in [("-journal", hostile), ("-wal", Array("no write-ahead log".utf8) + hostile)] {
            try remote.write(remote.wholeStore() + suffix, bytes, encrypted: false)
            let found = try remote.contents().filter { $0.path.text == remote.wholeStore() }
            #expect(found.map(\.kind) == [.pendingFileDamaged], "\(found)")
            #expect(found.first?.found?.contains("WholeStore.ticdsync" + suffix) == true, "\(found)")
            try remote.remove(remote.wholeStore() + suffix)
        }
    }

    @Test(arguments: zipped) func damagedZip(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try remote.plain(remote.wholeStore())
        var flipped = bytes
        flipped[bytes.count / 2] ^= 1
        for damaged in [flipped, Array(bytes.dropLast(1)), Array(bytes.dropLast(200)), bytes + [0]] {
            try remote.write(remote.wholeStore(), damaged)
            #expect(try only(remote, remote.wholeStore()) == .zipDamaged)
        }
    }

    @Test(arguments: zipped) func entryName(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let store = try emptyStore(entity: "Recipe", attributes: ["title"])
        try remote.write(remote.wholeStore(), StoredZip.bytes([("Recipes.sqlite", store)]))
        let found = try remote.contents()
        #expect(found.summary == ["TICDS-0705 \(remote.wholeStore())"])
        #expect(found[0].expected == "cookbook" && found[0].found == "Recipes.sqlite")
    }

    @Test(arguments: zipped) func entries(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let store = try emptyStore(entity: "Recipe", attributes: ["title"])
        let zips = [
            StoredZip.bytes([("cookbook", store), ("second", [1])]),
            StoredZip.bytes([("../cookbook", store)]),
            StoredZip.bytes([("..", store)]),
        ]
        for zip in zips {
            try remote.write(remote.wholeStore(), zip)
            #expect(try only(remote, remote.wholeStore()) == .zipEntries)
        }
    }

    @Test(arguments: zipped) func otherBytesInTheZip(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.write(remote.wholeStore(), StoredZip.bytes([("cookbook", Array("no store".utf8))]))
        #expect(try only(remote, remote.wholeStore()) == .notAWholeStore)
        let store = try emptyStore(entity: "Recipe", attributes: ["title"])
        try remote.write(remote.wholeStore(), StoredZip.bytes([("cookbook", Array(store.dropLast(4096)))]))
        #expect(try only(remote, remote.wholeStore()) == .wholeStoreDamaged)
    }

    /// A fault of the zip is reported although the store in it also has one.
    @Test(arguments: zipped) func entryNameAndDamagedBinaryStore(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let plain = try CleanRemote(.plain)
        let store = try plain.plain(plain.wholeStore(in: "pantry"))
        try remote.write(remote.wholeStore(), StoredZip.bytes([("Recipes", Array(store.prefix(100)))]))
        #expect(try remote.contents().map(\.kind) == [.zipEntryName, .wholeStoreDamaged])
    }

    @Test(arguments: unzipped) func externalData(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let name = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
        try remote.edit(
            remote.wholeStore(), "UPDATE ZRECIPE SET ZPHOTO = x'02' || CAST('\(name)' AS BLOB) || x'00'",
            "UPDATE ZRECIPE SET ZPHOTO = CAST(ZPHOTO AS BLOB)")
        #expect(try only(remote, remote.wholeStore()) == .externalDataMissing)
        guard kind == .plain else { return }
        let folder = "Documents/cookbook/WholeStore/\(remote.clients[0])"
        try remote.write("\(folder)/.WholeStore_SUPPORT/_EXTERNAL_DATA/\(name)", [1])
        #expect(try remote.contents().summary == [])
    }

    /// One fork keeps the files of all clients in one folder.
    @Test func sharedExternalData() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let name = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
        let store = remote.wholeStore()
        try remote.edit(
            store, "UPDATE ZRECIPE SET ZPHOTO = x'02' || CAST('\(name)' AS BLOB) || x'00'",
            "UPDATE ZRECIPE SET ZPHOTO = CAST(ZPHOTO AS BLOB)")
        let bytes = try remote.plain(store)
        try remote.remove(store)
        try remote.write("\(store)/Data", bytes)
        #expect(try remote.contents().map(\.kind).contains(.externalDataMissing))
        try remote.write("Documents/cookbook/WholeStore/SharedExternalData/\(name)", [1])
        #expect(!(try remote.contents().map(\.kind).contains(.externalDataMissing)))
    }

    @Test(arguments: kinds) func noRegister(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind)
        try remote.remove(remote.register(of: 2))
        #expect(try only(remote, remote.wholeStore(of: 2)) == .noRegister)
        #expect(try remote.headers().map(\.kind) == [.noRegister])
    }

    @Test(arguments: unzipped) func folderForm(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let store = try FileBytes.read(remote.path(remote.wholeStore())).array
        try remote.remove(remote.wholeStore())
        try remote.write(remote.wholeStore() + "/Data", store, encrypted: false)
        try remote.write(remote.wholeStore() + "/.Data_SUPPORT/_EXTERNAL_DATA/manifest.plist", [1, 2])
        #expect(try only(remote, remote.wholeStore() + "/Data") == .storeIsFolder)
    }

    @Test func models() throws {
        let remote = try CleanRemote(.plain)
        let store = try emptyStore(entity: "Recipe", attributes: ["title", "colour"])
        try remote.write(remote.wholeStore(of: 0), store)
        #expect(try remote.contents().summary == [])
        let context = try remote.context()
        let cookbook = try #require(context.snapshot.document("cookbook"))
        let found = DocumentStoresCheck.findings(of: cookbook, context, damaged: [])
        #expect(found.count == 1)
        #expect(found.first?.kind == .storesDisagree)
        #expect(found.first?.found?.contains("Recipe") == true)
        let pantry = try #require(context.snapshot.document("pantry"))
        #expect(DocumentStoresCheck.findings(of: pantry, context, damaged: []).isEmpty)
    }

    private static let xml = Array(
        """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database><databaseInfo><version>134481920</version></databaseInfo></database>
        """.utf8)
    private static let plist = Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>".utf8)

    @Test(arguments: kinds) func xmlStores(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let latin = Array("<?xml version=\"1.0\" encoding=\"latin1\"?><database></database>".utf8)
        for (bytes, expected) in [
            (latin, FindingKind.xmlStore), (Self.plist, .notAWholeStore),
            (Self.xml.dropLast(5), .wholeStoreDamaged),
        ] {
            let store = kind.isZipped ? StoredZip.bytes([("cookbook", Array(bytes))]) : Array(bytes)
            try remote.write(remote.wholeStore(), store)
            #expect(try only(remote, remote.wholeStore()) == expected)
        }
        try remote.write(
            remote.wholeStore(), kind.isZipped ? StoredZip.bytes([("cookbook", Self.xml)]) : Self.xml)
        #expect(try remote.contents().isEmpty)
    }

    /// A file outside of remotes is a store or a property list by its root element.
    @Test func looseXML() throws {
        let folder = try TemporaryFolder(prefix: "ticds-loose")
        let file = folder.path.appending("notes.xml")
        try TestFiles.write(file, Self.xml)
        #expect(try FileVerifier.findings(ofLoose: file, now: .now).isEmpty)
        try TestFiles.write(file, Array("<?xml version=\"1.0\" encoding=\"latin1\"?><database/>".utf8))
        let found = try FileVerifier.findings(ofLoose: file, now: .now)
        #expect(found.map(\.kind) == [.xmlStore], "\(found)")
        #expect(
            found.first?.remedy(under: folder.path, isLoose: true).last == "ticds-store extract \(file) COPY")
        try TestFiles.write(file, Array(Self.plist.dropLast(1)))
        #expect(
            try FileVerifier.findings(ofLoose: file, now: .now).map(\.kind) == [.propertyListDamaged])
    }

    @Test func oddHeader() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        try remote.edit(remote.wholeStore(), "PRAGMA user_version = 9")
        #expect(try only(remote, remote.wholeStore()) == .oddHeader)
    }
}
