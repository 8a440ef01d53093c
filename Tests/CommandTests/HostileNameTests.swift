import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Malicious names of clients, documents and change sets.
@Suite struct HostileNameTests {
    /// Three of them begin with a point: change sets with such names are hidden files, which do not count.
    private static let names: [[UInt8]] = [
        Array("two\nlines".utf8), Array("\u{1B}[31mred\u{1B}]0;title\u{7}".utf8),
        Array("tab\tand\rreturn".utf8),
        [0x63, 0x61, 0x66, 0xE9], [0xFF, 0xFE, 0xED, 0xA0, 0x80], Array("..hidden".utf8), Array("...".utf8),
        Array("..%2F..%2Fetc".utf8), Array("\u{202E}gnp.exe".utf8), Array("\u{85}\u{9B}31m".utf8),
        Array("caf\u{E9} twin".utf8), Array("cafe\u{301} twin".utf8), Array("--json".utf8),
        Array("'\"$(id)`id`\\".utf8), Array("zero\u{200B}width".utf8),
        Array("{}".utf8), Array("x".utf8) + [UInt8](repeating: UInt8(ascii: "y"), count: 200),
    ]

    /// A remote in which everything has such a name, and which contains links that lead out of it.
    private func build() throws -> RemoteBuilder {
        let builder = try RemoteBuilder()
        try builder.skeleton()
        try builder.document("notes-0001").client("client-0001").join("client-0001", "notes-0001")
        let set = try ChangeSetWriter.bytes(of: [
            SyncChange(type: .delete, entity: "No\u{1B}te", objectSyncID: "n\n1\u{9B}", timestamp: 1)
        ])
        let document = builder.root.appending("Documents").appending("notes-0001")
        for (number, name) in Self.names.enumerated() {
            let component = FilePath(nameBytes: name)
            try TestFiles.makeFolder(builder.root.appending("ClientDevices").pushing(component))
            try TestFiles.makeFolder(builder.root.appending("Documents").pushing(component))
            let sets = document.appending("SyncChanges").pushing(component)
            try TestFiles.makeFolder(sets)
            let file = sets.pushing(FilePath(nameBytes: name + Array(".syncchg".utf8)))
            try TestFiles.write(file, set)
            try TestFiles.setTime(file, FileTime(seconds: Int64(1_360_000_000 + number)))
        }
        let outside = builder.folder.path.appending("outside")
        try TestFiles.makeFolder(outside)
        try TestFiles.write(outside.appending("secret.syncchg"), set)
        try builder.link("Documents/notes-0001/SyncChanges/linked-client", to: outside.string)
        try builder.link(
            "Documents/notes-0001/SyncChanges/client-0001/secret.syncchg",
            to: outside.appending("secret.syncchg").string)
        try builder.link("Documents/linked-document", to: "/")
        try builder.link("ClientDevices/linked-device", to: "..")
        return builder
    }

