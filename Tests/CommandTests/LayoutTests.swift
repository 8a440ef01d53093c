import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The forms of change sets and whole stores in remotes.
@Suite struct LayoutTests {
    @Test func binaryAndSQLiteChangeSetsReadAlike() throws {
        let scratch = try Scratch()
        try scratch.shell("mkdir binary sqlite")
        let binary = try scratch.write("binary/one.syncchg", try DamagedFileTests.binary())
        let sqlite = scratch.path.appending("sqlite").appending("one.syncchg")
        try DamagedFileTests.writeSQLite(to: sqlite)
        for options in [["--json"], []] {
            let one = try Program.run("ticds-changes", ["dump", binary] + options)
            let other = try Program.run("ticds-changes", ["dump", sqlite.string] + options)
            #expect(one.status == 0 && other.status == 0, "\(other.errors)")
            #expect(!one.bytes.isEmpty)
            #expect(one.output == other.output)
        }
        #expect(try Program.run("ticds-changes", ["diff", binary, sqlite.string]).status == 0)
    }

    /// The forms also work inside a remote, beside binary ones.
    @Test func anSQLiteChangeSetOfARemote() throws {
        let demo = try DemoRemote()
        let set = try #require(try demo.changeSets.last)
        try FileManager.default.removeItem(atPath: set)
        try DamagedFileTests.writeSQLite(to: FilePath(set))
        let before = try TreeImage(of: demo.root)
        let result = try Program.run("ticds-changes", ["dump", demo.path, "--entity", "Note"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("insert Note note 4\n"))
        #expect(try Program.run("ticds-changes", ["list", demo.path, "--counts"]).status == 0)
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    @Test(.enabled(if: Python.available)) func wholeStores() throws {
        let demo = try DemoRemote(changeSets: 12)
        for (number, store) in try demo.wholeStores.enumerated() {
            let raw = try Program.run("ticds-store", ["dump", store, "--json"])
            #expect(raw.status == 0 && !raw.bytes.isEmpty)
            let copy = demo.scratch.path.appending("store\(number)")
            try FileManager.default.moveItem(atPath: store, toPath: copy.string)
            let zip = "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)"
            _ = try #require(Python.run(zip + ".write(sys.argv[2], 'Notes.sqlite')", [store, copy.string]))
            try expectStore(store, prints: raw, kind: "zip", in: demo)
            try FileManager.default.removeItem(atPath: store)
            try TestFiles.makeFolder(FilePath(store))
            try FileManager.default.copyItem(atPath: copy.string, toPath: store + "/Data")
            try TestFiles.makeFolders(FilePath(store + "/.Data_SUPPORT/_EXTERNAL_DATA"))
            try expectStore(store, prints: raw, kind: "folder", in: demo)
        }
    }

    private func expectStore(_ store: String, prints raw: Program.Result, kind: String, in demo: DemoRemote)
        throws
    {
        let result = try Program.run("ticds-store", ["dump", store, "--json"])
        #expect(result.status == 0, "\(kind): \(result.errors)")
        #expect(result.output == raw.output, "\(kind)")
        let stores = try Program.run("ticds-inspect", ["stores", demo.path, "--json"])
        #expect(stores.status == 0, "\(stores.errors)")
        #expect(stores.output.contains("\"kind\": \"\(kind)\""), "\(stores.output)")
    }

    @Test func encryptedStores() throws {
        let demo = try DemoRemote(.encrypted)
        for store in try demo.wholeStores {
            let opened = try Program.run("ticds-store", ["dump", store] + demo.passwordOptions)
            #expect(opened.status == 0, "\(opened.errors)")
            #expect(opened.output.contains("vegetarian"))
            #expect(try Program.run("ticds-store", ["dump", store]).status == 4)
        }
        let stores = try Program.run("ticds-inspect", ["stores", demo.path, "--json"])
        #expect(stores.output.contains("\"kind\": \"encrypted\""))
    }

    @Test func zippedStoreByItself() throws {
        let scratch = try Scratch()
        for name in ["dropbox-plain-zip", "plain-multi"] {
            let documents = "\(try Fixtures.remotes)/\(name)/remote/com.example.notes/Documents"
            let store = "doc-one-0001/WholeStore/B2C0D0A4-0001-4A11-8E1D-0000000000AA/WholeStore.ticdsync"
            try scratch.shell("cp '\(documents)/\(store)' \(name)")
        }
        func dump(_ name: String) throws -> Program.Result {
            try Program.run("ticds-store", ["dump", scratch.path.appending(name).string, "--json"])
        }
        let (result, raw) = (try dump("dropbox-plain-zip"), try dump("plain-multi"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(!raw.bytes.isEmpty)
        #expect(result.output == raw.output)
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            "Empty", "IncorrectHeaders", "PathTraversal", "RelativeSymbolicLink", "SymbolicLink",
            "TestPasswordArchive", "hello",
        ])
    func hostileZips(name: String) throws {
        let zip = try #require(try Samples.path("zip/hostile/\(name).zip").resolved()?.string)
        let result = try Program.run("ticds-store", ["dump", zip], seconds: 180)
        #expect(result.status == 2, "\(result.status)")
        #expect(result.bytes.isEmpty)
        #expect(result.errors.hasPrefix("ticds-store: \(zip): "), "\(result.errors)")
    }
}
