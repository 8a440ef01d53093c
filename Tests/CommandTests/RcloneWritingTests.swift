import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Commands that change remotes in storages that rclone reaches.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), .waiting) struct RcloneWritingTests {
    enum Kind: String, CaseIterable, Sendable { case local, sftp, webdav, wsgidav }

    /// A remote on a local server, and a copy of it in a folder.
    struct Served {
        let demo: DemoRemote
        let server: StorageServer?
        let place: String
        let environment: [String: String]

        /// Prepares the remote; nil if the server is not installed.
        init?(_ kind: Kind, _ demoKind: DemoRemote.Kind = .plain) throws {
            demo = try DemoRemote(demoKind)
            let folder = demo.scratch.path
            // Servers have whole seconds.
            try demo.scratch.shell(
                "find demo -exec sh -c 'for f; do touch -h -d \"@$(stat -c %Y \"$f\")\" \"$f\"; done' sh {} +; cp -a demo copy"
            )
            var settings = ["NAS_TYPE": kind.rawValue]
            var path = demo.path
            switch kind {
            case .local: server = nil
            case .sftp:
                guard StorageServer.Kind.sftp.isInstalled else { return nil }
                let served = try StorageServer(.sftp)
                server = served
                settings["NAS_SSH"] = served.storage().firstMatch(of: #/ssh='([^']*)'/#).map { String($0.1) }
                settings["NAS_SHELL_TYPE"] = "none"
            case .webdav, .wsgidav:
                let own: StorageServer.Kind = kind == .webdav ? .webdav : .wsgidav
                guard own.isInstalled else { return nil }
                let served = try StorageServer(own, serving: folder.appending("demo"))
                server = served
                settings["NAS_TYPE"] = "webdav"
                settings["NAS_URL"] = served.storage().firstMatch(of: #/url='([^']*)'/#).map { String($0.1) }
                settings["NAS_VENDOR"] = kind == .webdav ? "rclone" : "owncloud"
                path = "com.example.cookbook"
            }
            place = "rclone:nas:" + path
            var environment = [
                "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": folder.string,
                "XDG_CACHE_HOME": folder.appending("cache").string,
                "XDG_STATE_HOME": folder.appending("state").string, "TMPDIR": folder.string,
            ]
            for (name, value) in settings { environment["RCLONE_CONFIG_" + name] = value }
            self.environment = environment
        }

        func run(_ program: String, _ words: [String]) throws -> Program.Result {
            try Program.run(program, words, environment: environment)
        }

        /// Every name, byte and time, except times of folders, and times of today.
        func image(_ folder: String = "demo") throws -> String {
            try demo.scratch.shell(
                """
                cd \(folder)/com.example.cookbook; find . -type d -printf 'd %P\\n' | sort
                find . -type f -newermt '-1 hour' -printf 'f %P now\\n' | sort
                find . -type f ! -newermt '-1 hour' -printf 'f %P %Ts\\n' | sort
                find . -type f -print0 | sort -z | xargs -0 sha256sum
                """)
        }

        /// The entries that ticds has left beside the remote.
        func beside() throws -> String { try demo.scratch.shell("ls -A demo | grep '^[.]ticds' || true") }
    }

    static let commands: [(program: String, words: [String])] = [
        ("ticds-client", ["delete", "PLACE", "Anna’s iPhone", "--document", "cookbook", "--yes"]),
        ("ticds-document", ["delete", "PLACE", "pantry", "--yes"]),
        ("ticds-vacuum", ["PLACE", "--yes", "--max-delete", "100%"]),
        (
            "ticds-integrity",
            ["reset", "PLACE", "--document", "cookbook", "--key", "1A2245E2-ACB3-6D45", "--yes"]
        ),
    ]

    /// Each command has the same effect on the remote as on a copy in a folder, and its undo restores everything.
    @Test(arguments: LongTests.areWanted ? Kind.allCases : [.sftp]) func changesAndUndoes(kind: Kind) throws {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let folder = served.demo.scratch.path.appending("copy/com.example.cookbook").string
        var number = 0
        for (program, words) in Self.commands {
            let mine = try served.run(program, words.map { $0 == "PLACE" ? folder : $0 })
            try #require(mine.status == 0, "\(program) \(words): \(mine.errors)")
            let its = try served.run(program, words.map { $0 == "PLACE" ? served.place : $0 })
            #expect(its.status == 0, "\(program) \(words): \(its.errors)")
            if its.output.contains("Nothing to do") { continue }
            number += 1
            #expect(try served.image() == served.image("copy"), "\(program) \(words)")
            #expect(try served.beside() == "")
            for place in [folder, served.place] {
                let undo = try served.run("ticds-journal", ["undo", place, "\(2 * number - 1)", "--yes"])
                #expect(undo.status == 0, "undo of \(program) \(words): \(undo.errors)")
            }
            #expect(try served.image() == before, "undo of \(program) \(words)")
            #expect(try served.beside() == "")
        }
        #expect(number >= 2)
        let list = try served.run("ticds-journal", ["list", served.place])
        #expect(list.status == 0 && list.output.contains("Undo operation 1"), "\(list.output)\(list.errors)")
    }

    /// After encryption, a change of the password and decryption, a remote has all its files and times again. Between
    /// the steps nothing is read from copies of earlier contents, although sizes and times are the same.
    @Test(arguments: LongTests.areWanted ? Kind.allCases : [.local]) func changesEncryption(kind: Kind) throws
    {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let folder = served.demo.scratch.path
        try served.demo.scratch.shell("echo first > one; echo second > two")
        let steps: [(words: [String], password: String?)] = [
            (["encrypt", "--password-file", "\(folder)/one"], "one"),
            (
                [
                    "change-password", "--password-file", "\(folder)/one", "--new-password-file",
                    "\(folder)/two",
                ],
                "two"
            ),
            (["decrypt", "--password-file", "\(folder)/two"], nil),
        ]
        let before = try served.image()
        for place in [folder.appending("copy/com.example.cookbook").string, served.place] {
            for (words, password) in steps {
                let done = try served.run("ticds-remote", [words[0], place] + words[1...] + ["--yes"])
                #expect(done.status == 0, "\(words) \(place): \(done.errors)")
                let verified = try served.run(
                    "ticds-verify", [place] + (password.map { ["--password-file", "\(folder)/\($0)"] } ?? []))
                #expect(verified.status == 0, "\(words) \(place): \(verified.output.prefix(2_000))")
            }
        }
        #expect(try served.image() == served.image("copy"))
        #expect(try served.beside() == "")
        for number in [3, 2, 1] {
            let undo = try served.run("ticds-journal", ["undo", served.place, "\(number)", "--yes"])
            #expect(undo.status == 0, "undo \(number): \(undo.errors)")
        }
        #expect(try served.image() == before)
    }

    /// The whole remote moves to the local trash, and comes back with every time.
    @Test(arguments: LongTests.areWanted ? Kind.allCases : [.local]) func removesAndTakesBack(kind: Kind)
        throws
    {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let removed = try served.run("ticds-remote", ["remove", served.place, "--yes"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try served.demo.scratch.shell("ls -A demo") == "Cookbook.xcdatamodel\n")
        let undo = try served.run("ticds-journal", ["undo", served.place, "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try served.image() == before)
        #expect(try served.beside() == "")
    }

    /// A repair, and an undo that restores the older file after a client has written it again.
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"), arguments: Kind.allCases)
    func repairs(kind: Kind) throws {
        guard let served = try Served(kind, .damaged) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let folder = served.demo.scratch.path.appending("copy/com.example.cookbook").string
        let results = try [folder, served.place].map {
            try served.run("ticds-verify", [$0, "--repair", "--yes", "--max-delete", "100%"])
        }
        #expect(results[0].status == results[1].status, "\(results[1].errors)")
        #expect(try served.image() == served.image("copy"))
        #expect(try served.image() != before)
        let undo = try served.run("ticds-journal", ["undo", served.place, "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try served.image() == before)
        #expect(try served.beside() == "")
    }

    /// One saved plan makes the same document in both places, with its key and its times.
    @Test(arguments: LongTests.areWanted ? Kind.allCases : [.local]) func appliesASavedPlan(kind: Kind) throws
    {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let scratch = served.demo.scratch.path
        let folder = scratch.appending("copy/com.example.cookbook").string
        let saved = try served.run(
            "ticds-document",
            [
                "create", folder, "Notebook", "--description", "My notes", "--client", "Anna’s iPhone",
                "--save-plan", "\(scratch)/mine",
            ])
        #expect(saved.status == 0, "\(saved.errors)")
        let plan = try String(contentsOfFile: "\(scratch)/mine", encoding: .utf8)
        #expect(plan.contains(folder))
        try plan.replacing(folder, with: served.place)
            .write(toFile: "\(scratch)/its", atomically: true, encoding: .utf8)
        for name in ["mine", "its"] {
            let applied = try served.run("ticds-journal", ["apply", "\(scratch)/\(name)", "--yes"])
            #expect(applied.status == 0, "\(name): \(applied.errors)")
        }
        let after = try served.image()
        let its = try served.image("copy")
        #expect(after != before && after == its)
        #expect(try served.beside() == "")
        let undo = try served.run("ticds-journal", ["undo", served.place, "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try served.image() == before)
        #expect(try served.beside() == "")
    }

    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"), arguments: Kind.allCases)
    func deletesAndRestores(kind: Kind) throws {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let folder = served.demo.scratch.path.appending("copy/com.example.cookbook").string
        for words in [["delete"], ["restore"]] {
            for place in [folder, served.place] {
                let result = try served.run(
                    "ticds-client", words + [place, "Anna’s iPhone", "--document", "cookbook", "--yes"])
                #expect(result.status == 0, "\(words): \(result.errors)")
            }
            #expect(try served.image() == served.image("copy"))
        }
        #expect(try served.image() == before)
        #expect(try served.beside() == "")
    }

    /// A command or its rclone is killed at some moment; afterwards recovery leaves the remote in the state before or
    /// after, and no entry beside it.
    @Test(
        .enabled(if: LongTests.areWanted, "long: make check runs it"),
        arguments: [Kind.sftp, .webdav], [false, true])
    func killed(kind: Kind, isRclone: Bool) throws {
        guard let served = try Served(kind) else { try Test.cancel("needs the server") }
        let before = try served.image()
        let words = ["delete", served.place, "Anna’s iPhone", "--document", "cookbook", "--yes"]
        let start = ContinuousClock.now
        let done = try served.run("ticds-client", words)
        let length = start.duration(to: .now) / .milliseconds(1)
        try #require(done.status == 0, "\(done.errors)")
        let after = try served.image().replacing(#/ \d+\n/#, with: "\n")
        func undo(_ number: Int) throws {
            let undo = try served.run("ticds-journal", ["undo", served.place, "\(number)", "--yes"])
            #expect(undo.status == 0, "\(undo.errors)")
            #expect(try served.image() == before)
        }
        try undo(1)
        var numbers = RandomNumbers(isRclone ? 7 : 8)
        let line = words.map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
        let target = isRclone ? "$(ps -o pid= --ppid $command)" : "$command"
        for _ in 0..<Self.rounds {
            let pause = Double.random(in: 0.2..<1, using: &numbers) * length / 1_000
            _ = try Program.shell(
                "ticds-client \(line) >/dev/null 2>&1 & command=$!; sleep \(pause); kill -9 \(target); wait",
                environment: served.environment)
            let recovery = try served.run("ticds-journal", ["recover", served.place])
            #expect(recovery.status == 0, "after \(pause) s: \(recovery.errors)")
            #expect(try served.beside() == "", "after \(pause) s")
            let image = try served.image()
            let list = try served.run("ticds-journal", ["list", served.place]).output
            let newest = try #require(list.firstMatch(of: #/\n *(\d+) /#).flatMap { Int($0.1) })
            if image != before {
                #expect(image.replacing(#/ \d+\n/#, with: "\n") == after, "after \(pause) s")
                try undo(newest)
            }
        }
    }

    static let rounds = CrashTests.isThorough ? 75 : 3

    /// A missing capability of a storage is reported before any action.
    @Test func refusals() throws {
        guard let served = try Served(.webdav) else { try Test.cancel("needs the server") }
        let before = try served.image()
        var environment = served.environment
        func errors(_ place: String) throws -> String {
            let result = try Program.run(
                "ticds-document", ["delete", place, "pantry", "--yes"], environment: environment)
            #expect(result.status != 0)
            return result.errors
        }
        #expect(try errors("rclone::local:" + served.demo.path).contains("configuration of rclone"))
        environment["RCLONE_CONFIG_NAS_VENDOR"] = "other"
        #expect(try errors(served.place).contains("keeps no modification times"))
        environment["RCLONE_CONFIG_TOP_TYPE"] = "alias"
        environment["RCLONE_CONFIG_TOP_REMOTE"] = served.demo.path
        #expect(try errors("rclone:top:").contains("no place beside the remote"))
        #expect(try served.image() == before)
        #expect(try served.beside() == "")
    }
}
