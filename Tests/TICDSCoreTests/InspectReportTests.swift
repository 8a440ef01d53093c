import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations

@Suite struct InspectReportTests {
    static let document = "Notebook"

    func builder() throws -> RemoteBuilder {
        let builder = try RemoteBuilder().skeleton().document(Self.document, description: "My notes")
        for (client, name) in [
            ("CLIENT-A", "Anna's Mac"), ("CLIENT-B", "Bob's Mac"), ("CLIENT-C", "Anna's Mac"),
        ] {
            try builder.client(client, description: name).join(client, Self.document)
        }
        for number in 1...4 {
            try builder.changeSet(
                "set-\(number)", of: "CLIENT-A", in: Self.document, time: Int64(number) * 1000)
        }
        return try builder.changeSet("own", of: "CLIENT-B", in: Self.document, time: 9000)
            .recentSync(of: "CLIENT-B", in: Self.document, time: 5000)
            .wholeStore(of: "CLIENT-B", in: Self.document, time: 4000, content: "SQLite format 3\u{0}rest")
            .write("Documents/Notebook/WholeStore/CLIENT-B/AppliedSyncChangeSets.ticdsync", "xx", time: 4500)
            .write("Documents/Notebook/TemporaryFiles/WholeStore/CLIENT-Z/WholeStore.ticdsync", "12345")
    }

    func report(_ builder: RemoteBuilder, applied: Set<String>) throws -> RemoteReport {
        let sources = ReportSources(builder.storage, keyring: RemoteKeyring(.plain)) { _ in applied }
        return RemoteReport(try RemoteSnapshot.take(builder.storage), sources: sources)
    }

