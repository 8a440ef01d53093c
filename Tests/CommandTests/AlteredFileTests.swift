import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Bytes that were changed where no reader looks: a strict reader of another program must not find more than `verify`.
@Suite struct AlteredFileTests {
    /// Prints the names of the files whose keyed archives Python's plistlib refuses.
    private static let refusing = """
        import plistlib, struct, sys, os
        folder = sys.argv[1]
        for name in sorted(os.listdir(folder)):
            data = open(os.path.join(folder, name), "rb").read()
            try:
                start, size, begin, length = struct.unpack(">QQQQ", data[16:48])
                plistlib.loads(data[start:start + size]); plistlib.loads(data[begin:begin + length])
            except Exception:
                print(name)
        """

    @Test func everyByteOfAChangeSet() throws {
        let changes = [
            SyncChange(
                type: .insert, entity: "Note", objectSyncID: "note",
                changedAttributes: .dictionary([
                    "title": .string("Title"), "when": .date(1), "data": .data([1, 2]), "none": .null,
                ]),
                timestamp: 1),
            SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "note", key: "title",
                changedAttributes: .string("Übung"), timestamp: 2),
        ]
        let sound = try ChangeSetWriter.bytes(of: changes)
        let scratch = try Scratch()
        let folder = scratch.path.appending("flipped")
        try TestFiles.makeFolder(folder)
        var files: [String] = []
        for place in sound.indices {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = sound
                bytes[place] ^= mask
                files.append("\(place)-\(mask).syncchg")
                try TestFiles.write(folder.appending(files[files.count - 1]), bytes)
            }
        }
        let python = try Program.launch(
            "/usr/bin/env", ["python3", "-c", Self.refusing, folder.string], environment: [:], seconds: 180)
        try #require(python.status == 0, "\(python.errors)")
        let refused = Set(python.output.split(separator: "\n").map(String.init))
        try #require(refused.count > files.count / 4)

        let paths = files.map { folder.appending($0).string }
        let result = try Program.run("ticds-verify", ["file", "--json"] + paths, seconds: 180)
        #expect(result.status == 1)
        var found: Set<String> = []
        for line in result.output.split(separator: "\n") {
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let path = object["path"] as? String, object["code"] != nil
            else { continue }
            found.insert(URL(filePath: path).lastPathComponent)
        }
        #expect(refused.subtracting(found).sorted() == [])
        // The rest are different values, as valid as the written ones.
        #expect(found.count > files.count * 3 / 4, "\(found.count) of \(files.count)")
    }

    /// What is left of objects or changes after a bit was changed, without an error or a word, is all of them.
    @Test func nothingIsMissingWithoutAWord() throws {
        let changes = (0..<4).map { number in
            SyncChange(
                type: .insert, entity: "Note", objectSyncID: "note\(number)",
                changedAttributes: .dictionary(["title": .string("Title \(number)"), "stars": .integer(3)]),
                timestamp: Double(number))
        }
        let sound = try ChangeSetWriter.bytes(of: changes)
        let path: FilePath = "set.syncchg"
        var told = 0
        var silent: [String] = []
        for place in sound.indices {
            for bit in 0..<8 {
                var bytes = sound
                bytes[place] ^= 1 << bit
                guard let set = try? ChangeSetReader(SharedBytes(bytes), path: path) else { continue }
                // `verify` reports unknown classes.
                let forms = BinaryStoreArchive.canonicalForms(of: SharedBytes(bytes))
                if forms.contains(where: { !$0.unknownClasses.isEmpty }) { continue }
                var problems: [FileProblem] = []
                var values = 0
                var count = 0
                try set.forEachChange(
                    orShortfall: { problems.append($0) },
                    { change in
                        count += 1
                        // A list or an object in place of the values is reported, or is a different value that is
                        // complete.
                        values += change.changedAttributes.pairs?.count ?? 2
                    })
                told += problems.isEmpty ? 0 : 1
                if problems.isEmpty, (count, values) != (4, 8) {
                    silent.append("bit \(bit) of \(place): \(count), \(values)")
                }
                let store = BinaryStore(try BinaryStoreArchive(SharedBytes(bytes), path: path), model: nil)
                var damage = store.shortfalls
                var objects = 0
                try store.forEachObject(entity: nil, onDamage: { damage.append($0) }, { _ in objects += 1 })
                if damage.isEmpty, objects != 4 { silent.append("bit \(bit) of \(place): \(objects)") }
            }
        }
        // One bit makes the dictionary around the whole archive the value of an attribute: another value, not a missing one.
        #expect(silent.count <= 1, "\(silent)")
        #expect(told > 100)
    }

    /// The commands report it, and do not end with 0.
    @Test func commandsTellOfAnAlteredSet() throws {
        let demo = try DemoRemote(changeSets: 40)
        let set = try #require(try demo.changeSets.last)
        let sound = try FileBytes.read(FilePath(set)).array
        let time = try FileStatus.of(FilePath(set)).modified
        // The name of the field with the members of every collection.
        let name = try #require(sound.firstRange(of: Array("NS.objects".utf8)))
        var bytes = sound
        bytes[name.lowerBound + 4] ^= 1
        try TestFiles.write(FilePath(set), bytes)
        try TestFiles.setTime(FilePath(set), time)
        for words in [
            ["dump", set], ["dump", set, "--json"], ["dump", demo.path], ["dump", demo.path, "--json"],
            ["stats", demo.path], ["list", demo.path, "--counts"], ["search", demo.path, "soup"],
        ] {
            let result = try Program.run("ticds-changes", words)
            #expect(
                [2, 5].contains(result.status), "\(words): \(result.status) \(result.output.prefix(200))")
            #expect(!result.errors.isEmpty, "\(words)")
        }
        let verify = try Program.run("ticds-verify", ["file", set])
        #expect(verify.status == 1 && !verify.output.contains("TICDS-0607"), "\(verify.output)")
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func everyArchiveOfCoreDataIsInItsForm()
        throws
    {
        let stores = StoreSample.all.filter { !$0.isSQLite }
        try #require(stores.count >= 7)
        for store in stores {
            let bytes = SharedBytes([UInt8](try Data(contentsOf: URL(filePath: store.path))))
            let forms = BinaryStoreArchive.canonicalForms(of: bytes)
            #expect(forms.count == 2)
            for form in forms {
                #expect(form.problem == nil, "\(store)")
                #expect(form.unknownClasses == [], "\(store)")
            }
        }
    }

    /// As many fields as members: Foundation numbers the fields of ordered sets, and apps have classes of their own.
    @Test func objectsOfManyFieldsAreNotAltered() throws {
        let fields = (0..<100).map { ArchivedField("NS.object.\($0)", .integer(Int128($0))) }
        let bytes = try KeyedArchiveWriter.bytes(
            root: .array([
                .object(ArchivedObject(className: "NSOrderedSet", fields: fields)),
                .object(ArchivedObject(className: "Drawing", fields: fields)), .orderedSet([.string("a")]),
            ]))
        let form = CanonicalForm(ofArchive: SharedBytes(bytes))
        #expect(form.problem == nil)
        #expect(form.unknownClasses == ["Drawing"])
    }
}
