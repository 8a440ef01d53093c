import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Control characters in every field that programs print: none reaches the terminal.
@Suite(.enabled(if: Python.available)) struct HostileTextTests {
    /// Foreign colours, the title of the window, a line to overwrite, C1, and characters that change the direction of
    /// text.
    private static let hostile =
        "\u{1B}[7m\u{1B}]0;title\u{7}\rover\u{8}\nline\u{9B}5m\u{7F}\u{85}\u{202E}right\u{2066}\u{2028}"

    @Test func nothingOfARemoteReachesTheTerminal() throws {
        let builder = try RemoteBuilder().skeleton().client("client-1").document("notes-1")
        try builder.join("client-1", "notes-1").client("client-2").join("client-2", "notes-1")
        let root = builder.root
        let information: [String: Any] = [
            "kTICDSClientDeviceDescription": Self.hostile, "kTICDSClientDeviceIdentifier": Self.hostile,
            "kTICDSClientDeviceUserInfo": [Self.hostile: [Self.hostile]],
            "kTICDSDocumentDescription": Self.hostile, "kTICDSDocumentIdentifier": Self.hostile,
            "kTICDSDocumentUserInfo": [Self.hostile: Self.hostile],
            "kTICDSOriginalDeviceDescription": Self.hostile, "kTICDSOriginalDeviceIdentifier": Self.hostile,
        ]
        let bytes = Array(
            try PropertyListSerialization.data(fromPropertyList: information, format: .binary, options: 0))
        for place in [
            "ClientDevices/client-1/deviceInfo.plist", "Documents/notes-1/documentInfo.plist",
            "Documents/notes-1/DeletedClients/client-3.plist", "Information/DeletedDocuments/gone.plist",
        ] { try TestFiles.write(root.pushing(FilePath(place)), bytes) }
        let text = ArchivedValue.string(Self.hostile)
        let pairs = ArchivedValue.dictionary([.init(key: text, value: text)])
        for client in ["client-1", "client-2"] {
            let changes = [ChangeType.insert, .delete, .attribute, .toOne, .addToMany, .unknown(99)].map {
                SyncChange(
                    type: $0, entity: Self.hostile, objectSyncID: Self.hostile + client, key: Self.hostile,
                    relatedEntity: Self.hostile, changedAttributes: pairs, changedRelationships: text,
                    timestamp: 1)
            }
            let name = "0381890645.123456-\(client).syncchg"
            try TestFiles.write(
                root.pushing(FilePath("Documents/notes-1/SyncChanges/\(client)/\(name)")),
                try ChangeSetWriter.bytes(of: changes))
        }
        for command in ReadingCommand.all(on: root.string) {
            for options in [["--color", "always"], ["--json"]] {
                let result = try command.run(options)
                Self.expectHarmless(result, command.text)
            }
        }
        let shown = try Program.run("ticds-inspect", ["clients", root.string])
        #expect(shown.output.contains("\\u{1B}[7m"), "\(shown.output)")
        let client = try Program.run("ticds-client", ["show", root.string, "client-1", "--color", "always"])
        Self.expectHarmless(client, "ticds-client show")
        #expect(client.output.contains("\\u{202E}right"), "\(client.output)")
    }

    /// One text of each kind of file at a time, so that no other text prevents reading the file.
    @Test func nothingOfAFileReachesTheTerminal() throws {
        let scratch = try Scratch()
        let script = try scratch.write("variants.py", Array(Self.variants.utf8))
        _ = try scratch.write("hostile", Array(Self.hostile.utf8))
        let state = "export XDG_STATE_HOME=\"$PWD/state\" TZ=UTC"
        try scratch.shell(
            """
            \(state); ticds demo demo --change-sets 2 --quiet >/dev/null
            ticds-vacuum demo --save-plan plan.json --max-delete 100% --quiet >/dev/null
            ticds-sync clone demo replica --document pantry --model demo/Cookbook.xcdatamodel --yes --quiet >/dev/null
            ticds-client delete demo 'Børge’s iPad' --all-documents --yes --quiet >/dev/null
            ticds-archive export demo archive.tar.gz --quiet >/dev/null
            python3 '\(script)' archive.tar.gz plan.json replica/Replica.json replica/Document.sqlite state/ticds/*/journal.sqlite
            """)
        let lines = [
            "for file in archive.tar.gz.*; do ticds-archive list $file OPTIONS; ticds-archive verify $file OPTIONS; done",
            "for file in plan.json.*; do ticds-journal apply $file --dry-run OPTIONS; done",
            "for file in Replica.json.*; do cp $file replica/Replica.json; ticds-sync status replica OPTIONS; done",
            "for file in Document.sqlite.*; do for verb in dump check; do ticds-store $verb $file OPTIONS; done; done",
            "ticds-journal list OPTIONS; ticds-journal show demo 1 OPTIONS; ticds-journal undo demo 1 --dry-run OPTIONS",
            "for word in \"$(cat hostile)\" \"--$(cat hostile)\" \"./$(cat hostile)\"; do "
                + "for program in ticds ticds-inspect ticds-verify; do $program \"$word\" OPTIONS; done; "
                + "ticds-verify explain \"$word\" OPTIONS; ticds-changes list demo --document \"$word\" OPTIONS; done",
        ]
        for line in lines {
            for options in ["--color always --utc", "--json"] {
                let line = line.replacing("OPTIONS", with: options)
                let result = try Program.shell("cd '\(scratch.path)'; \(state); \(line)")
                Self.expectHarmless(result, line)
                #expect(
                    (result.output + result.errors).contains(options == "--json" ? "202e" : "\\u{202E}right"),
                    "\(line): \(result.output) \(result.errors)")
            }
        }
    }

    /// Writes FILE.1, FILE.2, ... each with one hostile text; in lists only the first member.
    private static let variants = """
        import copy, io, json, os, shutil, sqlite3, sys, tarfile
        \(ArchiveFixture.seal)
        hostile = open('hostile', encoding='utf-8', newline='').read()
        def places(value, path=()):
            if isinstance(value, str): yield path
            elif isinstance(value, dict):
                for key in value: yield from places(value[key], path + (key,))
            elif isinstance(value, list):
                for key in range(min(len(value), 1)): yield from places(value[key], path + (key,))
        def variants(document):
            for path in places(document):
                whole = copy.deepcopy(document)
                at = whole
                for key in path[:-1]: at = at[key]
                at[path[-1]] += hostile
                yield json.dumps(whole, separators=(',', ':')).encode()
        def archive(name):
            with tarfile.open(name) as source:
                members = [(m, source.extractfile(m).read() if m.isfile() else None) for m in source]
            manifest = json.loads(members[0][1])
            manifest['leftOut'] = [{'path': 'gone', 'problem': 'missing'}]
            for number, text in enumerate(map(seal, variants(manifest))):
                with tarfile.open(f'{name}.{number}', 'w:gz') as target:
                    for member, content in [(members[0][0], text)] + members[1:]:
                        if content is not None: member.size = len(content)
                        target.addfile(member, None if content is None else io.BytesIO(content))
        def texts(name):
            database = sqlite3.connect(name)
            for [table] in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for column in database.execute(f'PRAGMA table_info("{table}")').fetchall():
                    if 'CHAR' in column[2] or column[2] == 'TEXT': yield database, table, column[1]
        def store(name):
            for number, (_, table, column) in enumerate(texts(name)):
                copied = f'{os.path.basename(name)}.{number}'
                shutil.copy(name, copied)
                database = sqlite3.connect(copied)
                database.execute(f'UPDATE "{table}" SET "{column}" = "{column}" || ?', [hostile])
                database.commit()
        archive(sys.argv[1])
        for name in sys.argv[2:4]:
            for number, text in enumerate(variants(json.load(open(name)))):
                open(f'{os.path.basename(name)}.{number}', 'wb').write(text)
        store(sys.argv[4])
        database = sqlite3.connect(sys.argv[5])
        for column in ['command', 'summary', 'host', 'user', 'problem']:
            database.execute(f"UPDATE operations SET {column} = coalesce({column}, '') || ?", [hostile])
        database.commit()
        """

    private static func expectHarmless(
        _ result: Program.Result, _ line: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for text in [result.bytes, Array(result.errors.utf8)] {
            guard let text = String(validating: text, as: UTF8.self) else {
                Issue.record("\(line): not UTF-8", sourceLocation: sourceLocation)
                continue
            }
            let harmful = text.replacing(/\u{1B}\[(0|1|2|31|32|33)m/, with: "").unicodeScalars.filter {
                scalar in
                switch scalar.value {
                case 0x09, 0x0A: false
                case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
                default: false
                }
            }
            #expect(
                harmful.isEmpty, "\(line): \(harmful.map(\.value)) in \(text)", sourceLocation: sourceLocation
            )
        }
    }
}
