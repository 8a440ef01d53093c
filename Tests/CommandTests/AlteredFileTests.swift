import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Bytes that were changed where no reader looks: another program that reads strictly must not know more than `verify`.
@Suite struct AlteredFileTests {
    /// Prints the names of the files whose archives Python's plistlib refuses.
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
        // What is left are other values, as good as those that were written.
        #expect(found.count > files.count * 3 / 4, "\(found.count) of \(files.count)")
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

    /// As many fields as members: Foundation numbers those of ordered sets, and applications have classes of their own.
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
