import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite(.waiting) struct StoreExtractTests {
    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: StoreSample.all)
    func everySample(_ sample: StoreSample) throws {
        let scratch = try Scratch()
        let target = scratch.path.appending("copy")
        let result = try Program.run("ticds-store", ["extract", sample.path, target.string])
        #expect(result.status == 0, "\(result.errors)")
        let source = try Program.run("ticds-store", ["dump", sample.path, "--json"])
        let copy = try Program.run("ticds-store", ["dump", target.string, "--json"])
        #expect(source.output == copy.output && !copy.bytes.isEmpty)
        #expect(try FileStatus.of(target).modified == (try FileStatus.of(FilePath(sample.path)).modified))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path.string) == ["copy"])
        if sample.isSQLite {
            #expect(try scratch.shell("sqlite3 copy 'PRAGMA quick_check'") == "ok\n")
        } else {
            #expect(try FileBytes.read(target).array == (try FileBytes.read(FilePath(sample.path)).array))
        }
    }

    /// Content that was encrypted is readable only for its owner, with any mode mask; other content keeps its
    /// permissions.
    @Test(arguments: ["000", "022", "077"]) func decryptedCopiesArePrivate(_ mask: String) throws {
        for kind in [DemoRemote.Kind.plain, .encrypted] {
            let demo = try DemoRemote(kind)
            let store = try #require(try demo.wholeStores.first)
            try demo.scratch.shell("chmod 644 '\(store)'")
            let password = demo.passwordOptions.map { "'\($0)'" }.joined(separator: " ")
            let model = "--model demo/Cookbook.xcdatamodel"
            try demo.scratch.shell(
                """
                umask \(mask); PATH='\(Program.folder.path)':$PATH
                ticds-store extract '\(store)' one.sqlite \(password)
                ticds-store export '\(store)' --to tables \(model) \(password)
                ticds-store replay '\(demo.path)' --document cookbook --to two.sqlite \(model) \(password)
                chmod 600 '\(store)'; ticds-store extract '\(store)' three.sqlite \(password)
                """)
            for file in ["one.sqlite", "two.sqlite", "three.sqlite"] {
                let mode = try FileStatus.of(demo.scratch.path.appending(file)).mode
                let isPrivate = kind == .encrypted || mask == "077" || file == "three.sqlite"
                #expect((mode & 0o077 == 0) == isPrivate, "\(file): \(String(mode, radix: 8)) under \(mask)")
                #expect(mode & 0o700 == 0o600)
            }
            let tables = try FileStatus.of(demo.scratch.path.appending("tables")).mode
            #expect(kind == .plain || tables & 0o077 == 0)
        }
    }

    /// All rows are in the log.
    @Test(.enabled(if: Samples.available, "needs the samples")) func theLogIsTakenIn() throws {
        let scratch = try Scratch()
        let source = Samples.path("sqlite-stores/surfjournal/SurfJournalModel.sqlite")
        let result = try Program.run(
            "ticds-store", ["extract", source.string, scratch.path.appending("x.sqlite").string, "--json"])
        #expect(result.output.contains("\"hadPendingWrites\": true"))
        #expect(try scratch.shell("sqlite3 x.sqlite 'SELECT count(*) FROM ZJOURNALENTRY'") == "5000\n")
        #expect(try scratch.shell("ls -A") == "x.sqlite\n")
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func zips() throws {
        let scratch = try Scratch()
        let original = try FileBytes.read(Samples.path("sqlite-stores/recipes/Recipes.sqlite")).array
        for name in ["recipes.WholeStore.ticdsync.zip", "utf8-name.zip"] {
            let target = scratch.path.appending(name + ".sqlite")
            let result = try Program.run(
                "ticds-store", ["extract", Samples.path("zip/" + name).string, target.string])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try FileBytes.read(target).array == original)
        }
    }

    /// A copy from a zip has the permissions of the zip.
    @Test func zippedStoresKeepTheirReaders() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        try demo.scratch.shell("cp '\(store)' store && zip -q store.zip store && chmod 644 store.zip")
        for (mask, mode) in [("002", 0o644), ("027", 0o640), ("077", 0o600)] {
            try demo.scratch.shell(
                "umask \(mask); '\(Program.folder.path)'/ticds-store extract store.zip copy.\(mask)")
            let copy = try FileStatus.of(demo.scratch.path.appending("copy.\(mask)"))
            #expect(
                copy.mode & 0o777 & ~0o022 == UInt32(mode) & ~0o022,
                "\(String(copy.mode, radix: 8)) under \(mask)")
        }
        try demo.scratch.shell(
            "chmod 600 store.zip; umask 002; '\(Program.folder.path)'/ticds-store extract store.zip private")
        #expect(try FileStatus.of(demo.scratch.path.appending("private")).mode & 0o077 == 0)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func hostileZips() throws {
        let folder = Samples.path("zip/hostile").string
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count > 10)
        for name in names.map({ "hostile/" + $0 }) + ["empty-entry.zip"] {
            let scratch = try Scratch()
            try scratch.shell("mkdir -p tmp a/b")
            let target = scratch.path.appending("a").appending("b").appending("store")
            for command in [
                ["extract", target.string], ["export", "--to", target.string], ["check"], ["dump"],
            ] {
                let result = try Program.run(
                    "ticds-store", [command[0], Samples.path("zip/" + name).string] + command.dropFirst(),
                    environment: ["TMPDIR": scratch.path.appending("tmp").string])
                #expect(result.status == 2, "\(name): \(result.errors)")
                #expect(
                    result.errors.hasPrefix("ticds-store: ") && result.errors.contains("/zip/"), "\(name)")
            }
            #expect(try scratch.shell("find . | sort") == ".\n./a\n./a/b\n./tmp\n", "\(name)")
        }
    }

    @Test func encryptedStores() throws {
        let demo = try DemoRemote(.encrypted)
        let store = try #require(try demo.wholeStores.first)
        let target = demo.scratch.path.appending("out.sqlite")
        #expect(try Program.run("ticds-store", ["extract", store, target.string]).status == 4)
        let wrong = try demo.scratch.write("wrong", Array("wrong".utf8))
        let refused = try Program.run(
            "ticds-store", ["extract", store, target.string, "--password-file", wrong])
        #expect(refused.status == 4)
        #expect(!FileManager.default.fileExists(atPath: target.string))
        let result = try Program.run("ticds-store", ["extract", store, target.string] + demo.passwordOptions)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try FileStatus.of(target).modified == (try FileStatus.of(FilePath(store)).modified))
        #expect(try demo.scratch.shell("sqlite3 out.sqlite 'PRAGMA quick_check'") == "ok\n")
    }

    @Test func nothingIsReplacedWithoutForce() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        let target = try demo.scratch.write("out", Array("mine".utf8))
        let refused = try Program.run("ticds-store", ["extract", store, target])
        #expect(refused.status == 3 && refused.errors.contains("--force"))
        #expect(try FileBytes.read(FilePath(target)).array == Array("mine".utf8))
        #expect(try Program.run("ticds-store", ["extract", store, target, "--force"]).status == 0)
        #expect(try FileBytes.read(FilePath(target)).array == (try FileBytes.read(FilePath(store)).array))
        // The log of a different store with that name would be applied to the new one.
        _ = try demo.scratch.write("new-wal", [1, 2, 3])
        let beside = demo.scratch.path.appending("new").string
        #expect(try Program.run("ticds-store", ["extract", store, beside]).status == 3)
        #expect(!FileManager.default.fileExists(atPath: beside))
        #expect(try Program.run("ticds-store", ["extract", store, beside, "--force"]).status == 3)
        let inside = demo.root.appending("copy").string
        let image = try TreeImage(of: demo.root)
        try demo.scratch.shell("ln -s '\(demo.path)' link")
        let link = demo.scratch.path.appending("link").appending("copy").string
        #expect(try Program.run("ticds-store", ["extract", store, link]).status == 3)
        let foreign = try Program.run("ticds-store", ["extract", store, inside])
        #expect(foreign.status == 3 && foreign.errors.contains("remote"))
        #expect(try TreeImage(of: demo.root).differences(from: image) == [])
    }

    /// A store that another program has open stays unchanged, with its external data.
    @Test(.enabled(if: Python.available)) func aStoreInUseIsNotReplaced() throws {
        let store = try ExternalStore()
        let target = store.scratch.path.appending("out.sqlite").string
        #expect(try Program.run("ticds-store", ["extract", store.whole, target]).status == 0)
        let support = store.scratch.path.appending(".out_SUPPORT").appending("_EXTERNAL_DATA")
        let mine = support.appending("mine").string
        try TestFiles.write(FilePath(mine), [1])
        let before = try FileBytes.read(FilePath(target)).array
        let program = Program.path("ticds-store")
        let script = """
            import sqlite3, subprocess, sys
            db = sqlite3.connect(sys.argv[1]); db.execute('BEGIN EXCLUSIVE')
            sys.exit(subprocess.run([sys.argv[2], 'extract', sys.argv[3], sys.argv[1], '--force']).returncode != 3)
            """
        #expect(Python.run(script, [target, program, store.whole]) != nil)
        #expect(try FileBytes.read(FilePath(target)).array == before)
        #expect(FileManager.default.fileExists(atPath: mine))
        #expect(try Program.run("ticds-store", ["extract", store.whole, target, "--force"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: mine))
    }

    /// A store in a folder with its external data: everything is there afterwards.
    @Test func externalData() throws {
        let store = try ExternalStore()
        let dump = try Program.run("ticds-store", ["dump", store.whole, "--json", "--model", store.model])
        #expect(dump.status == 0 && dump.output.contains("bGFyZ2U="), "\(dump.errors)")
        let target = store.scratch.path.appending("out.sqlite")
        let result = try Program.run("ticds-store", ["extract", store.whole, target.string])
        #expect(result.output.contains("1 file of external data"), "\(result.errors)")
        let copy = try Program.run("ticds-store", ["dump", target.string, "--json", "--model", store.model])
        #expect(copy.output == dump.output)
        let check = ["check", target.string, "--model", store.model]
        #expect(try Program.run("ticds-store", check).status == 0)
        try store.scratch.shell("rm -r .out_SUPPORT/_EXTERNAL_DATA/*")
        let found = try Program.run("ticds-store", check + ["--json"])
        #expect(found.status == 1 && found.output.contains("\"missingExternalData\""), "\(found.output)")
    }

    /// An unreadable file of external data affects only its values, and is named, also beside a zip.
    @Test(arguments: [false, true]) func externalDataThatCannotBeRead(isZipped: Bool) throws {
        let store = try ExternalStore()
        let file = "\(store.whole)/.Data_SUPPORT/_EXTERNAL_DATA/0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"
        try store.scratch.shell("rm '\(file)'; ln -s elsewhere '\(file)'")
        if isZipped {
            try store.scratch.shell("cd '\(store.whole)'; python3 -m zipfile -c z Data; mv z Data")
        }
        let target = store.scratch.path.appending("out.sqlite")
        let extract = try Program.run("ticds-store", ["extract", store.whole, target.string])
        #expect(extract.status == 5 && extract.errors.contains("\(file): "), "\(extract.errors)")
        #expect(extract.output.contains("1 object") && !extract.output.contains("of external data"))
        #expect(try FileStatus.of(target).size > 0)
        for verb in ["dump", "check"] {
            let words = [verb, store.whole, "--model", store.model]
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 5 && result.errors.contains("\(file): "), "\(words) \(result.errors)")
            #expect(!result.output.contains("missingExternalData"), "\(result.output)")
        }
        let dump = try Program.run("ticds-store", ["dump", store.whole, "--model", store.model])
        #expect(dump.errors.contains("1 file or folder of external data cannot be read"), "\(dump.errors)")
        let demo = try DemoRemote()
        let before = try TreeImage(of: demo.root)
        let install = try Program.run(
            "ticds-store",
            [
                "install", demo.path, store.whole, "--document", "cookbook", "--client", "Børge’s iPad",
                "--contains", "all", "--form", "folder", "--yes",
            ])
        #expect(install.status == 2 && install.errors.contains("\(file): "), "\(install.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }
}

/// A whole store that is a folder, with one large value in a separate file.
struct ExternalStore {
    let scratch: Scratch
    let whole: String
    let model: String

    init() throws {
        scratch = try Scratch()
        let source = """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Page">\
            <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>\
            </entity></model>
            """
        model = try scratch.write("contents", Array(source.utf8))
        let path = scratch.path.appending("made.sqlite")
        let uuid = "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"
        try ExternalStoreMaker.make(path, model: FilePath(model))
        let value = "CAST(x'02' || '\(uuid)' || x'00' AS BLOB)"
        try scratch.shell("sqlite3 made.sqlite \"UPDATE ZPAGE SET ZPICTURE = \(value)\"")
        let folder = "WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA"
        try scratch.shell(
            "mkdir -p \(folder); mv made.sqlite WholeStore.ticdsync/Data; printf large > \(folder)/\(uuid)")
        whole = scratch.path.appending("WholeStore.ticdsync").string
    }
}
