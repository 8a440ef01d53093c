import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@Suite struct DemoTests {
    @Test func refusesAFolderThatIsNotEmpty() throws {
        let scratch = try Scratch()
        _ = try scratch.write("mine", Array("mine".utf8))
        let before = try TreeImage(of: scratch.path)
        let result = try Program.run("ticds", ["demo", scratch.path.string, "--change-sets", "2"])
        #expect(result.status == 2 || result.status == 3, "\(result.status)")
        #expect(result.bytes.isEmpty)
        #expect(result.errors.hasPrefix("ticds: \(scratch.path): "), "\(result.errors)")
        #expect(try TreeImage(of: scratch.path).differences(from: before) == [])
        let file = scratch.path.appending("mine")
        #expect(try Program.run("ticds", ["demo", file.string, "--change-sets", "2"]).status != 0)
        #expect(try FileBytes.read(file).array == Array("mine".utf8))
    }

    @Test func takesAnEmptyFolder() throws {
        let scratch = try Scratch()
        let folder = scratch.path.appending("empty")
        try TestFiles.makeFolder(folder)
        let result = try Program.run("ticds", ["demo", folder.string, "--change-sets", "2"])
        #expect(result.status == 0)
        #expect(result.output == "\(folder)/com.example.cookbook\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path.string) == ["empty"])
    }

    /// With the app's model the newest state is the same, whether a whole store helps or not.
    @Test func theModelIsGoodForARescue() throws {
        let demo = try DemoRemote(changeSets: 60)
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel")
        let replay = ["replay", demo.path, "--document", "cookbook", "--model", model.string]
        let rescued = demo.scratch.path.appending("rescued.sqlite").string
        let anew = demo.scratch.path.appending("anew.sqlite").string
        let first = try Program.run("ticds-store", replay + ["--to", rescued])
        #expect(first.status == 0 && first.output.contains("start: whole store"), "\(first.errors)")
        let second = try Program.run("ticds-store", replay + ["--from-sets", "--to", anew])
        #expect(second.status == 0, "\(second.errors)")
        let checked = try Program.run("ticds-store", ["check", rescued, "--model", model.string])
        #expect(checked.status == 0, "\(checked.output)")
        let compared = try Program.run("ticds-store", ["compare", rescued, anew, "--model", model.string])
        #expect(compared.status == 0, "\(compared.output)")
        #expect(!compared.output.contains(" 0 the same"), "\(compared.output)")
    }

    /// Names, contents and times, except values from the file system.
    @Test func isTheSameEachTime() throws {
        let one = try contents(of: DemoRemote(changeSets: 12))
        let other = try contents(of: DemoRemote(changeSets: 12))
        #expect(one.count > 50)
        #expect(Set(one.keys) == Set(other.keys))
        #expect(one.filter { other[$0.key] != $0.value }.map { escapedName($0.key) }.sorted() == [])
    }

    /// The damage is one file, and all others equal those of the intact remote.
    @Test func theDamageIsOneSet() throws {
        let sound = try contents(of: DemoRemote(changeSets: 12))
        let damaged = try contents(of: DemoRemote(.damaged, changeSets: 12))
        #expect(Set(sound.keys) == Set(damaged.keys))
        let changed = sound.keys.filter { sound[$0]?.content != damaged[$0]?.content }
        #expect(changed.count == 1)
        #expect(changed.allSatisfy { escapedName($0).hasSuffix(".syncchg") })
    }

    /// With its password the encrypted remote equals the unencrypted one; without it no content is visible.
    @Test func encryptedHoldsTheSame() throws {
        let plain = try DemoRemote()
        let sealed = try DemoRemote(.encrypted)
        let lists = try [plain, sealed].map { demo in
            let list = try Program.run(
                "ticds-changes", ["list", demo.path, "--counts"] + demo.passwordOptions)
            #expect(list.status == 0)
            return list.output.split(separator: "\n").count
        }
        #expect(lists == [17, 17])
        let found = try Program.shell("grep -rlaE 'vegetarian|Family|Anna' '\(sealed.path)'")
        #expect(found.output == "")
        #expect(try Program.shell("grep -rlaE 'vegetarian|Family|Anna' '\(plain.path)'").output != "")
    }

    /// The table contains the names for people.
    @Test func clientsAreListedByTheirNames() throws {
        let demo = try DemoRemote()
        let list = try Program.run("ticds-changes", ["list", demo.path])
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 17)
        for name in ["Anna’s MacBook Pro", "Anna’s iPhone"] { #expect(list.output.contains(name)) }
        let sets = try demo.changeSets.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
        #expect(lines.dropFirst().prefix(8).map { String($0.split(separator: " ").last ?? "") } == sets)
    }

    /// The content of the demonstration, as the reading commands show it.
    @Test func showsEveryTypeOfChange() throws {
        let demo = try DemoRemote(changeSets: 120)
        let stats = try Program.run("ticds-changes", ["stats", demo.path, "--json"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(stats.bytes)) as? [String: Any])
        let types = try #require(json["byType"] as? [String: Int])
        #expect(
            types.keys.sorted() == ["addToMany", "attribute", "delete", "insert", "removeFromMany", "toOne"])
        let clients = try #require(json["byClient"] as? [String: Int])
        #expect(clients.count == 3)
        #expect(types.values.reduce(0, +) == json["changes"] as? Int)
    }

    private struct File: Equatable {
        var content: [UInt8]
        var modified: FileTime
        var kind: FileKind
    }

    /// All entries below the root, whose own time is that of its creation.
    private func contents(of demo: DemoRemote) throws -> [[UInt8]: File] {
        var entries = try TreeImage(of: demo.root).entries
        entries[[]] = nil
        return entries.mapValues {
            File(content: $0.content, modified: $0.status.modified, kind: $0.status.kind)
        }
    }
}
