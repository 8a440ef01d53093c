import Base
import Foundation
import Mounting
import TestSupport
import Testing

/// Names in a mount that people or attackers chose.
@Suite struct MountNameTests {
    /// Checks that each name of a folder can be looked up, is short enough, and is unique for every file system.
    private func expectUsable(_ folder: String, _ tree: MountedTree) throws {
        var seen: Set<String> = []
        for name in try tree.names(folder) {
            #expect(name.utf8.count <= 255, "\(name)")
            #expect(seen.insert(name.uppercased().lowercased()).inserted, "\(name)")
            guard case .folder(let parent)? = try tree.node(folder) else { throw CocoaError(.fileNoSuchFile) }
            #expect(try parent.entry(named: name) != nil, "\(name)")
        }
        #expect(!seen.isEmpty)
    }

    /// U+0600 and the dot behind it are one character.
    @Test func labelsThatEndWithAnyCharacterAreFound() throws {
        let demo = try DemoRemote()
        let model = "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"
        let store = "\(demo.scratch.path)/copy.sqlite"
        let replay = try Program.run(
            "ticds-store", ["replay", demo.path, "--document", "cookbook", "--to", store, "--model", model])
        try #require(replay.status == 0, "\(replay.errors)")
        try demo.scratch.shell(
            "sqlite3 copy.sqlite \"UPDATE ZRECIPE SET ZTITLE = 'soup' || char(1536) WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)\""
        )
        let tree = try MountedTree(store: store, model: model)
        try expectUsable("objects/Recipe", tree)
        #expect(try tree.names("objects/Recipe").contains("soup\u{600}.json"))
    }

    /// Times that do not sort as texts, and sets of the same second.
    @Test func setsOfAnyTimeAreFound() throws {
        let demo = try DemoRemote(changeSets: 20)
        let sets = try demo.changeSets
        for (set, seconds) in zip(sets, [-1, 400_000_000_000, -100_000_000_000, 7, 7, 7, 400_000_000_000]) {
            try demo.scratch.shell("touch -d @\(seconds) '\(set)'")
        }
        let tree = try MountedTree(remote: demo.path)
        try expectUsable("documents/Family cookbook/changes", tree)
        let names = try tree.names("documents/Family cookbook/changes")
        #expect(names.count == 2 * sets.count)
        #expect(names.filter { $0.hasPrefix("1970-01-01T00.00.07-") }.count == 4)
        let dump = try Program.run("ticds-changes", ["dump", demo.path, "--document", "cookbook", "--json"])
        let texts = try names.filter { $0.hasSuffix(".json") }.map {
            try tree.text("documents/Family cookbook/changes/\($0)")
        }
        #expect(texts.joined() == dump.output)
    }

    @Test func clientsOfAnyNameHaveStoresAndSetsThatAreFound() throws {
        let demo = try DemoRemote()
        for (number, file) in try RemoteFiles.named("/deviceInfo.plist", below: demo.root).enumerated() {
            let place = URL(filePath: file)
            let old = try PropertyListSerialization.propertyList(from: Data(contentsOf: place), format: nil)
            var information = try #require(old as? [String: Any])
            let names = [
                String(repeating: "ä", count: 127), String(repeating: "Ä", count: 128), "phone\u{600}",
            ]
            information["kTICDSClientDeviceDescription"] = names[number % names.count]
            try PropertyListSerialization.data(fromPropertyList: information, format: .binary, options: 0)
                .write(to: place)
        }
        let tree = try MountedTree(remote: demo.path)
        var stores = 0
        for document in try tree.names("documents") {
            try expectUsable("documents/\(document)/changes", tree)
            try expectUsable("documents/\(document)/stores", tree)
            for store in try tree.names("documents/\(document)/stores") where store.hasSuffix(".sqlite") {
                #expect("\(store)-wal".utf8.count <= 255)
                #expect(try tree.node("documents/\(document)/stores/\(store)-wal") != nil)
                stores += 1
            }
        }
        #expect(stores > 0)
        try expectUsable("clients", tree)
    }
}
