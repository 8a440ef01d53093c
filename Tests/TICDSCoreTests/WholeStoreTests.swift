import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

@Suite struct WholeStoreTests {
    private static let sqlite = Array("SQLite format 3\0and pages".utf8)
    private static let binary = Array("CoreData and the rest".utf8)

    @Test(
        arguments: [
            (Array("SQLite format 3\0".utf8), .sqlite), (Array("CoreData\0\0".utf8), .binary),
            (Array("<?xml version=\"1.0\"?><!DOCTYPE database".utf8), .xml), ([0x50, 0x4B, 3, 4, 0], .zip),
            ([0x50, 0x4B, 5, 6], .zip), ([], .empty), (Array("SQLite format 3".utf8), .unknown),
            (Array("\u{FEFF}\n<database>".utf8), .xml), (Array("<!DOCTYPE database>".utf8), .xml),
            (Array("bplist00".utf8), .unknown), ([1, 2, 3], .unknown),
        ] as [([UInt8], WholeStoreKind)])
    func kindOfAPlainRemote(_ head: [UInt8], _ expected: WholeStoreKind) {
        #expect(WholeStoreKind(head: SharedBytes(head), kind: .file, isEncrypted: false) == expected)
    }

    @Test func kindOfAnEncryptedRemoteAndOfOtherEntries() {
        let head = SharedBytes([1, 2, 3])
        #expect(WholeStoreKind(head: head, kind: .file, isEncrypted: true) == .encrypted)
        #expect(WholeStoreKind(head: SharedBytes(Self.sqlite), kind: .file, isEncrypted: true) == .sqlite)
        #expect(WholeStoreKind(head: SharedBytes([]), kind: .folder, isEncrypted: true) == .folder)
        #expect(WholeStoreKind(head: SharedBytes([]), kind: .symbolicLink, isEncrypted: true) == .unknown)
        #expect(WholeStoreKind(head: SharedBytes([]), kind: .file, isEncrypted: true) == .empty)
    }

