import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Messages about mistakes of users, or obstacles: the problem and the advice. They are the same on terminals of 80 and
/// 200 columns.
@Suite struct MessageTests {
    static let usage: [(words: [String], message: String, help: String)] = [
        (
            ["ticds-journal", "apply"], "ticds-journal apply: the argument <file> is missing",
            "Usage: ticds-journal apply "
        ),
        (
            ["ticds-client", "show"], "ticds-client show: the argument <remote> <client> ... is missing",
            "Usage: ticds-client show "
        ),
        (
            ["ticds-client", "delete", "x"],
            "ticds-client delete: REMOTE or CLIENT is missing: 'x' alone is taken for CLIENT.",
            "Usage: ticds-client delete "
        ),
        (
            ["ticds-journal", "undo"],
            "ticds-journal undo: Name a REMOTE and the NUMBER of an operation, or --last.",
            "See 'ticds-journal undo --help'"
        ),
        (
            ["ticds", "changes", "search", "x"], "ticds-changes search: REMOTE or TEXT is missing",
            "Usage: ticds-changes search "
        ),
        (["ticds-store", "replay", "x"], "ticds-store replay: the option --to <file> is missing", "Usage: "),
        (
            ["ticds-archive", "export", "--bogus"], "ticds-archive export: Unknown option '--bogus'",
            "Usage: ticds-archive export "
        ),
        (
            ["ticds-store", "replay", "--mdoel", "x"],
            "ticds-store replay: Unknown option '--mdoel'. Did you mean '--model'?",
            "Usage: ticds-store replay "
        ),
        (["ticds-verify", "-Z"], "ticds-verify: Unknown option '-Z'", "Usage: ticds-verify "),
        (
            ["ticds-changes", "list", "--limit", "-1"],
            "ticds-changes list: --limit takes no negative number, such as -1", "Usage: ticds-changes list "
        ),
        (
            ["ticds-archive", "find", "a.tar", "--limit", "-12"],
            "ticds-archive find: --limit takes no negative number, such as -12", "Usage: ticds-archive find "
        ),
    ]

