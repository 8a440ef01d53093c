import Foundation
import SystemPackage
import TestSupport
import Testing

/// Large values of external data, which a new SQLite store has beside it.
@Suite(.waiting) struct StoreMigrateFilesTests {
    /// A store with a value of 200,000 bytes in a file.
    private struct Large {
        let external: ExternalStore
        var scratch: Scratch { external.scratch }

        init() throws {
            external = try ExternalStore()
            try external.scratch.shell(
                """
                for f in WholeStore.ticdsync/.Data_SUPPORT/_EXTERNAL_DATA/*; do
                    head -c 200000 /dev/zero | tr '\\\\0' x > \"$f\"
                done
                """)
        }

        func path(_ name: String) -> String { scratch.path.appending(name).string }

        func migrate(_ source: String, to name: String, _ more: [String] = []) throws -> Program.Result {
            try Program.run(
                "ticds-store", ["migrate", source, "--model", external.model, "--to", path(name)] + more)
        }

        /// The sizes of the files of external data of a store in the folder.
        func files(_ name: String) throws -> String {
            try scratch.shell("find . -path '*.\(name)_SUPPORT/_EXTERNAL_DATA/*' -type f -printf '%s '")
        }

        /// The start of the column, and the numbers of bytes that the reader finds.
        func value(_ name: String) throws -> String {
            try scratch.shell(
                "sqlite3 '\(name)' 'SELECT hex(substr(ZPICTURE, 1, 1)), length(ZPICTURE) FROM ZPAGE'"
            )
            .trimmingCharacters(in: .newlines)
        }
    }

    @Test func largeValueBecomesAFileInEachRoundTrip() throws {
        let large = try Large()
        #expect(try large.migrate(large.external.whole, to: "one.sqlite").status == 0)
        #expect(try large.value("one.sqlite") == "02|38")
        #expect(try large.files("one") == "200000 ")
        #expect(try large.migrate(large.path("one.sqlite"), to: "two.xml").status == 0)
        #expect(try large.migrate(large.path("two.xml"), to: "three.sqlite").status == 0)
        #expect(try large.files("three") == "200000 ")
        let compare = try Program.run(
            "ticds-store",
            [
                "compare", large.path("one.sqlite"), large.path("three.sqlite"), "--model",
                large.external.model,
            ])
        #expect(compare.status == 0, "\(compare.output)\(compare.errors)")
        let check = try Program.run(
            "ticds-store", ["check", large.path("three.sqlite"), "--model", large.external.model])
        #expect(check.status == 0, "\(check.output)")
    }

    @Test func filesOfAPrivateStoreArePrivate() throws {
        let large = try Large()
        try large.scratch.shell("chmod 600 '\(large.external.whole)'")
        #expect(try large.migrate(large.external.whole, to: "one.sqlite").status == 0)
        let shared = try large.scratch.shell("find . -path '*one.sqlite*' -perm /077 | sort")
        #expect(shared == "")
    }

    @Test func dryRunWritesNoFile() throws {
        let large = try Large()
        #expect(try large.migrate(large.external.whole, to: "one.sqlite", ["--dry-run"]).status == 0)
        #expect(try large.files("one").isEmpty)
        #expect(try large.scratch.shell("find . -name '.ticds*'").isEmpty)
    }

    @Test func replacedStoreKeepsItsFilesForOthers() throws {
        let large = try Large()
        #expect(try large.migrate(large.external.whole, to: "one.sqlite").status == 0)
        #expect(try large.migrate(large.external.whole, to: "one.sqlite", ["--force"]).status == 0)
        #expect(try large.value("one.sqlite") == "02|38")
        #expect(try large.files("one") == "200000 200000 ")
        // A store with the same name but for its ending has the same folder.
        let refused = try large.migrate(large.external.whole, to: "one.storedata")
        #expect(refused.status == 3 && refused.errors.contains("_SUPPORT"), "\(refused.errors)")
    }

    @Test func importedLargeValueBecomesAFile() throws {
        let large = try Large()
        let model = ["--model", large.external.model]
        for target in ["table", "one.json"] {
            let export = try Program.run(
                "ticds-store", ["export", large.external.whole, "--to", large.path(target)] + model)
            #expect(export.status == 0, "\(export.errors)")
        }
        let result = try Program.run(
            "ticds-store", ["import", large.path("one.json"), "--to", large.path("back.sqlite")] + model)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try large.value("back.sqlite") == "02|38")
        #expect(try large.files("back") == "200000 ")
    }

    /// A process that is killed at any call never leaves a store whose files are not there.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func killedMigrationNeverLeavesAStoreWithoutItsFiles() throws {
        let large = try Large()
        let program = FaultyProgram(name: "ticds-store", home: large.scratch.path)
        let call = large.scratch.path.appending("call")
        let words = ["migrate", large.external.whole, "--model", large.external.model, "--to"]
        #expect(try program.run(words + [large.path("probe")], fault: .count(call)) == 0)
        let calls = try FaultyProgram.number(in: call)
        #expect(calls > 3)
        for number in 1...calls {
            let name = "t\(number)"
            let status = try program.run(words + [large.path(name)], fault: .kill(number))
            if FileManager.default.fileExists(atPath: large.path(name)) {
                #expect(try large.value(name) == "02|38" && large.files(name) == "200000 ", "call \(number)")
            } else {
                #expect(status != 0)
            }
        }
    }
}