    /// Text for people contains no control characters except line breaks and tabs, and is UTF-8.
    @Test func textIsHarmless() throws {
        let builder = try build()
        let commands = ReadingCommand.all(on: builder.root.string)
        for command in commands {
            let result = try command.run()
            #expect(
                [0, 1, 2, 5].contains(result.status), "\(command.text): \(result.status) \(result.errors)")
            for text in [result.bytes, Array(result.errors.utf8)] {
                let decoded = try #require(String(validating: text, as: UTF8.self), "\(command.text)")
                let harmful = decoded.unicodeScalars.filter(Self.isHarmful)
                #expect(harmful.isEmpty, "\(command.text): \(harmful.map { $0.value })")
            }
        }
        let tree = try Program.run("ticds-inspect", ["tree", builder.root.string]).output
        for shown in [
            "two\\nlines", "\\u{1B}[31mred\\u{1B}]0;title\\u{7}", "caf\\xE9", "\\u{202E}gnp.exe",
            "tab\\tand\\rreturn", "zero\\u{200B}width",
            "\\xFF\\xFE", "\\u{85}\\u{9B}31m",
        ] { #expect(tree.contains(shown), "\(shown)") }
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x200B, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// JSON stays valid, and `path` with `pathBase64` restores the bytes of every name.
    @Test(.enabled(if: Python.available)) func jsonKeepsTheBytes() throws {
        let builder = try build()
        let commands = ReadingCommand.all(on: builder.root.string)
        let outputs = try commands.map { try $0.run(["--json"]).bytes }
        let script = """
            root, kinds = os.fsencode(sys.argv[-1]), sys.argv[-2].split()
            outputs = [document(path) if kind == 'document' else lines(path) for path, kind in zip(sys.argv[1:], kinds)]
            def raw(entry, key):
                text = entry[key]
                return base64.b64decode(entry[key + 'Base64']) if key + 'Base64' in entry else text.encode('utf-8')
            tree = next(o for o in outputs if isinstance(o, dict) and o['schema'] == 'ticds.tree/1')
            shown = [raw(entry, 'path') for entry in tree['entries']]
            walked = [os.path.relpath(os.path.join(at, name), root) for at, folders, files in os.walk(root) for name in folders + files]
            assert sorted(shown) == sorted(walked), set(shown) ^ set(walked)
            status = next(o for o in outputs if isinstance(o, dict) and o['schema'] == 'ticds.status/1')
            names = set(os.listdir(os.path.join(root, b'ClientDevices')))
            clients = {raw(entry, 'identifier') for entry in status['clients']}
            assert clients >= names - {b'linked-device'}, names - clients
            listed = [o for o in outputs if isinstance(o, dict) and o['schema'] == 'ticds.changeSets/1'][0]
            paths = [raw(entry, 'path') for entry in listed['changeSets']]
            assert len(paths) == len(set(paths)) == 14, len(paths)
            assert all(os.path.isfile(path) and not os.path.islink(path) for path in paths)
            dumped = next(o for o in outputs if isinstance(o, list) and o and o[0]['schema'] == 'ticds.change/1')
            found = [o for o in outputs if isinstance(o, list) and o and o[0]['schema'] == 'ticds.finding/1']
            assert len(found) >= 3
            for finding in (f for o in found for f in o if f['schema'] == 'ticds.finding/1'):
                path = os.path.join(root, raw(finding, 'path'))
                assert os.path.lexists(path) or finding['found'].startswith('no'), finding
                assert os.path.isdir(os.path.dirname(path)), finding
            assert len(dumped) == 14 and all(line['entity'] == 'No\\x1bte' for line in dumped), len(dumped)
            """
        let kinds = commands.map { $0.schema == nil ? "lines" : "document" }.joined(separator: " ")
        let complaint = try PythonCheck.complaint(script, on: outputs, [kinds, builder.root.string])
        #expect(complaint == "")
    }

    /// Links are shown as links, and never followed.
    @Test func linksAreNotFollowed() throws {
        let builder = try build()
        let dump = try Program.run("ticds-changes", ["dump", builder.root.string])
        #expect(!dump.output.contains("secret") && !dump.output.contains("linked"))
        let tree = try Program.run("ticds-inspect", ["tree", builder.root.string, "--json"])
        #expect(tree.output.contains("\"Documents/linked-document\""))
        #expect(!tree.output.contains("linked-document/") && !tree.output.contains("linked-client/"))
        let status = try Program.run("ticds-inspect", ["status", builder.root.string])
        #expect(status.output.contains("linked-document"))
    }

    /// Each client can be named by the name of its folder; twins are distinguished.
    @Test func clientsAreFoundByTheirNames() throws {
        let builder = try build()
        for name in ["two\nlines", "\u{1B}[31mred\u{1B}]0;title\u{7}", "caf\u{E9} twin", "cafe\u{301} twin"] {
            let result = try Program.run(
                "ticds-changes",
                ["list", builder.root.string, "--document", "notes-0001", "--client=\(name)", "--json"])
            // The document contains a link.
            #expect(result.status == 5, "\(result.errors)")
            let json = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            let sets = try #require(json?["changeSets"] as? [[String: Any]])
            #expect(sets.count == 1)
            let client = try #require(sets.first?["client"] as? String)
            #expect(Array(client.utf8) == Array(name.utf8))
        }
    }
}