    @Test(arguments: usage.indices) func wrongUsage(_ index: Int) throws {
        let (words, message, help) = Self.usage[index]
        let result = try Program.run(words[0], Array(words.dropFirst()))
        #expect(result.status == 64 && result.errors.hasPrefix(message), "\(words): \(result.errors)")
        #expect(result.errors.contains(help), "\(words): \(result.errors)")
        for columns in [80, 200] {
            var run = TerminalScreen.Run(words[0], Array(words.dropFirst()), ["NO_COLOR": "1"])
            run.columns = columns
            let screen = try TerminalScreen.of(run).text
            let text = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.hasPrefix(message), "\(screen)")
            #expect(screen.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(screen)")
        }
        let json = try Program.run(words[0], Array(words.dropFirst()) + ["--json"])
        #expect(json.errors.hasPrefix("{") && json.errors.contains(#""kind":"usage""#), "\(json.errors)")
    }

    /// A command at the end of a message can be copied as it stands.
    @Test(arguments: [
        ("Look", "Look."), ("Is it there?", "Is it there?"),
        ("See: ticds-journal list", "See: ticds-journal list"),
        ("Run it again: mkdir x", "Run it again: mkdir x"), ("Run ticds-verify", "Run ticds-verify."),
        ("It says: ticds-verify x. Then wait", "It says: ticds-verify x. Then wait."),
        ("It is 1: the last", "It is 1: the last."), ("ticds-verify is needed", "ticds-verify is needed."),
        ("", "."),
    ])
    func commandGetsNoFullStop(text: String, sentence: String) {
        #expect(FileProblem.sentence(text) == sentence)
    }

    /// A remote without the argument behind it is not taken for the argument.
    @Test func remoteAloneLacksItsArgument() throws {
        let demo = try DemoRemote(changeSets: 6)
        for (words, name, others) in [
            (["journal", "undo"], "NUMBER", ", or: ticds-journal undo \(demo.path) --last"),
            (["journal", "show"], "NUMBER", ", or: ticds-journal show \(demo.path) --last"),
            (["client", "delete"], "CLIENT", ""),
        ] {
            let result = try Program.run("ticds", words + [demo.path])
            let message = "\(name) is missing: '\(demo.path)' is a remote. Name both\(others).\n"
            #expect(result.status == 64 && result.errors.contains(message), "\(words): \(result.errors)")
        }
    }

    /// What is to be said of several stores is printed once.
    @Test func messageIsPrintedOnce() throws {
        let demo = try DemoRemote(changeSets: 6)
        let result = try Program.run("ticds-store", ["check", demo.path])
        let lines = result.errors.split(separator: "\n")
        #expect(!lines.isEmpty && Set(lines).count == lines.count, "\(result.errors)")
    }

    /// Commands on journals accept an address of rclone; only an address that was taken for a local file gets the
    /// advice to copy it first.
    @Test func missingJournalOfAnAddressIsNoMissingFile() throws {
        let environment = ["XDG_STATE_HOME": "/nowhere"]
        let words = ["undo", "rclone:nosuch:r", "1"]
        let undo = try Program.run("ticds-journal", words, environment: environment)
        #expect(undo.status == 2 && undo.errors.contains("there is no journal"), "\(undo.errors)")
        #expect(undo.errors.contains("ticds-journal list names all remotes"), "\(undo.errors)")
        let local = try Program.run("ticds-model", ["show", "rclone:nosuch:r"])
        #expect(local.errors.contains("Copy it to this machine first"), "\(local.errors)")
    }

    /// The disk behind standard output is full.
    @Test(arguments: ["inspect tree R", "changes dump R --json", "archive export R -"])
    func errorNamesStandardOutput(line: String) throws {
        let demo = try DemoRemote(changeSets: 6)
        let result = try Program.shell("ticds \(line.replacing("R", with: demo.path)) > /dev/full")
        #expect(result.status == 2 && result.errors.contains("standard output"), "\(result.errors)")
    }

    /// The volume is mounted read-only.
    @Test(.enabled(if: MountingShell.isPossible, "needs the right to mount")) func readOnly() throws {
        let demo = try DemoRemote(changeSets: 6)
        let script = """
            mkdir ro; mount -t tmpfs tmpfs ro; cp -a '\(demo.path)' ro/demo; mount -o remount,ro ro
            export XDG_STATE_HOME=$PWD/state; mkdir state
            exec 2>&1
            set +e
            root=$(dirname $(find ro -name ClientDevices))
            ticds-document delete $root pantry --dry-run; echo "[$?]"
            ticds-document delete $root pantry --yes; echo "[$?]"
            ticds-archive export '\(demo.path)' ro/x.tar.zst; echo "[$?]"
            ticds-inspect report '\(demo.path)' --html ro/x.html; echo "[$?]"
            ticds-document delete '\(demo.path)' pantry --save-plan ro/plan.json --quiet; echo "[$?]"
            ticds demo ro/new; echo "[$?]"
            """
        let result = try MountingShell.run(script)
        let texts = result.output.components(separatedBy: "]\n")
        try #require(texts.count == 7, "\(result.output)")
        let refusal = "this folder cannot be written, so nothing was changed"
        #expect(
            texts[0].contains("warning: without --dry-run this plan is refused: ")
                && texts[0].contains(refusal), "\(texts[0])")
        #expect(texts[0].contains("Read-only file system") && texts[0].hasSuffix("Nothing was changed.\n[0"))
        #expect(
            texts[1].contains(refusal)
                && texts[1].hasSuffix("Mount the volume for writing, then try again.\n[3"))
        #expect(!texts[1].contains("other machines"), "\(texts[1])")
        #expect(texts[2].contains("ro: nothing can be written to this folder (found Read-only file system)"))
        for text in texts[3...4] {
            #expect(!text.contains(".ticds-draft") && text.contains("Choose another place"), "\(text)")
        }
        #expect(texts[5].contains("ro: nothing can be written to this folder"), "\(texts[5])")
        for text in texts.dropFirst(2).prefix(4) {
            #expect(text.hasSuffix("[2") && !text.contains("TMPDIR"), "\(text)")
        }
    }

    /// A plan that was already carried out is reported as such, until it is undone.
    @Test func appliedPlan() throws {
        let demo = try DemoRemote(changeSets: 6)
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let plan = demo.scratch.path.appending("plan.json").string
        func run(_ words: [String]) throws -> Program.Result {
            try Program.run(words[0], Array(words.dropFirst()), environment: environment)
        }
        #expect(try run(["ticds-document", "delete", demo.path, "pantry", "--save-plan", plan]).status == 0)
        #expect(try run(["ticds-journal", "apply", plan, "--yes", "--max-delete", "100%"]).status == 0)
        for words in [["--yes"], ["--dry-run"], ["--yes", "--max-delete", "100%"]] {
            let again = try run(["ticds-journal", "apply", plan] + words)
            #expect(again.status == 3 && again.output.isEmpty, "\(again.output)")
            #expect(
                again.errors.contains("plan.json: this plan was carried out already, as operation 1")
                    && again.errors.contains("To undo it: ticds-journal undo "), "\(again.errors)")
        }
        #expect(try run(["ticds-journal", "undo", demo.path, "1", "--yes"]).status == 0)
        #expect(try run(["ticds-journal", "apply", plan, "--yes", "--max-delete", "100%"]).status == 0)
    }

    /// An operation's removed entries have the encryption of their time.
    @Test func undoAfterEncryptionIsRefused() throws {
        let demo = try DemoRemote(changeSets: 40)
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let password = try demo.scratch.password("open sesame")
        func run(_ words: [String]) throws -> Program.Result {
            try Program.run(words[0], Array(words.dropFirst()), environment: environment)
        }
        #expect(
            try run(["ticds-client", "delete", demo.path, "D8ED76C2", "--document", "cookbook", "--yes"])
                .status == 0)
        #expect(
            try run(["ticds-remote", "encrypt", demo.path, "--password-file", password, "--yes"]).status == 0)
        for options in [["--dry-run"], ["--yes"], ["--yes", "--quiet"]] {
            let undone = try run(["ticds-journal", "undo", demo.path, "1"] + options)
            #expect(
                undone.status == 3 && undone.errors.contains("Undo operation 2 first"), "\(undone.errors)")
        }
        #expect(try run(["ticds-journal", "undo", demo.path, "2", "--yes"]).status == 0)
        #expect(try run(["ticds-journal", "undo", demo.path, "1", "--yes"]).status == 0)
    }

    /// The same plan, made again after its operation was reversed differently, is a new one.
    @Test func planMadeAgainIsApplied() throws {
        let demo = try DemoRemote(changeSets: 6)
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let plan = demo.scratch.path.appending("plan.json").string
        func run(_ words: [String]) throws -> Int32 {
            try Program.run(words[0], Array(words.dropFirst()), environment: environment).status
        }
        #expect(try run(["ticds-document", "delete", demo.path, "pantry", "--yes"]) == 0)
        #expect(try run(["ticds-document", "restore", demo.path, "pantry", "--yes"]) == 0)
        #expect(try run(["ticds-document", "delete", demo.path, "pantry", "--save-plan", plan]) == 0)
        #expect(try run(["ticds-journal", "apply", plan, "--yes", "--max-delete", "100%"]) == 0)
    }

    /// A helper program was interrupted.
    @Test func interruptedHelper() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 2)
        for (command, found) in [("kill -9 $$", "signal 9"), ("exit 1", "exit status 1")] {
            let result = try Program.run(
                "ticds-remote", ["check-password", demo.path, "--password-command", command])
            #expect(result.status != 0 && result.errors.contains("(found \(found))"), "\(result.errors)")
            #expect(
                !result.errors.contains("wait status") && !result.errors.contains("256"), "\(result.errors)")
        }
    }

    @Test(.enabled(if: MountingShell.isPossible, "needs root")) func unreadableReplica() throws {
        let demo = try DemoRemote(changeSets: 2)
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let replica = demo.scratch.path.appending("replica").string
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let clone = ["clone", demo.path, replica, "--document", "pantry", "--model", model, "--yes"]
        try #require(try Program.run("ticds-sync", clone, environment: environment).status == 0)
        let result = try Program.shell(
            "chmod 755 '\(demo.scratch.path)'; chmod 700 '\(replica)'; "
                + "setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nowhere ticds-sync status '\(replica)'"
        )
        #expect(
            result.status == 2 && result.errors.contains("Replica.json: no permission")
                && result.errors.contains("Check the owner and the mode"), "\(result.errors)")
    }
}
