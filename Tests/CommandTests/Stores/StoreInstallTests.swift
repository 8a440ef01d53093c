import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct StoreInstallTests {
    /// Takes the newest store from its client, and gives it to another one.
    private func install(
        _ demo: DemoRemote, _ options: [String] = [], client: String = "Børge’s iPad"
    ) throws -> Program.Result {
        let stores = try demo.wholeStores.filter { $0.contains("cookbook/WholeStore") }
        let store = try #require(try newest(stores))
        return try Program.run(
            "ticds-store",
            ["install", demo.path, store, "--document", "cookbook", "--client", client]
                + options + demo.passwordOptions,
            environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
    }

    private func newest(_ stores: [String]) throws -> String? {
        try stores.max { one, other in
            let times = try [one, other].map { try FileStatus.of(FilePath($0)).modified }
            return times[0] < times[1]
        }
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted], ["file", "zip"])
    func forms(kind: DemoRemote.Kind, form: String) throws {
        let demo = try DemoRemote(kind)
        let stores = try demo.wholeStores.filter { $0.contains("cookbook/WholeStore") }
        let source = try #require(try newest(stores))
        let target = try #require(stores.first { $0 != source })
        let dump = try Program.run("ticds-store", ["dump", source, "--json"] + demo.passwordOptions)
        let before = try TreeImage(of: demo.root)
        let plan = try install(demo, ["--form", form, "--dry-run"])
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
        let result = try install(demo, ["--form", form, "--yes"])
        #expect(result.status == 0, "\(result.errors)")
        let installed = try Program.run("ticds-store", ["dump", target, "--json"] + demo.passwordOptions)
        #expect(installed.output == dump.output && !dump.bytes.isEmpty)
        let bytes = try FileBytes.read(FilePath(target)).array
        if kind == .plain, form == "file" {
            #expect(bytes == (try FileBytes.read(FilePath(source)).array))
            #expect(
                try FileStatus.of(FilePath(target)).modified == (try FileStatus.of(FilePath(source)).modified)
            )
        } else if kind == .plain {
            try expectZip(target, of: source, named: "cookbook", demo.scratch)
        } else {
            #expect(!bytes.starts(with: Array("PK".utf8)) && !bytes.starts(with: Array("SQLite".utf8)))
        }
        let registers = [source, target].map {
            $0.replacing("WholeStore.ticdsync", with: "AppliedSyncChangeSets.ticdsync")
        }
        #expect(
            try FileBytes.read(FilePath(registers[0])).array
                == (try FileBytes.read(FilePath(registers[1])).array))
        let verified = try Program.run("ticds-verify", [demo.path, "--quiet"] + demo.passwordOptions)
        #expect(!verified.output.contains("error"), "\(verified.output)")
        let undo = try Program.run(
            "ticds-journal", ["undo", demo.path, "1", "--yes"],
            environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    /// The result of the framework's own upload, except for the copy that no client reads.
    @Test func asTheFrameworkDoes() throws {
        let scratch = try Scratch()
        try SampleRemote.copy("op-upload-store", into: scratch.path)
        let (before, after) = (scratch.path.appending("before"), scratch.path.appending("after"))
        let client = "B2C0D0A4-0001-4A11-8E1D-0000000000AA"
        let store = "com.example.notes/Documents/doc-one-0001/WholeStore/\(client)/WholeStore.ticdsync"
        let result = try Program.run(
            "ticds-store",
            [
                "install", before.string, after.pushing(FilePath(store)).string, "--document", "doc-one-0001",
                "--client", client, "--contains", "none", "--yes",
            ], environment: ["XDG_STATE_HOME": scratch.path.appending("state").string])
        #expect(result.status == 0, "\(result.errors)")
        let images = (try TreeImage(of: before).withoutIdentity, try TreeImage(of: after).withoutIdentity)
        let files = images.0.differences(from: images.1).filter { path in
            let entry = images.0.entries[Array(path.utf8)] ?? images.1.entries[Array(path.utf8)]
            return entry?.status.kind == .file && !path.contains("TemporaryFiles")
        }
        #expect(files == [])
        #expect(try FileBytes.read(before.pushing(FilePath(store))).array.count > 100)
    }

    /// The header of a whole store that the framework's zip library made, and programs that read it.
    private func expectZip(_ zip: String, of store: String, named name: String, _ scratch: Scratch) throws {
        try scratch.shell("unzip -tq '\(zip)'; mkdir out; cd out; unzip -q '\(zip)'; cmp \(name) '\(store)'")
        let bytes = try FileBytes.read(FilePath(zip)).array
        #expect(Array(bytes[..<14]) == [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0])
        #expect(Array(bytes[26..<30]) == [UInt8(name.utf8.count), 0, 0, 0])
        let end = Array(bytes.suffix(22))
        #expect(
            Array(end[..<12]) == [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] && Array(end[20...]) == [0, 0])
        let stores = try Fixtures.remotes.pushing("dropbox-plain-zip/remote/com.example.notes/Documents")
        let theirs = try #require(try RemoteFiles.named("/WholeStore.ticdsync", below: stores).first)
        let sample = try FileBytes.read(FilePath(theirs)).array
        #expect(Array(sample[..<14]) == Array(bytes[..<14]))
        let directory = bytes.count - 22 - 46 - name.utf8.count
        let other = sample.count - 22 - 46 - "doc-one-0001".utf8.count
        for range in [0..<16, 30..<46] {
            #expect(
                Array(
                    bytes[directory..<directory + 46][
                        directory + range.lowerBound..<directory + range.upperBound])
                    == Array(sample[other + range.lowerBound..<other + range.upperBound]), "\(range)")
        }
    }

    @Test func refusals() throws {
        let demo = try DemoRemote()
        let stores = try demo.wholeStores.filter { $0.contains("cookbook/WholeStore") }
        let old = try #require(stores.first { try newest(stores) != $0 })
        let before = try TreeImage(of: demo.root)
        func run(_ store: String, _ options: [String]) throws -> Program.Result {
            try Program.run(
                "ticds-store", ["install", demo.path, store, "--document", "cookbook"] + options,
                environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
        }
        let behind = try run(old, ["--client", "Børge’s iPad", "--yes"])
        #expect(behind.status == 3 && behind.errors.contains("5 change sets not named"), "\(behind.errors)")
        let allowed = try run(old, ["--client", "Børge’s iPad", "--allow-behind", "--dry-run"])
        #expect(allowed.status == 0 && allowed.output.contains("lacks 5 change sets"))
        try demo.scratch.shell("cp '\(old)' loose.sqlite")
        let loose = demo.scratch.path.appending("loose.sqlite").string
        let untold = try run(loose, ["--client", "Børge’s iPad", "--yes"])
        #expect(untold.status == 3 && untold.errors.contains("--contains"), "\(untold.errors)")
        let made = try run(loose, ["--client", "Børge’s iPad", "--contains", "all", "--dry-run"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try run(loose, ["--client", "nobody", "--contains", "all", "--yes"]).status == 2)
        #expect(try run(loose, ["--client", "Børge’s iPad", "--contains", "all"]).status == 3)
        let broken = try demo.scratch.write("broken", Array("SQLite format 3\0 no".utf8))
        #expect(try run(broken, ["--client", "Børge’s iPad", "--contains", "all", "--yes"]).status == 2)
        // Unsent changes of its app are beside the register.
        let set = try #require(try demo.changeSets.first)
        let register = old.replacing("WholeStore.ticdsync", with: "AppliedSyncChangeSets.ticdsync")
        try demo.scratch.shell("cp '\(set)' UnsynchronizedSyncChanges.syncchg; cp '\(register)' register")
        let unsent = try run(
            loose,
            [
                "--client", "Børge’s iPad", "--register", demo.scratch.path.appending("register").string,
                "--yes",
            ])
        #expect(unsent.status == 3 && unsent.errors.contains("not synchronised"), "\(unsent.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    /// Pending writes in the log are uploaded, and the source stays unchanged.
    @Test(.enabled(if: Samples.available, "needs the samples")) func pendingWrites() throws {
        let demo = try DemoRemote()
        let sample = Samples.path("sqlite-stores/surfjournal/SurfJournalModel.sqlite").string
        try demo.scratch.shell("mkdir in; cp '\(sample)' in/s; cp '\(sample)-wal' in/s-wal")
        let before = try demo.scratch.shell("ls -l --time-style=full-iso in; cat in/* | sha256sum")
        let result = try Program.run(
            "ticds-store",
            [
                "install", demo.path, demo.scratch.path.appending("in").appending("s").string, "--document",
                "cookbook", "--client", "Børge’s iPad", "--contains", "all", "--yes",
            ], environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("another model"))
        #expect(try demo.scratch.shell("ls -l --time-style=full-iso in; cat in/* | sha256sum") == before)
        let list = try Program.run("ticds-store", ["list", demo.path, "--document", "cookbook", "--json"])
        #expect(list.output.contains("\"JournalEntry\": 5000"), "\(list.output)")
        #expect(list.output.contains("\"lacking\": 0"))
    }

    /// The form of one fork: a folder with the external data.
    @Test func externalData() throws {
        let demo = try DemoRemote()
        let store = try ExternalStore()
        let arguments = [
            "install", demo.path, store.whole, "--document", "cookbook", "--client", "Børge’s iPad",
            "--contains", "all", "--yes",
        ]
        let state = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let refused = try Program.run("ticds-store", arguments, environment: state)
        #expect(refused.status == 3 && refused.errors.contains("--form folder"))
        let result = try Program.run("ticds-store", arguments + ["--form", "folder"], environment: state)
        #expect(result.status == 0, "\(result.errors)")
        let found = try RemoteFiles.named("0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55", below: demo.root)
        #expect(found.count == 1 && found[0].contains("WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA/"))
        let list = try Program.run("ticds-store", ["list", demo.path, "--json"])
        #expect(list.output.contains("\"externalData\": true"))
    }
}