    @Test func whoLagsBehindWhom() throws {
        let report = try report(builder(), applied: ["set-1", "set-3", "gone"])
        let clients = try #require(report.documents.first).clients
        #expect(clients.map(\.identifier) == ["CLIENT-A", "CLIENT-B", "CLIENT-C", "CLIENT-Z"])
        let lag = try #require(clients[1].lag)
        #expect(lag.asOf == FileTime(seconds: 4500) && lag.applied == 3)
        #expect(
            lag.behind == .all([.init(client: "CLIENT-A", changeSets: 2, oldest: FileTime(seconds: 2000))]))
        #expect(clients[0].lag == nil && clients[2].lag == nil)
    }

    @Test func totalsDatesAndLeftovers() throws {
        let report = try report(builder(), applied: [])
        let document = try #require(report.documents.first)
        #expect(document.description == "My notes")
        #expect(document.changeSets == .all(FileTotals(count: 5, bytes: 15)))
        #expect(document.changeSetTimes == FileTime(seconds: 1000)...FileTime(seconds: 9000))
        #expect(document.temporaryFiles == .all(FileTotals(count: 1, bytes: 5)))
        #expect(document.integrityKeys == .all(["0F1E2D3C-KEY"]))
        let bob = document.clients[1]
        #expect(
            bob.lastSync == FileTime(seconds: 5000) && bob.wholeStoreUploaded == .all(FileTime(seconds: 4000))
        )
        #expect(document.clients[3].isMember == false && document.clients[3].temporaryFiles.part.bytes == 5)
        #expect(document.wholeStores.part.map(\.kind) == [.sqlite])
        #expect(report.problems == [])
    }

    /// Numbers that depend on an unlisted folder, or on an undelivered file, are incomplete, and the others are
    /// complete: each place with the numbers that depend on it.
    @Test(arguments: [
        "Documents/Notebook/SyncChanges/CLIENT-A": ["files", "sets", "lag"],
        "Documents/Notebook/SyncChanges": ["files", "sets", "lag", "members", "clients"],
        "Documents/Notebook/RecentSyncs": ["files", "lastSync", "clients"],
        "Documents/Notebook/WholeStore/CLIENT-B": ["files", "store"],
        "Documents/Notebook/TemporaryFiles/WholeStore": ["files", "leftovers", "clients"],
        "Documents/Notebook/DeletedClients": ["files", "deleted"],
        "ClientDevices": ["files", "clients"],
        "Documents/Notebook/SyncChanges/CLIENT-A/set-1.syncchg": ["files", "sets", "lag"],
        "Documents/Notebook/RecentSyncs/CLIENT-B.recentsync": ["files", "lastSync", "clients"],
        "Documents/Notebook/WholeStore/CLIENT-B/WholeStore.ticdsync": ["files", "store"],
    ])
    func numbersThatDependOnWhatIsHidden(_ place: String, _ dependent: [String]) throws {
        let wanted = Set(dependent)
        let builder = try builder()
        let path = builder.root.pushing(FilePath(place))
        var tree = try RemoteScanner.scan(builder.storage)
        let names = place.split(separator: "/").map { RemoteName(String($0)) }
        if place.contains(".") {
            let name = try #require(names.last).text
            try TestFiles.remove(path)
            try builder.write(
                place.dropLast(name.count) + ".\(name).icloud", "bplist00 and so on")
            tree = try RemoteScanner.scan(builder.storage)
        } else {
            let folders = tree.folders.filter { !$0.key.names.starts(with: names) }
            let problem = FileProblem(.unreadable, path: path, "no permission")
            tree = RemoteTree(root: tree.root, folders: folders, problems: [problem])
        }
        let sources = ReportSources(builder.storage, keyring: RemoteKeyring(.plain)) { _ in ["set-2"] }
        let report = RemoteReport(RemoteSnapshot(tree), sources: sources)
        let document = try #require(report.documents.first)
        let bob = try #require(document.clients.first { $0.identifier == "CLIENT-B" })
        let device = try #require(report.clients.first { $0.identifier == "CLIENT-B" })
        let store = document.wholeStores.part.first
        // Without its folder the register is also unknown.
        let isLagWhole = bob.lag.map { $0.notApplied.isWhole && $0.behind.isWhole } ?? true
        let found: [String: Bool] = [
            "files": report.files.isWhole, "sets": document.changeSets.isWhole, "lag": isLagWhole,
            "members": document.members.isWhole, "lastSync": device.lastSync.isWhole,
            "clients": report.unlistedClients == nil,
            "store": document.wholeStores.isWhole && store?.size.isWhole == true
                && device.wholeStoreUploaded.isWhole && store?.isMissing == false,
            "leftovers": document.temporaryFiles.isWhole && bob.temporaryFiles.isWhole,
            "deleted": bob.hasTombstone == false && device.deletedFrom.isWhole,
        ]
        let unknown = Set(found.filter { !$0.value }.keys)
        #expect(unknown == wanted, "\(place)")
        #expect(report.unlistedDocuments == nil)
    }

    /// Unlisted entries are not missing: the whole document, one of its folders, one key, the clients.
    @Test(arguments: [
        ("Documents/Notebook", 8), ("Documents/Notebook/SyncChanges", 1),
        ("Documents/Notebook/IntegrityKey/0F1E2D3C-KEY", 1), ("Documents", 8), ("ClientDevices", 0),
        ("Information", 0),
    ])
    func unseen(_ place: String, count: Int) throws {
        let builder = try builder()
        let whole = try RemoteScanner.scan(builder.storage)
        let names = place.split(separator: "/").map { RemoteName(String($0)) }
        var folders = whole.folders.filter { !$0.key.names.starts(with: names) }
        let parent = RemotePath(names.dropLast())
        if names.count == 4 {
            folders[parent] = FolderListing(
                (folders[parent] ?? FolderListing()).filter { $0.name != names[3] })
        }
        let problem = FileProblem(
            .unreadable, path: RemotePath(names).filePath(under: whole.root), "no permission")
        let tree = RemoteTree(root: whole.root, folders: folders, problems: [problem])
        let snapshot = RemoteSnapshot(tree)
        let sources = ReportSources(builder.storage, keyring: RemoteKeyring(.plain)) { _ in [] }
        let report = RemoteReport(snapshot, sources: sources)
        let registered = report.clients.map(\.isRegistered)
        #expect(registered.contains(nil) == (place == "ClientDevices"), "\(registered)")
        guard let document = report.documents.first else {
            #expect(place == "Documents")
            #expect(!report.clients.isEmpty && report.clients.allSatisfy { !$0.changeSets.isWhole })
            return
        }
        #expect(document.unlisted.count == count && document.missingFolders == [])
        let areSetsSeen = !place.hasSuffix("Notebook") && !place.hasSuffix("SyncChanges")
        #expect(document.changeSets.isWhole == areSetsSeen && document.members.isWhole == areSetsSeen)
        #expect(
            (document.integrityKeys.known == nil) == document.unlisted.contains(RemoteLayout.integrityKey))
        let client = try #require(report.clients.first)
        #expect(client.changeSets.isWhole == areSetsSeen)
        let keys = IntegrityKeyFolder(of: "Notebook", in: snapshot, builder.storage)
        let isKeySeen = !document.unlisted.contains(RemoteLayout.integrityKey)
        #expect(keys.findings.contains { $0.kind == .unreadable } == !isKeySeen)
        #expect(!keys.findings.contains { $0.kind == .noKey })
        #expect(keys.isListed == isKeySeen)
    }

    @Test func duplicatesOfOneDevice() throws {
        let report = try report(builder().client("client-b", description: "Other"), applied: [])
        #expect(
            report.duplicates == [
                DeviceDuplicate(reason: .sameDescription, clients: ["CLIENT-A", "CLIENT-C"]),
                DeviceDuplicate(reason: .sameIdentifier, clients: ["CLIENT-B", "client-b"]),
            ])
    }

    @Test func damagedPropertyListsAreProblemsNotTheEnd() throws {
        let builder = try builder().write("ClientDevices/CLIENT-A/deviceInfo.plist", "<plist><dict>")
        let report = try report(builder, applied: [])
        #expect(report.problems.map(\.kind) == [.damaged])
        #expect(report.clients.map(\.description) == [nil, "Bob's Mac", "Anna's Mac", nil])
    }

    @Test func storesInAFolderWithSharedData() throws {
        let folder = "Documents/Notebook/WholeStore/"
        let store = folder + "CLIENT-A/WholeStore.ticdsync/"
        let builder = try builder().write(store + "Data", "1234")
            .write(store + ".Data_SUPPORT/_EXTERNAL_DATA/manifest.plist", "12")
            .write(folder + "SharedExternalData/BLOB", "123")
        let report = try report(builder, applied: [])
        let document = try #require(report.documents.first)
        #expect(document.wholeStores.part.map(\.client) == ["CLIENT-A", "CLIENT-B"])
        #expect(document.wholeStores.part[0].kind == .folder)
        #expect(document.wholeStores.part[0].files == .all(2) && document.wholeStores.part[0].size == .all(6))
        #expect(document.sharedExternalData == .all(FileTotals(count: 1, bytes: 3)))
        #expect(report.strays == [])
    }

    @Test func otherKindsOfWholeStores() throws {
        let builder = try builder()
        for (client, content) in [("CLIENT-A", "CoreData"), ("CLIENT-C", "")] {
            try builder.wholeStore(of: client, in: Self.document, time: 1, content: content)
        }
        try builder.makeFolder("Documents/Notebook/WholeStore/CLIENT-D")
        let stores = try #require(try report(builder, applied: []).documents.first).wholeStores.part
        #expect(stores.map(\.kind) == [.binary, .sqlite, .empty, nil])
    }

    /// SQLite itself makes the register, with the tables of ticds-remote-format(5), 3.4.
    @Test(.enabled(if: Python.available)) func readsRegisters() throws {
        let builder = try builder()
        let register = builder.root.pushing(
            "Documents/Notebook/WholeStore/CLIENT-B/AppliedSyncChangeSets.ticdsync")
        try TestFiles.remove(register)
        let script = """
            import plistlib, sqlite3, sys
            base = sqlite3.connect(sys.argv[1])
            base.execute('CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME, Z_SUPER, Z_MAX)')
            base.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'TICDSSyncChangeSet', 0, 2)")
            base.execute('CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID, Z_PLIST BLOB)')
            plist = plistlib.dumps({'NSStoreType': 'SQLite', 'NSStoreModelVersionHashes':
                {'TICDSSyncChangeSet': bytes(32)}}, fmt=plistlib.FMT_BINARY)
            base.execute("INSERT INTO Z_METADATA VALUES (1, 'UUID', ?)", [plist])
            base.execute('CREATE TABLE ZTICDSSYNCCHANGESET (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZCREATIONDATE,'
                ' ZLOCALDATEOFAPPLICATION, ZCLIENTIDENTIFIER, ZFILENAME, ZSYNCCHANGESETIDENTIFIER)')
            for key, name in [(1, 'set-1'), (2, 'set-2')]:
                base.execute('INSERT INTO ZTICDSSYNCCHANGESET VALUES (?, 1, 1, 0, 0, ?, ?, ?)',
                    [key, 'CLIENT-A', name + '.syncchg', name])
            base.commit()
            """
        _ = try #require(Python.run(script, [register.string]))
        let image = try TreeImage(of: builder.root)
        let sources = ReportSources(builder.storage, keyring: RemoteKeyring(.plain))
        let report = RemoteReport(try RemoteSnapshot.take(builder.storage), sources: sources)
        #expect(report.problems == [])
        let lag = try #require(report.documents.first?.clients[1].lag)
        #expect(
            lag.applied == 2 && lag.notApplied == .all(2)
                && lag.behind.part.first?.oldest == FileTime(seconds: 3000))
        #expect(try TreeImage(of: builder.root).differences(from: image) == [])
    }
}
