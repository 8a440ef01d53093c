import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct StoreCheckCommandTests {
    @Test(.enabled(if: Samples.available, "needs the samples")) func everySampleIsSound() throws {
        let all = StoreSample.all
        #expect(all.count == 19, "\(all.count)")
        let result = try Program.run("ticds-store", ["check"] + all.map(\.path))
        #expect(result.status == 0, "\(result.errors)\(result.output)")
        #expect(result.output.components(separatedBy: "nothing found").count == all.count + 1)
        for sample in all {
            let one = try Program.run(
                "ticds-store", ["check", sample.path, "--model", sample.models, "--json"])
            #expect(
                one.status == 0 && one.output.contains("\"findings\": []"), "\(sample.path) \(one.errors)")
            #expect(one.output.contains("\"unchecked\": []"))
        }
    }

    @Test func aRemote() throws {
        let demo = try DemoRemote()
        let sound = try Program.run("ticds-store", ["check", demo.path])
        #expect(sound.status == 0, "\(sound.output)\(sound.errors)")
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        try demo.scratch.shell(
            "sqlite3 '\(store)' \"UPDATE ZRECIPE SET ZTICDSSYNCID = 'twin' WHERE Z_PK IN (SELECT Z_PK FROM ZRECIPE LIMIT 2); "
                + "UPDATE Z_PRIMARYKEY SET Z_MAX = 0\"")
        let text = try Program.run("ticds-store", ["check", demo.path, "--document", "cookbook"])
        #expect(text.status == 1, "\(text.errors)")
        #expect(text.output.contains("duplicateSyncID Recipe.TICDSSYNCID: the sync ID of another object"))
        let json = try Program.run("ticds-store", ["check", demo.path, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        let stores = try #require(object?["stores"] as? [[String: Any]])
        #expect(stores.count == 4)
        let kinds = stores.flatMap {
            ($0["findings"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
        }
        #expect(kinds == ["highestKey", "highestKey", "highestKey", "duplicateSyncID"], "\(kinds)")
        #expect(stores.allSatisfy { $0["client"] is String && $0["document"] is String })
    }

    /// An unreadable file of external data is named, and the rest of the store is checked.
    @Test func externalDataThatCannotBeRead() throws {
        let external = try ExternalStore()
        let file = "\(external.whole)/.Data_SUPPORT/_EXTERNAL_DATA/0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"
        try external.scratch.shell("rm '\(file)'; ln -s elsewhere '\(file)'")
        let words = ["check", external.whole, "--model", external.model]
        let text = try Program.run("ticds-store", words)
        #expect(text.status == 5 && text.errors.contains("ticds-store: \(file): "), "\(text.errors)")
        #expect(text.output.contains(": 1 object, nothing found\n"), "\(text.output)")
        #expect(text.output.contains("not checked: values of 1 object: "), "\(text.output)")
        let json = try Program.run("ticds-store", words + ["--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        let store = try #require((object?["stores"] as? [[String: Any]])?.first)
        #expect(json.status == 5 && store["objects"] as? Int == 1, "\(store)")
        #expect((store["problem"] as? [String: Any])?["path"] as? String == file, "\(store)")
        try external.scratch.shell(
            "sqlite3 '\(external.whole)/Data' 'UPDATE Z_PRIMARYKEY SET Z_MAX = 0'")
        let found = try Program.run("ticds-store", words)
        #expect(found.status == 1 && found.errors.contains(file), "\(found.errors)")
        #expect(found.output.contains("highestKey"), "\(found.output)")
    }

    @Test func encryptedAndUnreadable() throws {
        let demo = try DemoRemote(.encrypted)
        #expect(try Program.run("ticds-store", ["check", demo.path]).status == 4)
        #expect(try Program.run("ticds-store", ["check", demo.path] + demo.passwordOptions).status == 0)
        let file = try demo.scratch.write("nothing", Array("no store".utf8))
        #expect(try Program.run("ticds-store", ["check", file]).status == 2)
        let store = try #require(try demo.wholeStores.first)
        try TestFiles.write(FilePath(store), [])
        #expect(try Program.run("ticds-store", ["check", demo.path] + demo.passwordOptions).status == 5)
    }
}
