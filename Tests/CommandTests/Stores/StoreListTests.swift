import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct StoreListTests {
    @Test(.enabled(if: Python.available), arguments: [DemoRemote.Kind.plain, .encrypted])
    func allStores(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind)
        let before = try TreeImage(of: demo.root)
        let result = try Program.run("ticds-store", ["list", demo.path, "--json"] + demo.passwordOptions)
        #expect(result.status == 0, "\(result.errors)")
        let complaint = try PythonCheck.complaint(
            """
            found = document(sys.argv[1])
            assert found['schema'] == 'ticds.wholeStores/1'
            stores = found['stores']
            assert len(stores) == int(sys.argv[2]), len(stores)
            for s in stores:
                assert s['unread'] == [] and s['model']['unknownEntities'] == [], s
                assert s['model']['entities'] == 3 and len(s['model']['digest']) == 8
                assert sum(s['objectsByEntity'].values()) == s['objects'] > 0
                assert s['register']['contained'] <= s['register']['named']
                assert s['layers'][-1] == s['kind'] in ('sqlite', 'binary')
            assert len({s['model']['digest'] for s in stores}) == 1
            assert any(s['register']['lacking'] > 0 for s in stores)
            assert any(s['register']['lacking'] == 0 for s in stores)
            """, on: [result.bytes], ["\(try demo.wholeStores.count)"])
        #expect(complaint == "")
        let text = try Program.run("ticds-store", ["list", demo.path] + demo.passwordOptions)
        #expect(text.status == 0 && text.output.contains("Recipe"))
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    /// The paths in the text can be passed to other commands unchanged, whatever the name of the folder.
    @Test func pathsCanBeTyped() throws {
        let demo = try DemoRemote()
        let folder = demo.scratch.path.appending("it's a remote")
        try demo.scratch.shell("mv '\(demo.path)' \"it's a remote\"")
        let listed = try Program.run("ticds-store", ["list", folder.string])
        let paths = listed.output.split(separator: "\n").filter { $0.contains("WholeStore.ticdsync") }
        #expect(paths.count == 4, "\(listed.output)")
        for path in paths {
            let info = try Program.shell("ticds-store info \(path.drop { $0 == " " })")
            #expect(info.status == 0, "\(path): \(info.errors)")
        }
    }

    /// The numbers of rows by entity equal those of the sqlite3 program.
    @Test func counts() throws {
        let demo = try DemoRemote()
        let result = try Program.run(
            "ticds-store", ["list", demo.path, "--document", "cookbook", "--without-change-sets", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
        let stores = try #require(object?["stores"] as? [[String: Any]])
        #expect(stores.count == 2)
        for store in stores {
            let path = try #require(store["path"] as? String)
            let counted = try demo.scratch.shell(
                "sqlite3 '\(demo.path)/\(path)' 'SELECT count(*) FROM ZRECIPE; SELECT count(*) FROM ZTAG'")
            let rows = try #require(store["objectsByEntity"] as? [String: Int])
            #expect(counted == "\(rows["Recipe"] ?? 0)\n\(rows["Tag"] ?? 0)\n")
            #expect((store["model"] as? [String: Any])?["unknownEntities"] is NSNull)
        }
    }

    /// An unreadable store does not hide the others.
    @Test func whatCannotBeReadIsSaid() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        try TestFiles.write(FilePath(store), Array("SQLite format 3\0 and no more".utf8))
        let result = try Program.run("ticds-store", ["list", demo.path, "--json"])
        #expect(result.status == 5)
        #expect(result.output.components(separatedBy: "\"objects\": null").count == 2)
        let text = try Program.run("ticds-store", ["list", demo.path])
        #expect(text.status == 5 && text.output.contains("truncated"), "\(text.output)")
        let locked = try DemoRemote(.encrypted)
        let closed = try Program.run("ticds-store", ["list", locked.path])
        #expect(closed.status == 4 && closed.output.contains("the password of the remote is needed"))
        #expect(try Program.run("ticds-store", ["list", demo.path, "--document", "nothing"]).status == 2)
    }

    /// Two clients have the same description, and only one of them has whole stores.
    @Test(arguments: [
        "store list", "store check", "store info", "changes list", "changes stats", "inspect stores",
    ])
    func ambiguousClientNamesAreRefused(command: String) throws {
        let demo = try DemoRemote()
        try demo.scratch.shell(
            "sed -i 's/Børge’s iPad/Anna’s iPhone/' '\(demo.path)'/ClientDevices/D8ED76C2*/deviceInfo.plist")
        let result = try Program.run(
            "ticds",
            command.split(separator: " ").map(String.init) + [demo.path, "--client", "Anna’s iPhone"])
        #expect(result.status == 2 && result.output == "", "\(result.output)")
        for text in [
            "matches several clients", "D28481A5", "D8ED76C2", "Choose one with --client IDENTIFIER",
        ] {
            #expect(result.errors.contains(text), "\(text): \(result.errors)")
        }
    }

    @Test func remotesOfTheFramework() throws {
        for (name, count, kind) in [("dropbox-plain-zip", 1, "zip"), ("plain-multi", 2, "sqlite")] {
            let remote = try SampleRemote(name)
            let result = try Program.run("ticds-store", ["list", remote.parent().string, "--json"])
            #expect(
                result.output.components(separatedBy: "\"digest\":").count > count,
                "\(name): \(result.errors)")
            #expect(result.output.contains("\"\(kind)\""), "\(name)")
        }
    }
}
