import Foundation
import SystemPackage
import TestSupport
import Testing

/// The commands of the README run in their order, from the shell of a reader after `make demo`.
@Suite struct ReadmeTests {
    /// The commands that do not run here: `make test` builds the programs, InstallTests installs them, and `make
    /// check-deb` the package.
    private static let left = [
        "make demo", "sudo make install", "make deb", "sudo apt install ./.build-deb/*.deb",
    ]
    /// Commands with findings.
    private static let findings = ["ticds verify damaged"]

    private struct Step {
        var command: String
        /// The output on the page, without lines that it shortens.
        var output: [String] = []
    }

    private static func page() throws -> [String] {
        try String(contentsOf: ManualPage.package.appending(path: "README.md"), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    private static func section(_ title: String) throws -> [String] {
        let lines = try page()
        let start = try #require(lines.firstIndex(of: "## \(title)"))
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
    }

    /// The commands of the sections Install and Try it.
    private static func steps() throws -> [Step] {
        var steps = try section("Install").filter { $0.hasPrefix("    ") }.map {
            Step(command: String($0.dropFirst(4)))
        }
        for line in try section("Try it") where line.hasPrefix("    ") {
            if line.hasPrefix("    $ ") {
                steps.append(Step(command: String(line.dropFirst(6))))
            } else if line.trimmingCharacters(in: .whitespaces) != "...", !line.hasSuffix("…") {
                steps[steps.count - 1].output.append(line)
            }
        }
        return steps.filter { !left.contains($0.command) }
    }

    /// A folder with the results of `make demo`.
    private static func checkout() throws -> ReaderShell {
        let scratch = try Scratch()
        try scratch.shell(
            "mkdir -p .build/ticds; ln -s '\(Program.folder.path)' .build/ticds/bin; ticds demo .build-demo")
        return ReaderShell(scratch: scratch)
    }

    @Test(.enabled(if: Python.available)) func screensAreReal() throws {
        let shell = try Self.checkout()
        let steps = try Self.steps()
        #expect(steps.count > 4)
        var lines = ["cd '\(shell.scratch.path)'"]
        for step in steps { lines += [step.command, "echo \"== $?\""] }
        let variables = shell.environment.merging(["PATH": "/usr/bin:/bin", "PAGER": "cat", "TERM": "dumb"]) {
            $1
        }
        var run = TerminalScreen.Run(shell: lines.joined(separator: "\n"), variables)
        run.columns = 118
        let screens = try TerminalScreen.of(run).text.split(
            separator: /== (?=\d+\n)/, omittingEmptySubsequences: false)
        try #require(screens.count == steps.count + 1)
        for (number, step) in steps.enumerated() {
            // The screen of the next command begins with the status of this one.
            let status = screens[number + 1].prefix { $0 != "\n" }
            #expect(
                status == (Self.findings.contains(step.command) ? "1" : "0"),
                "\(step.command): \(screens[number])")
            let printed = screens[number].split(separator: "\n").map(ReaderShell.plain)
            for line in step.output where !line.isEmpty {
                #expect(printed.contains(ReaderShell.plain(line)), "\(step.command): \(line)")
            }
        }
    }

    @Test func questionsHaveOneCommandEach() throws {
        let shell = try Self.checkout()
        let meaning = [
            "REMOTE": ".build-demo", "DOCUMENT": "cookbook", "CLIENT": "D8ED76C2", "TEXT": "'soup(232)'",
            "APP": ".build-demo/Cookbook.xcdatamodel", "FILE": "store.sqlite",
            "ARCHIVE": "backups/*.tar.zst", "PATH": "Documents/cookbook/IntegrityKey",
        ]
        let rows = try Self.section("I want to ...").compactMap {
            $0.firstMatch(of: /^\| .* \| `(?:[0-9]+ [0-9]+ \* \* \* )?((?:K=; )?ticds .*)` \|$/)
        }
        #expect(rows.count == 15)
        let extraction = try shell.run(
            """
            set -e
            mkdir remotes backups
            cp -a .build-demo/com.example.cookbook remotes
            ticds store extract "$(find .build-demo -name WholeStore.ticdsync | sort | head -n 1)" store.sqlite
            """
        )
        #expect(extraction.status == 0, "\(extraction.errors)")
        for (number, row) in rows.enumerated() {
            let isOfBackups = row.1.contains("snapshot") || row.1.contains("FOLDER:")
            let folder = row.1.contains("scan") ? "remotes" : isOfBackups ? "backups" : "new\(number)"
            var command = String(row.1).replacing("FOLDER", with: folder)
            for (word, value) in meaning { command = command.replacing(word, with: value) }
            let result = try shell.run(command)
            // A client that lags behind is a finding.
            let expected: [Int32] = command.contains("--as-client") ? [0, 1] : [0]
            #expect(expected.contains(result.status), "\(command): \(result.errors)")
        }
    }

    /// Cron itself looks for programs in /usr/bin and /bin only; `make install` puts them below /usr/local.
    @Test func lineForCronFindsThePrograms() throws {
        let row = try #require(try Self.page().first { $0.contains("a line for cron") })
        let path = try #require(row.firstMatch(of: /`PATH=([^`]*)`/)).1.split(separator: ":")
        let makefile = try String(
            contentsOf: ManualPage.package.appending(path: "Makefile"), encoding: .utf8)
        let prefix = try #require(makefile.firstMatch(of: /\nPREFIX \?= (.*)\n/)).1
        #expect(path.contains { $0 == "\(prefix)/bin" } && path.contains("/usr/bin") && path.contains("/bin"))
    }

    @Test func lineForCronEndsWithTheStatusOfVerify() throws {
        let shell = try Self.checkout()
        let row = try #require(try Self.page().first { $0.contains("a line for cron") })
        let line = try #require(row.firstMatch(of: /`[0-9]+ [0-9]+ \* \* \* (K=.*)`/)).1
            .replacing("REMOTE", with: ".build-demo").replacing("FOLDER", with: "backups")
        let result = try shell.run(
            """
            mkdir backups
            ( \(line) ); echo "intact: $?"
            truncate -s 40 "$(find .build-demo -name '*.syncchg' | sort | head -n 1)"
            ( \(line) ); echo "damaged: $?"
            ls backups | grep -c zst
            """)
        #expect(result.output.contains("intact: 0\n"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("damaged: 1\n2\n"), "\(result.output)\(result.errors)")
    }

    /// What the page says about change sets that somebody deleted.
    @Test func deletedChangeSetIsADifferenceAndNoFinding() throws {
        let shell = try Self.checkout()
        let result = try shell.run(
            """
            ticds archive export .build-demo before.tar.zst
            rm "$(find .build-demo -name '*.syncchg' | sort | head -n 5 | tail -n 1)"
            ticds verify .build-demo --quiet; echo "verify: $?"
            ticds archive diff before.tar.zst .build-demo; echo "diff: $?"
            """)
        #expect(result.output.contains("verify: 0\n"), "\(result.output)")
        #expect(result.output.contains("1 difference: removed 1.\ndiff: 1\n"), "\(result.output)")
    }

    /// Somebody can find out in one place what there is.
    @Test func isShort() throws {
        #expect(try Self.page().joined(separator: "\n").utf8.count < 9_000)
    }
}
