import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Damaged files through the commands: never a crash or a hang, always an error that names the file.
@Suite struct DamagedFileTests {
    private static let changes = (0..<5).map { number in
        SyncChange(
            type: .insert, entity: "Note", objectSyncID: "note \(number)",
            changedAttributes: .dictionary(["title": .string("Title \(number)"), "when": .date(1)]),
            timestamp: Double(number))
    }

    @Test func truncatedChangeSets() throws {
        let scratch = try Scratch()
        let bytes = try ChangeSetWriter.bytes(of: Self.changes)
        for step in 0..<60 {
            let count = 1 + (bytes.count - 2) * step / 59
            let file = try scratch.write("cut.syncchg", Array(bytes[..<count]))
            let result = try Program.run("ticds-changes", ["dump", file], seconds: 180)
            #expect(result.status == 2, "\(count) bytes")
            #expect(result.bytes.isEmpty)
            #expect(result.errors.hasPrefix("ticds-changes: \(file): offset "), "\(count): \(result.errors)")
        }
    }

    /// Some bytes only change a text; all others are refused with the offset.
    @Test func flippedChangeSets() throws {
        let scratch = try Scratch()
        let bytes = try ChangeSetWriter.bytes(of: Self.changes)
        var refused = 0
        for step in 0..<40 {
            var damaged = bytes
            damaged[(bytes.count - 1) * step / 39] ^= 0xFF
            let file = try scratch.write("flipped.syncchg", damaged)
            let result = try Program.run("ticds-changes", ["dump", file, "--json"], seconds: 180)
            expectReadOrRefused(result, file, "byte \((bytes.count - 1) * step / 39)")
            if result.status != 0 { refused += 1 }
        }
        #expect(refused >= 10)
    }

    enum StoreForm: String, CaseIterable { case binary, sqlite }

    @Test(arguments: StoreForm.allCases) func damagedStores(form: StoreForm) throws {
        let scratch = try Scratch()
        let bytes = try Self.store(form, in: scratch)
        var refused = 0
        for step in 0..<24 {
            var damaged = bytes
            let place = (bytes.count - 1) * step / 23
            if step % 2 == 0 { damaged[place] ^= 0xFF } else { damaged.removeSubrange(place...) }
            let file = try scratch.write("damaged.store", damaged)
            let result = try Program.run("ticds-store", ["dump", file], seconds: 180)
            expectReadOrRefused(result, file, "step \(step)")
            if result.status != 0 { refused += 1 }
        }
        #expect(refused >= 8)
    }

    private static func store(_ form: StoreForm, in scratch: Scratch) throws -> [UInt8] {
        if form == .binary { return try ChangeSetWriter.bytes(of: changes) }
        let file = scratch.path.appending("sound.sqlite")
        try Self.writeSQLite(to: file)
        return try FileBytes.read(file).array
    }

    /// The changes as an SQLite change set.
    static func writeSQLite(to file: FilePath) throws {
        var writer = try SQLiteStoreWriter(creating: file, model: FrameworkModels.syncChange)
        for (number, change) in changes.enumerated() {
            let values: [(String, ArchivedValue)] = [
                ("changeType", .integer(Int128(change.type.number))),
                ("localTimeStamp", .date(change.timestamp ?? 0)),
                ("objectEntityName", .string(change.entity)),
                ("objectSyncID", .string(change.objectSyncID ?? "")),
                ("changedAttributes", change.changedAttributes),
            ]
            try writer.insert(
                StoredObject(
                    entity: "TICDSSyncChange", primaryKey: Int64(number + 1),
                    attributes: values.map { StoredAttribute(name: $0.0, value: $0.1) }, relationships: []))
        }
        try writer.finish()
    }

    /// The change set of the tests, in its binary form.
    static func binary() throws -> [UInt8] { try ChangeSetWriter.bytes(of: changes) }

    @Test(
        arguments: [
            ("magic", Array("CoreDatb".utf8) + [UInt8](repeating: 0, count: 200)),
            ("text", Array("hello".utf8)),
            ("zeros", [UInt8](repeating: 0, count: 4_096)), ("sqlite", Array("SQLite format 3\0".utf8)),
            ("xml", Array("<?xml version=\"1.0\"?><database/>".utf8)), ("list", Array("bplist00".utf8)),
        ])
    func otherFiles(name: String, bytes: [UInt8]) throws {
        let scratch = try Scratch()
        let file = try scratch.write("\(name).syncchg", bytes)
        for program in ["ticds-changes", "ticds-store"] {
            let result = try Program.run(program, ["dump", file], seconds: 180)
            // A store without a description of itself may still have objects.
            let isStore = program == "ticds-store" && name == "xml"
            #expect(result.status == (isStore ? 5 : 2), "\(program)")
            #expect(result.bytes.isEmpty)
            #expect(result.errors.contains("\(program): \(file): "), "\(result.errors)")
        }
    }

