import Base
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Stores of which a part is lost: no command that reads them ends with 0.
@Suite(.enabled(if: SQLiteShell.available)) struct LostPartsCommandTests {
    private struct Sample {
        let scratch: Scratch
        let model: String
        var folder: String { scratch.path.string }
        var store: String { "\(folder)/store.sqlite" }

        init() throws {
            scratch = try Scratch()
            model = try ImportedModel.write(scratch)
            _ = try scratch.write("start.json", Array(Self.json.utf8))
            let words = ["import", "\(folder)/start.json", "--model", model, "--to", store]
            let result = try Program.run("ticds-store", words)
            try #require(result.status == 0, "\(result.errors)")
        }

        func run(_ words: [String], _ store: String? = nil) throws -> Program.Result {
            try Program.run(
                "ticds-store", [words[0], store ?? self.store, "--model", model] + words.dropFirst())
        }

        private static let json = """
            {"schema": "ticds.export/1", "entities": {
            "Author": [{"primaryKey": 1, "attributes": {"name": "Anna"}, "relationships": {"notes": [2, 1]}}],
            "Note": [
             {"primaryKey": 1, "attributes": {"title": "Soup", "thing": true}, "relationships": {"author": 1, "tags": [1]}},
             {"primaryKey": 2, "attributes": {"title": "Bread", "thing": [false, 1]}, "relationships": {"author": 1}}],
            "Special": [{"primaryKey": 3, "attributes": {"title": "Cake", "extra": "x"}, "relationships": {}}],
            "Tag": [{"primaryKey": 1, "attributes": {"name": "hot"}, "relationships": {"notes": [1]}}]}}
            """
    }

    /// The statement, and the words that each command prints.
    @Test(arguments: [
        ("DROP TABLE Z_3TAGS; DROP TABLE IF EXISTS Z_5NOTES", "Note.tags"),
        ("ALTER TABLE ZNOTE RENAME COLUMN Z_FOK_AUTHOR TO Z_FOK_WRITER", "Author.notes"),
        ("ALTER TABLE ZNOTE RENAME COLUMN ZTITLE TO TITLE", "Note.title"),
        ("UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = 3", "ZEXTRA"),
        ("UPDATE ZNOTE SET Z_ENT = 77 WHERE Z_PK = 3", "belong to no entity"),
    ])
    func lostPartIsNamedByEachCommand(_ sql: String, _ words: String) throws {
        let sample = try Sample()
        let tables = try SQLiteShell.run(FilePath(sample.store), ".tables")
        let entity = try SQLiteShell.run(
            FilePath(sample.store), "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'")
        let sql = sql.replacing("Z_ENT = 3 ", with: "Z_ENT = \(entity) ").split(separator: "; ")
            .filter { !$0.hasPrefix("DROP") || tables.contains($0.split(separator: " ").last ?? "") }
            .joined(separator: "; ")
        try SQLiteShell.run(FilePath(sample.store), sql)
        for command in [
            ["dump"], ["dump", "--entity", "Note"], ["export", "--to", "\(sample.folder)/out.json"],
            ["export", "--to", "\(sample.folder)/out", "--format", "csv"],
        ] {
            let result = try sample.run(command)
            #expect(result.status == 5 && result.errors.contains(words), "\(command): \(result)")
        }
        let check = try sample.run(["check"])
        #expect(check.status == 1 && (check.output + check.errors).contains(words), "\(check)")
        let migrate = try sample.run(["migrate", "--to", "\(sample.folder)/new.sqlite"])
        #expect(migrate.status == 3 && migrate.errors.contains(words), "\(migrate)")
        let rest = try sample.run(["migrate", "--to", "\(sample.folder)/new.sqlite", "--skip-unreadable"])
        #expect(rest.status == 5, "\(rest)")
    }

    @Test func unknownPartsOfAnXMLStoreAreNamedByEachCommand() throws {
        let sample = try Sample()
        let xml = "\(sample.folder)/store.xml"
        #expect(try sample.run(["migrate", "--to", xml]).status == 0)
        #expect(try sample.run(["dump"], xml).status == 0)
        let text = String(decoding: try FileBytes.read(FilePath(xml), limit: .xmlStore).array, as: UTF8.self)
        for (place, part, words) in [
            ("</object>", "<strange>1</strange></object>", "an element that a store does not have"),
            ("</object>", "<attribute name=\"mine\" type=\"string\">1</attribute></object>", "mine"),
            ("<attribute ", "<attribute lang=\"en\" ", "an attribute of the element attribute"),
        ] {
            let at = try #require(text.firstRange(of: place))
            let path = try sample.scratch.write("damaged.xml", Array(text.replacingCharacters(at, part).utf8))
            for command in [
                ["dump"], ["dump", "--entity", "Author"],
                ["export", "--to", "\(sample.folder)/out.json", "--force"],
            ] {
                let result = try sample.run(command, path)
                #expect(result.status == 5 && result.errors.contains(words), "\(command): \(result)")
            }
            let check = try sample.run(["check"], path)
            #expect(check.status == 1 && check.output.contains(words), "\(check)")
            #expect(try sample.run(["migrate", "--to", "\(sample.folder)/new.sqlite"], path).status == 3)
        }
    }

    @Test func transformableValuesKeepTheirKindThroughABinaryStore() throws {
        let sample = try Sample()
        let (binary, back) = ("\(sample.folder)/store.binary", "\(sample.folder)/back.sqlite")
        #expect(try sample.run(["migrate", "--to", binary]).status == 0)
        #expect(try sample.run(["migrate", "--to", back], binary).status == 0)
        let before = try sample.run(["dump", "--json"])
        #expect(before.output.contains("\"thing\":true"), "\(before.output)")
        for path in [binary, back] {
            let after = try sample.run(["dump", "--json"], path)
            #expect(after.output.contains("\"thing\":true") && after.output.contains("[false,1]"), "\(after)")
        }
    }

    /// What is made of a private store is as private.
    @Test func copyIsNotMoreReadableThanItsSource() throws {
        let sample = try Sample()
        _ = try sample.scratch.shell(
            "umask 022; chmod 600 store.sqlite; cp start.json open.json; chmod 644 open.json")
        for (name, words) in [
            ("new.sqlite", ["migrate"]), ("new.xml", ["migrate"]), ("new.json", ["export"]),
            ("new.db", ["export"]),
            ("csv", ["export", "--format", "csv"]),
        ] {
            let result = try sample.run(words + ["--to", "\(sample.folder)/\(name)"])
            #expect(result.status == 0, "\(result)")
            let modes = try sample.scratch.shell("find \(name) -perm /077")
            #expect(modes.isEmpty, "\(name): \(modes)")
        }
        _ = try sample.scratch.shell("chmod 600 start.json")
        for (source, target) in [("start.json", "private.sqlite"), ("csv", "copied.sqlite")] {
            let words = ["import", "\(sample.folder)/\(source)", "--model", sample.model, "--to"]
            #expect(try Program.run("ticds-store", words + ["\(sample.folder)/\(target)"]).status == 0)
            #expect(try FileStatus.of(FilePath("\(sample.folder)/\(target)")).mode & 0o777 == 0o600)
        }
    }

    @Test func mappingModelIsNotReplaced() throws {
        let sample = try Sample()
        let mapping = try sample.scratch.write(
            "mapping.xml",
            Array(
                """
                <?xml version="1.0"?><!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd"><database>\
                <databaseInfo><version>134481920</version><nextObjectID>101</nextObjectID><metadata><plist version="1.0"><dict>\
                <key>NSStoreModelVersionHashes</key><dict><key>XDDevMappingModel</key><data>AA==</data></dict></dict></plist>\
                </metadata></databaseInfo></database>
                """.utf8))
        let result = try sample.run(["migrate", "--to", mapping, "--force"])
        #expect(result.status == 3 && result.errors.contains("is a mapping model"), "\(result)")
        let model = try sample.run(["migrate", "--to", sample.model, "--force"])
        #expect(model.status == 3 && model.errors.contains("is not a store"), "\(model)")
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, _ text: String) -> String {
        String(self[..<range.lowerBound]) + text + self[range.upperBound...]
    }
}
