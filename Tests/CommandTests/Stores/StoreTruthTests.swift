import CoreDataStore
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing

/// Faults of a file that made a result shorter than the truth.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"))) struct StoreTruthTests
{
    private static let uuids = [
        "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55", "1B5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55",
    ]

    private static let source = """
        <?xml version="1.0"?><model>
        <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="made" optional="YES" attributeType="Date"/>
        <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="notes"/></entity>
        <entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" inverseName="folder"/></entity>
        </model>
        """

    private struct Notes {
        let scratch: Scratch
        let path: String
        let model: String

        init(source: String = StoreTruthTests.source) throws {
            scratch = try Scratch()
            model = try scratch.write("contents", Array(source.utf8))
            let store = scratch.path.appending("notes.sqlite")
            var writer = try SQLiteStoreWriter(creating: store, model: try ModelFile.load(FilePath(model)))
            for key in 1...3 as ClosedRange<Int64> {
                try writer.insert(
                    StoredObject(
                        entity: "Note", primaryKey: key,
                        attributes: [StoredAttribute(name: "title", value: .string("n\(key)"))],
                        relationships: [StoredRelationship(name: "folder", target: .toOne(1))]))
            }
            try writer.insert(
                StoredObject(entity: "Folder", primaryKey: 1, attributes: [], relationships: []))
            try writer.finish()
            path = store.string
        }

        func sql(_ statements: String) throws {
            try scratch.shell("sqlite3 notes.sqlite \"\(statements)\"")
        }

        func run(_ command: String, _ words: [String] = []) throws -> Program.Result {
            try Program.run("ticds-store", [command, path, "--model", model] + words)
        }
    }

    /// A value of a different kind is shown in its stored form, and its object stays.
    @Test func valuesOfAnotherKind() throws {
        let notes = try Notes()
        try notes.sql(
            "UPDATE ZNOTE SET ZMADE = 'soon' WHERE Z_PK = 1; UPDATE ZNOTE SET ZFOLDER = 'x' WHERE Z_PK = 2; "
                + "UPDATE ZNOTE SET ZTITLE = CAST(x'ff00' AS TEXT) WHERE Z_PK = 3")
        let dump = try notes.run("dump", ["--entity", "Note", "--json"])
        #expect(dump.status == 5 && dump.output.split(separator: "\n").count == 3, "\(dump.errors)")
        #expect(dump.output.contains("\"made\":\"soon\""), "\(dump.output)")
        #expect(dump.errors.contains("ZMADE of row 1") && dump.errors.contains("ZFOLDER of row 2"))
        #expect(dump.errors.contains("ZTITLE of row 3"), "\(dump.errors)")
        let export = try notes.run(
            "export", ["--to", "-", "--entity", "Note", "--columns", "title", "--format", "csv"])
        #expect(export.status == 5 && export.output.split(whereSeparator: \.isNewline).count == 4)
        #expect(try notes.run("check").status == 1)
    }

    /// An object on the way of a key path is also reported.
    @Test func damagedObjectsBehindRelationships() throws {
        let notes = try Notes()
        try notes.sql("UPDATE ZFOLDER SET ZNAME = x'00'")
        let dump = try notes.run(
            "dump", ["--entity", "Note", "--columns", "title,folder.name", "--json"])
        #expect(dump.status == 5 && dump.errors.contains("ZNAME of row 1"), "\(dump.errors)")
    }

    @Test func emptyStoreIsAnError() throws {
        let notes = try Notes()
        let target = try notes.scratch.write("good.json", Array("{}".utf8))
        try notes.scratch.shell(": > notes.sqlite")
        for words in [["export", "--to", target, "--force"], ["check"], ["dump"], ["info"]] {
            let result = try notes.run(words[0], Array(words.dropFirst()))
            #expect(result.status == 2 && result.errors.contains("is empty"), "\(words) \(result.errors)")
        }
        #expect(try notes.scratch.shell("cat good.json") == "{}")
    }

    @Test func externalData() throws {
        let notes = try Notes()
        for (key, uuid) in Self.uuids.enumerated() {
            try notes.sql(
                "UPDATE ZNOTE SET ZPHOTO = CAST(x'02' || '\(uuid)' || x'00' AS BLOB) WHERE Z_PK = \(key + 1)")
        }
        try notes.scratch.shell(
            "mkdir -p .notes_SUPPORT/_EXTERNAL_DATA; cd .notes_SUPPORT/_EXTERNAL_DATA; : > \(Self.uuids[0]); "
                + "echo photo > \(Self.uuids[1]); echo lost > 2C5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55")
        let dump = try notes.run("dump", ["--json"])
        #expect(dump.status == 5 && dump.errors.contains("1 value is missing"), "\(dump.errors)")
        let check = try notes.run("check")
        #expect(check.status == 1 && check.output.contains("emptyExternalData Note.photo"), "\(check.output)")
        #expect(check.output.contains("note: strayExternalData"), "\(check.output)")
        #expect(check.output.contains("the first is 2C5C1F0E"), "\(check.output)")
        try notes.scratch.shell("mv .notes_SUPPORT .notes_support")
        let other = try notes.run("check")
        #expect(other.output.contains("the folder .notes_support differs only"), "\(other.output)")
        try notes.scratch.shell(
            "mv .notes_support .notes_SUPPORT; cd .notes_SUPPORT/_EXTERNAL_DATA; "
                + "rm \(Self.uuids[0]); ln -s elsewhere \(Self.uuids[0])")
        let unread = try notes.run("dump", ["--json"])
        #expect(unread.status == 5 && unread.output.split(separator: "\n").count == 4, "\(unread.errors)")
    }

    @Test func columnsOutsideOfTheModel() throws {
        let notes = try Notes()
        try notes.sql("ALTER TABLE ZNOTE ADD ZSTARS INTEGER; ALTER TABLE ZNOTE ADD ZEMPTY INTEGER")
        #expect(try notes.run("dump").status == 0)
        try notes.sql("UPDATE ZNOTE SET ZSTARS = 5 WHERE Z_PK < 3")
        for words in [["dump"], ["dump", "--entity", "Note"], ["export", "--to", "-", "--format", "jsonl"]] {
            let result = try notes.run(words[0], Array(words.dropFirst()))
            #expect(result.status == 5 && result.errors.contains("ZSTARS: 2 values"), "\(result.errors)")
            #expect(!result.errors.contains("ZEMPTY"), "\(result.errors)")
        }
        #expect(try notes.run("dump", ["--entity", "Folder"]).status == 0)
        #expect(try notes.run("check").output.contains("ZSTARS: 2 values"))
        #expect(try notes.run("info").output.contains("ZSTARS: 2 values"))
    }

    /// Two models that an app merges match together, but neither of them alone.
    @Test func mergedModels() throws {
        let one =
            "<?xml version=\"1.0\"?><model><entity name=\"A\"><attribute name=\"x\" attributeType=\"String\" optional=\"YES\"/></entity></model>"
        let other = one.replacingOccurrences(of: "\"A\"", with: "\"B\"")
        let both = one.replacingOccurrences(
            of: "</model>",
            with:
                "<entity name=\"B\"><attribute name=\"x\" attributeType=\"String\" optional=\"YES\"/></entity></model>"
        )
        let scratch = try Scratch()
        let model = try scratch.write("both", Array(both.utf8))
        try scratch.shell("mkdir parts")
        _ = try scratch.write("parts/a", Array(one.utf8))
        _ = try scratch.write("parts/b", Array(other.utf8))
        let store = scratch.path.appending("s.sqlite")
        var writer = try SQLiteStoreWriter(creating: store, model: try ModelFile.load(FilePath(model)))
        for entity in ["A", "B"] {
            try writer.insert(
                StoredObject(
                    entity: entity, primaryKey: 1,
                    attributes: [StoredAttribute(name: "x", value: .string("v"))], relationships: []))
        }
        try writer.finish()
        let parts = scratch.path.appending("parts").string
        let dump = try Program.run("ticds-store", ["dump", store.string, "--model", parts, "--json"])
        #expect(dump.status == 0 && dump.output.split(separator: "\n").count == 2, "\(dump.errors)")
        let found = try Program.run("ticds-model", ["find", store.string, parts])
        #expect(found.status == 0 && found.output.contains("together these fit"), "\(found.output)")
        let alone = try Program.run("ticds-store", ["dump", store.string, "--model", parts + "/a"])
        #expect(alone.status == 3, "\(alone.errors)")
    }

    /// A model with a hash that cannot be computed matches only if the tables have its columns.
    @Test func unknownHashes() throws {
        let notes = try Notes()
        let derived =
            "<attribute name=\"length\" derived=\"YES\" optional=\"YES\" attributeType=\"Integer 64\"/>"
        let place = "<attribute name=\"made\""
        let right = Self.source.replacingOccurrences(of: place, with: derived + place)
        let wrong = right.replacingOccurrences(of: "\"title\"", with: "\"heading\"")
        try notes.sql("ALTER TABLE ZNOTE ADD ZLENGTH INTEGER")
        let models = (
            try notes.scratch.write("right", Array(right.utf8)),
            try notes.scratch.write("wrong", Array(wrong.utf8))
        )
        let fits = try Program.run("ticds-store", ["dump", notes.path, "--model", models.0])
        #expect(
            fits.status == 0 && fits.errors.contains("not known whether the model fits"), "\(fits.errors)")
        let refused = try Program.run("ticds-store", ["dump", notes.path, "--model", models.1])
        #expect(refused.status == 3 && refused.errors.contains("Note.heading"), "\(refused.errors)")
        let found = try Program.run("ticds-model", ["find", notes.path, models.1])
        #expect(found.status == 1 && found.output.contains("unknown"), "\(found.output)")
        let same = try Program.run("ticds-model", ["diff", models.0, models.0, "--json"])
        #expect(same.output.contains("\"compatibility\": \"unknown\""), "\(same.output)")
    }

    @Test func missingVersionHashes() throws {
        let notes = try Notes()
        let script = """
            import plistlib, sqlite3, sys
            c = sqlite3.connect('notes.sqlite')
            p = plistlib.loads(c.execute('select Z_PLIST from Z_METADATA').fetchone()[0])
            del p['NSStoreModelVersionHashes']['Folder']
            c.execute('update Z_METADATA set Z_PLIST = ?', (plistlib.dumps(p, fmt=plistlib.FMT_BINARY),)); c.commit()
            """
        _ = try notes.scratch.write("change.py", Array(script.utf8))
        try notes.scratch.shell("python3 change.py")
        let check = try notes.run("check", ["--accept-mismatch"])
        #expect(
            check.status == 1 && check.output.contains("1 of 2 hashes; none for Folder"), "\(check.output)")
    }

    /// Without a model, keys do not show the targets of a relationship, and differ between replicas.
    @Test func relationshipsWithoutTargetAreNotCompared() throws {
        let source = Self.source.replacingOccurrences(of: "\"title\"", with: "\"ticdsSyncID\"")
            .replacingOccurrences(of: "\"name\" optional", with: "\"ticdsSyncID\" optional")
        let scratch = try Scratch()
        let model = try ModelFile.load(FilePath(try scratch.write("contents", Array(source.utf8))))
        for (name, key) in [("a.sqlite", 1), ("b.sqlite", 7)] as [(String, Int64)] {
            var writer = try SQLiteStoreWriter(
                creating: scratch.path.appending(FilePath.Component(name) ?? "x"), model: model)
            try writer.insert(
                StoredObject(
                    entity: "Folder", primaryKey: key,
                    attributes: [StoredAttribute(name: "ticdsSyncID", value: .string("F"))], relationships: []
                ))
            try writer.insert(
                StoredObject(
                    entity: "Note", primaryKey: 1,
                    attributes: [StoredAttribute(name: "ticdsSyncID", value: .string("N"))],
                    relationships: [StoredRelationship(name: "folder", target: .toOne(key))]))
            try writer.finish()
        }
        let stores = ["a.sqlite", "b.sqlite"].map { scratch.path.string + "/" + $0 }
        let blind = try Program.run("ticds-store", ["compare"] + stores)
        #expect(blind.status == 5 && blind.errors.contains("Note.FOLDER"), "\(blind.errors)\(blind.output)")
        #expect(blind.output.contains("0 different"), "\(blind.output)")
        let named = try Program.run(
            "ticds-store", ["compare"] + stores + ["--model", scratch.path.string + "/contents"])
        #expect(named.status == 0, "\(named.output)")
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func damagedMetadata() throws {
        let store = Samples.path("field/metadata-one-byte.sqlite").string
        let model = Samples.path("field/models/City.xcdatamodel").string
        for words in [[], ["--model", model]] {
            let dump = try Program.run("ticds-store", ["dump", store, "--json"] + words)
            #expect(dump.status == 5 && dump.errors.contains("Z_METADATA"), "\(dump.errors)")
            #expect(dump.output.contains("Town"), "\(dump.output)")
        }
    }

    /// Every command that reads or copies the store names the part of a damaged log that SQLite leaves out.
    @Test(.enabled(if: Samples.available, "needs the samples")) func damagedLog() throws {
        let scratch = try Scratch()
        let store = Samples.path("field/wal-one-bit/store.sqlite").string
        let copy = scratch.path.appending("copy.sqlite").string
        let commands = [
            ["dump", store], ["info", store], ["check", store],
            ["export", store, "--to", scratch.path.appending("csv").string],
            ["extract", store, copy],
        ]
        for words in commands {
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 5 && result.errors.contains("TICDS-0723"), "\(words): \(result)")
            #expect(!result.output.contains("nothing found\n"), "\(words): \(result.output)")
        }
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func placeholderCounts() throws {
        let model = try ModelFile.load(Samples.path("field/models/Placeholder.xcdatamodel"))
        #expect(model.entities.allSatisfy { $0.unreadProperties.isEmpty })
        #expect(model.entities.contains { !$0.relationships.isEmpty })
    }
}
