import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

/// Remotes that the framework itself wrote, compared with the descriptions beside them.
@Suite struct RemoteSampleTests {
    @Test(arguments: SampleRemote.names.filter { $0 != "plain-removed" })
    func everyFileWithSizeAndTime(_ name: String) throws {
        let sample = try Sample(name)
        let expected = try #require(sample.json["files"] as? [String: [String: Any]])
        let application = try #require(sample.json["app"] as? String)
        let snapshot = try sample.snapshot()
        var files: [String: RemoteFile] = [:]
        snapshot.tree.forEachFile(below: .root) { files[application + "/" + $0.path.text] = $0 }
        #expect(Set(files.keys) == Set(expected.keys))
        for (path, file) in files {
            let description = try #require(expected[path])
            #expect(file.size == (description["size"] as? NSNumber)?.int64Value, "\(path)")
            let time = try #require(description["mtime"] as? NSNumber).doubleValue
            let found = Double(file.modified.seconds) + Double(file.modified.nanoseconds) / 1e9
            #expect(abs(found - time) < 1e-6, "\(path)")
        }
        #expect(snapshot.tree.fileTotals.count == expected.count)
        #expect(snapshot.strays == [] && snapshot.problems == [])
        #expect(snapshot.applicationIdentifier.text == application)
    }

    @Test(arguments: SampleRemote.names.filter { $0 != "plain-removed" })
    func clientsAndDocuments(_ name: String) throws {
        let sample = try Sample(name)
        let snapshot = try sample.snapshot()
        let clients = try #require(sample.json["clients"] as? [String: Any])
        #expect(snapshot.clientDevices.map(\.identifier.text).sorted() == clients.keys.sorted())
        #expect(snapshot.clientDevices.allSatisfy { $0.deviceInfo.part != nil })
        #expect(snapshot.isEncrypted == name.hasPrefix("enc-"))
        if let deleted = sample.json["deletedDocuments"] as? [String: Any] {
            #expect(snapshot.deletedDocuments.map(\.identifier.text) == deleted.keys.sorted())
        }
        guard let documents = sample.json["documents"] as? [String: [String: Any]] else { return }
        #expect(Set(snapshot.documents.map(\.identifier.text)) == Set(documents.keys))
        for document in snapshot.documents {
            let description = try #require(documents[document.identifier.text])
            func names(_ key: String) -> [String]? { (description[key] as? [String])?.sorted() }
            if let clients = names("clients") {
                #expect(document.clients.map(\.identifier.text).sorted() == clients)
            }
            if let deleted = names("deletedClients") {
                #expect(document.deletedClients.map(\.identifier.text).sorted() == deleted)
            }
            if let synced = names("synced") {
                #expect(document.recentSyncs.map(\.client.text).sorted() == synced)
            }
            if let stores = description["wholeStores"] as? [String: Any] {
                #expect(document.wholeStores.map(\.client.text).sorted() == stores.keys.sorted())
                #expect(document.wholeStores.allSatisfy { $0.store != nil && !$0.isFolder })
            }
            #expect(document.integrityKeys.count == 1 && document.missingFolders == [])
        }
    }

    @Test func timesAreKeptToTheNanosecond() throws {
        let snapshot = try Sample("plain-multi").snapshot()
        var nanoseconds: Set<Int32> = []
        snapshot.tree.forEachFile(below: .root) { nanoseconds.insert($0.modified.nanoseconds % 1000) }
        #expect(nanoseconds.count > 3)
        let store = snapshot.document("doc-one-0001")?.wholeStores.first?.store
        #expect(store?.modified.description == "2011-03-13T07:06:40.000Z")
    }

    @Test func removedRemoteIsNone() throws {
        let sample = try Sample("plain-removed")
        let problem = #expect(throws: FileProblem.self) { try RemoteLocation.find(sample.remote.parent()) }
        #expect(problem?.kind == .notARemote && problem?.advice != nil)
    }

    @Test func changeSetsBeforeAndAfterVacuum() throws {
        let sample = try Sample("op-vacuum")
        let client: RemoteName = "B2C0D0A4-0001-4A11-8E1D-0000000000AA"
        let before = try #require(try sample.snapshot("before").document("doc-one-0001")?.client(client))
        let after = try #require(try sample.snapshot("after").document("doc-one-0001")?.client(client))
        #expect(before.changeSets.count == 8)
        #expect(before.changeSets[0].identifier == "0321691800.000000-PLACEHOLDER-1299999000")
        #expect(before.changeSets.times?.lowerBound == FileTime(seconds: 1_299_999_000))
        #expect(after.changeSets.count < before.changeSets.count)
        #expect(Set(after.changeSets).isSubset(of: Set(before.changeSets)))
        let nominal = ChangeSetIdentifier.nominalTime(before.changeSets[0].identifier)
        #expect(nominal == FileTime(seconds: 1_299_999_000))
    }

    @Test(arguments: ["plain-multi", "enc-multi"])
    func readingChangesNothing(_ name: String) throws {
        let sample = try Sample(name)
        let image = try TreeImage(of: sample.remote.folder.path)
        let report = try sample.report()
        #expect(report.documents.count == 3)
        #expect(try TreeImage(of: sample.remote.folder.path).differences(from: image) == [])
    }
}

/// A sample remote, unpacked, with its description.
struct Sample {
    let remote: SampleRemote
    let json: [String: Any]

    init(_ name: String) throws {
        remote = try SampleRemote(name)
        let data = try Data(contentsOf: URL(fileURLWithPath: remote.description.string))
        json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func storage(_ part: String = "remote") throws -> LocalStorage {
        LocalStorage(root: try RemoteLocation.find(remote.parent(part)))
    }

    func snapshot(_ part: String = "remote") throws -> RemoteSnapshot {
        try RemoteSnapshot.take(storage(part))
    }

    /// A report, by default with the sample's password.
    func report(password: Bool = true) throws -> RemoteReport {
        let storage = try storage()
        let text = password ? json["password"] as? String : nil
        let keyring = try PasswordCheck.open(storage, password: { text })
        let sources = ReportSources(storage, keyring: keyring) { _ in [] }
        return RemoteReport(try RemoteSnapshot.take(storage), sources: sources)
    }
}
