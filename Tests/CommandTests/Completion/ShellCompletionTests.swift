import Foundation
import SystemPackage
import TestSupport
import Testing

/// The results of lines and the TAB key in shells with the installed completions.
@Suite(.enabled(if: Python.available)) struct ShellCompletionTests {
    /// Names of documents that are difficult for a shell, and the texts that identify them.
    private static let hostile = [
        (start: "Ann", name: "Ann's notes"),
        (start: "Quo", name: "Quoted \"words\" here"),
        (start: "Run", name: "Run $(touch ran) `touch ran` ; touch ran & echo $HOME"),
        (start: "Back", name: "Back\\slash \\n \\$HOME"),
        (start: "Käse", name: "Käse und Brötchen 🧀"),
        (start: "Glob", name: "Glob *?[a-z]{a,b} ~ #x"),
        (start: "Colon", name: "Colon: a=b, c|d (e) <f>"),
        (start: "End", name: "Ends with \"quotes\""), (start: "Apo", name: "Apostrophe at the end'"),
    ]

    private static func remote(in scratch: Scratch) throws -> RemoteBuilder {
        let builder = try RemoteBuilder(application: "my app", in: scratch.path).skeleton()
        for (number, name) in hostile.map(\.name).enumerated() {
            let text = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            try builder.document("document-\(number)", description: text)
        }
        try builder.document("exclaimed", description: "Wow !! x!y")
        try builder.document("spaced out", description: "one\nand two")
        try builder.document("broken\nline", description: "never shown")
        try builder.document("dollar$HOME", description: "\u{202E}red")
        try builder.document("ünïcode", description: "Same")
        try builder.client("D28481A5-11D5", description: "Børge’s iPad")
        try builder.client("E0000000-11D5", description: "Anna's Mac")
        return try builder.write(
            "Information/DeletedDocuments/gone-away.plist",
            "<plist><dict><key>kTICDSDocumentDescription</key><string>Lost notes</string></dict></plist>")
    }

    @Test(arguments: ShellSession.Shell.tried)
    func completesNamesThatAreHardToQuote(shell: ShellSession.Shell) throws {
        let session = ShellSession(shell: shell, scratch: try Scratch())
        let remote = try Self.remote(in: session.scratch)
        let root = remote.root.string.replacing(" ", with: "\\ ")
        let command = "ticds-inspect documents \(root) --document "
        var expected = Self.hostile.map { (keys: command + $0.start + "\t", word: $0.name) }
        for quote in ["'", "\""] {
            expected += Self.hostile.map { (keys: command + quote + $0.start + "\t", word: $0.name) }
        }
        // Only unquoted: between quotes, the lookup of the history depends on the shell's settings.
        expected.append((keys: command + "Wow\t", word: "Wow !! x!y"))
        expected += [
            ("\(command)spa\t", "spaced out"), ("\(command)dol\t", "dollar$HOME"),
            ("\(command)ün\t", "ünïcode"),
            ("\(command)bro\t", "bro"), ("\(command)document-3\t", "document-3"),
            ("\(command)'spaced o\t", "spaced out"), ("\(command)\"Käse u\t", Self.hostile[4].name),
            ("ticds-client show \(root) Bø\t", "Børge’s iPad"),
            ("ticds-client show \(root) D2\t", "D28481A5-11D5"),
            ("ticds inspect documents \(root) --document spa\t", "spaced out"),
            ("ticds-document restore \(root) gon\t", "gone-away"),
            ("ticds-document restore \(root) Lost\t", "Lost notes"),
            ("ticds-changes log my\\ a\t", "my app/"),
        ]
        try session.scratch.shell("mkdir 'my app'")
        try session.expect(expected)
        let ran = session.scratch.path.appending("ran").string
        #expect(!FileManager.default.fileExists(atPath: ran))
    }

    @Test(arguments: ShellSession.Shell.tried)
    func completesCommandsOptionsValuesAndFiles(shell: ShellSession.Shell) throws {
        let session = ShellSession(shell: shell, scratch: try Scratch())
        try session.scratch.shell(
            "mkdir 'my folder' other; cd 'my folder'; touch 'old one.tar.zst' old.txt new.sqlite new.txt")
        // zsh puts the sign behind options that take a value.
        let sign = shell == .zsh ? "=" : ""
        try session.expect([
            ("ticds ins\t", "inspect"), ("ticds inspect stat\t", "status"), ("ticds insp stat\t", "status"),
            ("ticds inspect status --docu\t", "--document" + sign), ("ticds dem\t", "demo"),
            ("ticds demo --change\t", "--change-sets" + sign), ("ticds help reci\t", "recipes"),
            ("ticds-verify rem\t", "remote"), ("ticds-verify expl\t", "explain"),
            ("ticds-verify . --recheck\t", "--recheck-after" + sign),
            ("ticds-verify --recheck\t", "--recheck-after" + sign),
            ("ticds-verify remote . --level he\t", "headers"), ("ticds verify . --level he\t", "headers"),
            ("ticds-verify . --level=he\t", "--level=headers"),
            ("ticds-inspect status my\\ f\t", "my folder/"),
            ("ticds-verify my\\ f\t", "my folder/"),
            ("ticds-inspect status ~/oth\t", "\(session.scratch.path)/other/"),
            ("ticds-client show oth\t", "other/"), ("ticds-client show oth --dry\t", "--dry"),
            ("ticds-archive list my\\ folder/old\t", "my folder/old one.tar.zst"),
            ("ticds-inspect status --password-command basena\t", "basename"),
            ("ticds-inspect status --password-file my\\ folder/old.t\t", "my folder/old.txt"),
            (
                "ticds-inspect status --password-file=my\\ folder/old.t\t",
                "--password-file=my folder/old.txt"
            ),
            ("ticds-inspect status --log-file=oth\t", "--log-file=other/"),
            ("ticds fleet query worst --database my\\ folder/n\t", "my folder/new.sqlite"),
            ("ticds fleet query worst --database=my\\ folder/n\t", "--database=my folder/new.sqlite"),
            ("ticds-archive list 'my folder/old o\t", "my folder/old one.tar.zst"),
            ("ticds --json inspect status --quie\t", "--quiet"), ("ticds-inspect --js\t", "--json"),
            ("FOO=1 ticds inspect sto\t", "stores"),
            ("\(Program.path("ticds-inspect")) sto\t", "stores"),
        ])
    }

    @Test(arguments: ShellSession.Shell.tried)
    func completesIdentifiersOfARemoteThatIsNotNamed(shell: ShellSession.Shell) throws {
        let demo = try DemoRemote()
        var session = ShellSession(shell: shell, scratch: demo.scratch)
        session.environment["TICDS_REMOTE"] = demo.path
        try demo.scratch.shell(
            "export XDG_STATE_HOME=$PWD/state; '\(Program.path("ticds-document"))' create \(demo.path) new-document --description New --client D28 --yes >/dev/null"
        )
        let set = try #require(demo.changeSets.first)
        let name = FilePath(set).stem ?? ""
        try session.expect([
            ("ticds-inspect status --document cook\t", "cookbook"),
            ("ticds-inspect status --document=cook\t", "--document=cookbook"),
            ("ticds-inspect status --document=Family\\ c\t", "--document=Family cookbook"),
            ("ticds-inspect status --document='Family c\t", "--document=Family cookbook"),
            ("ticds-inspect status --document=\"Family c\t", "--document=Family cookbook"),
            ("ticds-verify --as-client D28\t", Self.iPhone),
            ("ticds-changes diff --remote \(demo.path) --document cookbook \(name.prefix(14))\t", name),
            ("ticds-journal undo \(demo.path) \t", "1"), ("ticds journal show \t", "1"),
            ("ticds-vacuum --ignore-client D28\t", Self.iPhone),
        ])
    }

    private static let iPhone = "D28481A5-11D5-3543-AA94-9F509E66E075-51329-0000821972852CE7"

    @Test(arguments: ShellSession.Shell.tried)
    func listsNamesForPeople(shell: ShellSession.Shell) throws {
        let demo = try DemoRemote()
        let session = ShellSession(shell: shell, scratch: demo.scratch)
        let answer = try session.type(
            ["ticds-inspect status \(demo.path) --document \t\t\t"], shown: "Pantry")[0]
        for text in ["cookbook", "pantry", "Family cookbook", "Pantry"] {
            #expect(answer.screen.contains(text), "\(answer.screen)")
        }
    }

    /// An encrypted remote gives its identifiers without a question; a missing one gives nothing.
    @Test(arguments: ShellSession.Shell.tried)
    func isSilentAboutWhatCannotBeRead(shell: ShellSession.Shell) throws {
        let demo = try DemoRemote(.encrypted)
        var session = ShellSession(shell: shell, scratch: demo.scratch)
        session.environment["TICDS_PASSWORD_COMMAND"] =
            "touch '\(demo.scratch.path)/ran'; echo \(DemoRemote.password)"
        let answers = try session.type([
            "ticds-inspect status \(demo.path) --document coo\t",
            "ticds-inspect status /nowhere --document coo\t",
            "ticds-inspect status --document coo\t", "ticds-journal undo /nowhere \t",
            "ticds-nothing --document coo\t",
        ])
        #expect(answers[0].words.last == "cookbook")
        #expect(answers[1...2].allSatisfy { $0.words.last == "coo" })
        #expect(!FileManager.default.fileExists(atPath: demo.scratch.path.appending("ran").string))
        for answer in answers {
            for word in ["rror", "assword", "sage", "not found", "No such"] {
                #expect(!answer.screen.contains(word), "\(answer.screen)")
            }
        }
    }

    /// If a file contains the password, names are also completed.
    @Test func readsThePasswordFromAFile() throws {
        let demo = try DemoRemote(.encrypted)
        var session = ShellSession(shell: .bash, scratch: demo.scratch)
        try session.expect([
            ("ticds-inspect status \(demo.path) --document Fam\t", "Fam"),
            (
                "ticds-inspect status \(demo.path) --password-file password --document Fam\t",
                "Family cookbook"
            ),
        ])
        session.environment["TICDS_PASSWORD_FILE"] = demo.passwordOptions[1]
        try session.expect([("ticds-inspect status \(demo.path) --document Fam\t", "Family cookbook")])
    }
}