    /// Every set has content; an empty file was not delivered.
    @Test func anEmptyFileIsNoEmptySet() throws {
        let scratch = try Scratch()
        let file = try scratch.write("empty.syncchg", [])
        let result = try Program.run("ticds-changes", ["dump", file])
        #expect(result.status == 2 && result.bytes.isEmpty)
        #expect(result.errors.contains("its content is not on this machine"), "\(result.errors)")
    }

    /// A damaged file among intact ones does not hide these.
    @Test func theOthersAreStillShown() throws {
        let scratch = try Scratch()
        let bytes = try ChangeSetWriter.bytes(of: Self.changes)
        let sound = try scratch.write("sound.syncchg", bytes)
        let cut = try scratch.write("cut.syncchg", Array(bytes.dropLast(100)))
        let folder = scratch.path.appending("folder.syncchg")
        try TestFiles.makeFolder(folder)
        let fifo = scratch.path.appending("fifo.syncchg")
        try TestFiles.makeFifo(fifo)
        let alone = try Program.run("ticds-changes", ["dump", sound, "--json"])
        let wrong = [cut, folder.string, fifo.string, "/nowhere/x.syncchg"]
        let result = try Program.run("ticds-changes", ["dump"] + wrong + [sound, "--json"], seconds: 180)
        #expect(result.status == 5)
        #expect(result.bytes == alone.bytes)
        for file in wrong {
            #expect(result.errors.contains("\"path\":\"\(file)\""), "\(result.errors)")
        }
        let stats = try Program.run("ticds-changes", ["stats", cut, sound])
        #expect(stats.status == 5)
        #expect(stats.output.hasPrefix("5+ changes\n"))
    }

    @Test func whatIsNoFile() throws {
        let scratch = try Scratch()
        let fifo = scratch.path.appending("fifo")
        try TestFiles.makeFifo(fifo)
        for path in [fifo.string, scratch.path.string, "/dev/zero", "/dev/null/x"] {
            for words in [
                ["ticds-changes", "dump"], ["ticds-changes", "stats"], ["ticds-store", "dump"],
                ["ticds-inspect", "status"],
            ] {
                let result = try Program.run(words[0], [words[1], path], seconds: 180)
                #expect(result.status == 2, "\(words) \(path): \(result.status)")
                #expect(result.bytes.isEmpty)
                #expect(result.errors.hasPrefix("\(words[0]): \(path): "), "\(result.errors)")
            }
        }
    }

    /// One bit of an XML store makes an error of each element behind it; the first ones say enough.
    @Test(.enabled(if: Samples.available, "needs the samples")) func errorsOfOneFileAreCounted() throws {
        let scratch = try Scratch()
        var bytes = try FileBytes.read(Samples.path("xml-stores/template.mslice")).array
        bytes[2535] ^= 8
        let file = try scratch.write("store.mslice", bytes)
        let short = try Program.run("ticds-store", ["dump", file])
        let long = try Program.run("ticds-store", ["dump", file, "--verbose"])
        #expect(short.status == 5 && long.status == 5)
        let errors = { (result: Program.Result) in
            result.errors.split(separator: "\n").filter { $0.contains(": offset ") }.count
        }
        #expect(errors(short) == 10 && errors(long) > 20, "\(short.errors)")
        let rest = "\(file): \(errors(long) - 10) more errors; --verbose prints all\n"
        #expect(short.errors.hasSuffix(rest), "\(short.errors)")
    }

    /// What a person names is followed, also where it is a link.
    @Test func linksOnTheCommandLine() throws {
        let scratch = try Scratch()
        let sound = try scratch.write("sound.syncchg", try ChangeSetWriter.bytes(of: Self.changes))
        let link = scratch.path.appending("link.syncchg")
        try TestFiles.link(link, to: "sound.syncchg")
        let direct = try Program.run("ticds-changes", ["stats", sound])
        #expect(try Program.run("ticds-changes", ["stats", link.string]).bytes == direct.bytes)
        #expect(try Program.run("ticds-changes", ["diff", link.string, sound]).status == 0)
        let both = try Program.run("ticds-changes", ["stats", link.string, sound])
        #expect(both.output.hasPrefix("10 changes\n"), "\(both.errors)")
    }

    private func expectReadOrRefused(_ result: Program.Result, _ file: String, _ place: String) {
        #expect([0, 2, 5].contains(result.status), "\(place): \(result.status) \(result.errors)")
        if result.status == 0 { return }
        let isNamed = ["\(file): ", "\"path\":\"\(file)\""].contains(where: result.errors.contains)
        #expect(isNamed, "\(place): \(result.errors)")
    }
}