    /// A remote with one whole store, given as files below its folder.
    private func open(
        _ files: [String: [UInt8]], keyring: RemoteKeyring = RemoteKeyring(.plain),
        _ name: RemoteName = "WholeStore.ticdsync",
        _ check: (WholeStoreFile) throws -> Void = { _ in }
    ) throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in files {
            let path = folder.path.pushing(FilePath(name))
            try makeFolder(path.removingLastComponent())
            try write(bytes, to: path)
        }
        try check(WholeStoreFile.open([name], in: LocalStorage(root: folder.path), keyring: keyring))
    }

    @Test func aPlainStoreIsReadInPlace() throws {
        try open(["WholeStore.ticdsync": Self.binary]) { store in
            #expect(store.kind == .binary)
            #expect(!store.isCopy)
            #expect(store.layers == [.binary])
            #expect(store.path.lastComponent?.string == "WholeStore.ticdsync")
        }
    }

    @Test func anEncryptedStoreIsDecryptedIntoAPrivateFolder() throws {
        let file = try EncryptionTests.encrypted(Self.sqlite)
        let keyring = RemoteKeyring(.checked(EncryptionTests.key))
        try open(["WholeStore.ticdsync": file], keyring: keyring) { store in
            #expect(store.layers == [.encrypted, .sqlite])
            #expect(store.isCopy)
            let (bytes, status) = (try FileBytes.read(store.path), try FileStatus.of(store.path))
            #expect(bytes.array == Self.sqlite)
            #expect(status.mode == 0o600)
        }
        let locked = #expect(throws: FileProblem.self) {
            try open(["WholeStore.ticdsync": file], keyring: RemoteKeyring(.locked))
        }
        #expect(locked?.kind == .encrypted)
    }

    @Test func anEncryptedZipGoesThroughBothLayers() throws {
        let remote = try DescribedRemote("dropbox-plain-zip")
        let name = try #require(remote.files.first { $0.value.zip?.first?.name == "doc-one-0001" }?.key)
        let zip = try remote.storage.read(DescribedRemote.path(name))
        let file = try EncryptionTests.encrypted(zip.array)
        try open(["WholeStore.ticdsync": file], keyring: RemoteKeyring(.checked(EncryptionTests.key))) {
            store in
            #expect(store.layers == [.encrypted, .zip, .sqlite])
            #expect(store.memberName == Array("doc-one-0001".utf8))
            let (status, opened) = (try FileStatus.of(store.path), try PersistentStores.open(store.path))
            #expect(status.size == 198_656)
            #expect(opened.metadata.all["NSStoreType"]?.stringValue == "SQLite")
        }
    }

    @Test func aFolderHoldsItsStoreAndItsBlobs() throws {
        let files = [
            "WholeStore.ticdsync/Data": Self.sqlite, "WholeStore.ticdsync/Data-wal": [1],
            "WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA/manifest.plist": [2],
        ]
        try open(files) { store in
            #expect(store.layers == [.folder, .sqlite])
            #expect(store.externalData == ["WholeStore.ticdsync", ".Data_SUPPORT", "_EXTERNAL_DATA"])
            #expect(store.path.lastComponent?.string == "Data")
            #expect(!store.isCopy)
        }
        try open(["WholeStore.ticdsync/Other": Self.binary]) { #expect($0.externalData == nil) }
        let named = [
            "WholeStore.ticdsync/Notes.sqlite": Self.sqlite,
            "WholeStore.ticdsync/.Notes_SUPPORT/_EXTERNAL_DATA/manifest.plist": [2],
        ]
        try open(named) {
            #expect($0.externalData == ["WholeStore.ticdsync", ".Notes_SUPPORT", "_EXTERNAL_DATA"])
        }
        let two = #expect(throws: FileProblem.self) {
            try open(["WholeStore.ticdsync/A": Self.binary, "WholeStore.ticdsync/B": Self.binary])
        }
        #expect(two?.kind == .ambiguous)
        #expect(throws: FileProblem.self) { try open(["WholeStore.ticdsync/A": [1, 2]]) }
    }

    /// A blob that does not open is a gap, not a file: the store and the other blobs are there.
    @Test func anEncryptedStoreGoesWithoutABlobThatDoesNotOpen() throws {
        let names = ["0A1B2C3D-0000-4000-8000-000000000001", "0A1B2C3D-0000-4000-8000-000000000002"]
        let folder = "WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA"
        let files = [
            "WholeStore.ticdsync/Data": try EncryptionTests.encrypted(Self.sqlite),
            "\(folder)/\(names[0])": try EncryptionTests.encrypted([1, 2, 3]),
            "\(folder)/\(names[1])": [UInt8](repeating: 9, count: 200),
        ]
        try open(files, keyring: RemoteKeyring(.checked(EncryptionTests.key))) { store in
            #expect(store.layers == [.folder, .encrypted, .sqlite])
            #expect(store.gaps.problems.map(\.kind) == [.damaged] && store.gaps.files[names[1]] != nil)
            #expect(store.notes.map(\.code) == ["externalDataUnreadable"])
            let copies = store.path.parent.appending(".Decrypted_SUPPORT").appending("_EXTERNAL_DATA")
            let opened = try FileBytes.read(copies.appending(names[0])).array
            let other = try FileStatus.ifPresent(copies.appending(names[1]))
            #expect(opened == [1, 2, 3] && other == nil)
        }
    }

    /// The files for a copy of a store are decrypted, counted if missing, and named if they do not open.
    @Test func externalDataOfAnEncryptedRemoteAreDecrypted() throws {
        let builder = try RemoteBuilder().skeleton().document("Notes").wholeStore(
            of: "CLIENT-A", in: "Notes", time: 1_366_828_434)
        let shared = builder.root.pushing(FilePath("Documents/Notes/WholeStore/SharedExternalData"))
        try makeFolder(shared)
        try write(EncryptionTests.encrypted([1, 2, 3]), to: shared.appending("A"))
        try write([UInt8](repeating: 9, count: 200), to: shared.appending("B"))
        let document = try #require(try RemoteSnapshot.take(builder.storage).document("Notes"))
        let target = builder.folder.path.appending("Copy.sqlite")
        let gaps = try ExternalDataCopy.copy(
            ["A", "B", "C"], of: document.wholeStores.first, in: document, builder.storage,
            RemoteKeyring(.checked(EncryptionTests.key)), beside: target)
        #expect(gaps.missing == 1 && gaps.unread.map(\.path) == [shared.appending("B")])
        let copies = builder.folder.path.appending(".Copy_SUPPORT").appending("_EXTERNAL_DATA")
        #expect(try FileBytes.read(copies.appending("A")).array == [1, 2, 3])
    }

    @Test func whatIsNoStoreIsSaidSo() throws {
        let empty = #expect(throws: FileProblem.self) { try open(["WholeStore.ticdsync": []]) }
        #expect(empty?.problem == "the whole store is empty")
        let other = #expect(throws: FileProblem.self) { try open(["WholeStore.ticdsync": [1, 2, 3]]) }
        #expect(other?.problem == "not a whole store")
        let missing = #expect(throws: FileProblem.self) { try open([:]) }
        #expect(missing?.kind == .missing)
        let keyring = RemoteKeyring(.checked(EncryptionTests.key))
        let inside = try EncryptionTests.encrypted([])
        let hollow = #expect(throws: FileProblem.self) {
            try open(["WholeStore.ticdsync": inside], keyring: keyring)
        }
        #expect(hollow?.problem == "the whole store is empty")
    }

    @Test(arguments: ["dropbox-plain-zip", "enc-multi", "plain-multi"])
    func wholeStoresOfTheSamples(_ name: String) throws {
        let remote = try DescribedRemote(name)
        let keyring = try remote.keyring()
        let stores = remote.files.keys.filter { $0.hasSuffix("/WholeStore.ticdsync") }
        #expect(!stores.isEmpty)
        for store in stores {
            let path = DescribedRemote.path(store)
            let before = try remote.storage.status(of: path)
            let opened = try WholeStoreFile.open(path, in: remote.storage, keyring: keyring)
            #expect(opened.kind == .sqlite)
            #expect(opened.layers.contains(.zip) == (remote.files[store]?.zip != nil))
            #expect(try FileBytes.head(opened.path, count: 15).array == Array("SQLite format 3".utf8))
            if let member = remote.files[store]?.zip?.first {
                #expect(opened.memberName == Array(member.name.utf8))
                let bytes = try FileBytes.read(opened.path).array
                let digest = try DescribedRemote.sha256(bytes, in: remote.folder.path)
                #expect(digest == member.sha256)
            }
            #expect(try remote.storage.status(of: path) == before)
        }
    }
}
