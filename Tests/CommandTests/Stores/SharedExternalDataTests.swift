import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Whole stores whose external data is in one folder for all clients, as one fork keeps it.
@Suite struct SharedExternalDataTests {
    private static let named = "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"
    private static let other = "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F56"

    /// A demonstration in which the whole store of one client is a folder with a manifest.
    private struct Fork {
        let demo: DemoRemote
        let external: ExternalStore
        let store: String
        let shared: String

        init(manifest: String?) throws {
            demo = try DemoRemote()
            external = try ExternalStore()
            store = try #require(try demo.wholeStores.first)
            shared = "\(store)/../../SharedExternalData"
            let inner = "\(store)/.Data_SUPPORT/_EXTERNAL_DATA"
            try demo.scratch.shell(
                """
                rm '\(store)'; cp -r '\(external.whole)' '\(store)'
                touch -d '2013-04-05 06:07:08.9 UTC' '\(store)/Data'
                mkdir '\(shared)'; mv '\(inner)/\(named)' '\(shared)/'; printf other > '\(shared)/\(other)'
                """)
            if let manifest {
                try TestFiles.write(FilePath("\(inner)/manifest.plist"), Array(manifest.utf8))
            }
        }
    }

    private static func manifest(_ names: [String]) -> String {
        let list = names.map { "<string>\($0)</string>" }.joined()
        return
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict><key>files</key><array>\(list)</array></dict></plist>"
    }

    @Test func areFoundByTheManifest() throws {
        let fork = try Fork(manifest: Self.manifest([Self.named]))
        let before = try TreeImage(of: fork.demo.root)
        let list = try Program.run("ticds-store", ["list", fork.demo.path, "--json"])
        #expect(list.status == 0, "\(list.errors)")
        #expect(list.output.contains("\"externalData\": true"))
        let words = ["export", fork.store, "--model", fork.external.model, "--to", "-", "--format", "json"]
        let export = try Program.run("ticds-store", words)
        #expect(export.status == 0 && export.output.contains("bGFyZ2U="), "\(export.output) \(export.errors)")
        let target = fork.demo.scratch.path.appending("copy")
        let extract = try Program.run("ticds-store", ["extract", fork.store, target.string])
        #expect(
            extract.status == 0 && extract.output.contains("1 file of external data"), "\(extract.errors)")
        #expect(
            try fork.demo.scratch.shell("ls -A .copy_SUPPORT/_EXTERNAL_DATA; cat .copy_SUPPORT/*/*")
                == "\(Self.named)\nlarge")
        #expect(
            try FileStatus.of(target).modified
                == (try FileStatus.of(FilePath(fork.store).appending("Data")).modified))
        #expect(try TreeImage(of: fork.demo.root).differences(from: before) == [])
    }

    @Test func mountShowsThemBesideTheStore() throws {
        let fork = try Fork(manifest: Self.manifest([Self.named]))
        let tree = try MountedTree(remote: fork.demo.path)
        let folders = try tree.names("documents").map { "documents/\($0)/stores" }
        let hidden = try folders.flatMap { folder in
            try tree.names(folder).filter { $0.hasPrefix(".") }.map { "\(folder)/\($0)/_EXTERNAL_DATA" }
        }
        let folder = try #require(hidden.first)
        #expect(try tree.text("\(folder)/\(Self.named)") == "large")
        #expect(try Set(tree.names(folder)).isSuperset(of: [Self.named, Self.other]))
        // It has the name that belongs to the store.
        let store = folder.replacing("/.", with: "/").replacing("_SUPPORT/_EXTERNAL_DATA", with: ".sqlite")
        #expect(try !tree.bytes(store).isEmpty)
    }

    @Test func whatIsMissingIsTold() throws {
        let fork = try Fork(manifest: Self.manifest([Self.named, Self.other]))
        try fork.demo.scratch.shell("rm '\(fork.shared)/\(Self.named)'")
        let list = try Program.run("ticds-store", ["list", fork.demo.path])
        #expect(list.status == 0 && list.output.contains("such as \(Self.named)"), "\(list.output)")
        let dump = try Program.run("ticds-store", ["dump", fork.store, "--model", fork.external.model])
        #expect(dump.status == 5 && dump.errors.contains("1 file of external data"), "\(dump.errors)")
    }

    /// Without a readable manifest it is unknown which files belong to the store.
    @Test(arguments: [nil, "no property list"]) func withoutAManifestAllAreTaken(_ manifest: String?) throws {
        let fork = try Fork(manifest: manifest)
        let target = fork.demo.scratch.path.appending("copy")
        let extract = try Program.run("ticds-store", ["extract", fork.store, target.string])
        #expect(
            extract.status == 0 && extract.output.contains("2 files of external data"), "\(extract.errors)")
    }

    /// Pending writes in the log of such a store are not lost.
    @Test func theLogComesAlong() throws {
        let fork = try Fork(manifest: Self.manifest([Self.named]))
        try fork.demo.scratch.shell(
            """
            python3 - '\(fork.store)/Data' <<'END'
            import os, sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute('PRAGMA journal_mode = WAL')
            store.execute('INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT) VALUES (2, 1, 1)')
            store.commit()
            os._exit(0)
            END
            test -s '\(fork.store)/Data-wal'
            """)
        let list = try Program.run("ticds-store", ["dump", fork.store, "--model", fork.external.model])
        #expect(list.status == 0 && list.output.contains("Page 2"), "\(list.output) \(list.errors)")
    }

    /// Commands copy XML stores in other encodings without reading them, and every command reports it.
    @Test func storesOfTheXMLTypeThatAreNotRead() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        let xml = """
            <?xml version="1.0" encoding="latin1"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database><databaseInfo><version>134481920</version></databaseInfo></database>
            """
        try TestFiles.write(FilePath(store), Array(xml.utf8))
        let target = demo.scratch.path.appending("copy")
        for words in [
            ["dump", store], ["check", store], ["export", store, "--to", "\(target)"],
            ["compare", store, store],
        ] {
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 2, "\(words): \(result.status)")
            let said = result.output + result.errors
            #expect(said.contains("encoding that is not read"), "\(words): \(said)")
        }
        for words in [["list", demo.path], ["check", demo.path]] {
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 5, "\(words)")
            #expect((result.output + result.errors).contains("encoding that is not read"), "\(result.output)")
        }
        #expect(try Program.run("ticds-store", ["extract", store, target.string]).status == 0)
        #expect(try FileBytes.read(target).array == Array(xml.utf8))
        let listed = try Program.run("ticds-store", ["list", demo.path, "--json"])
        let stores =
            (try JSONSerialization.jsonObject(with: Data(listed.bytes)) as? [String: Any])?["stores"]
            as? [[String: Any]]
        let unread = try #require(stores?.first { $0["objects"] is NSNull })
        #expect(unread["kind"] as? String == "xml" && unread["layers"] as? [String] == ["xml"])
        for words in [[demo.path, "--level", "deep"], ["file", store], ["file", target.string]] {
            let result = try Program.run("ticds-verify", words)
            #expect(result.status == 1 && result.output.contains("TICDS-0725"), "\(words): \(result.output)")
            #expect(!result.output.contains("TICDS-0714"), "\(words): \(result.output)")
        }
    }
}
