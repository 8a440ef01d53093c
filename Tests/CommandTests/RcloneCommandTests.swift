import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Commands on storages that rclone reaches.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), .waiting) struct RcloneCommandTests {
    private static func environment(_ scratch: Scratch) -> [String: String] {
        [
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.path.string,
            "XDG_CACHE_HOME": scratch.path.appending("cache").string,
            "XDG_STATE_HOME": scratch.path.appending("state").string, "TMPDIR": scratch.path.string,
        ]
    }

    /// Every reading command has the same output for a storage as for a folder with the same files.
    @Test(
        arguments: LongTests.areWanted ? DemoRemote.Kind.allCases : [.encrypted, .damaged],
        LongTests.areWanted ? [false, true] : [false])
    func reading(_ kind: DemoRemote.Kind, isServer: Bool) throws {
        let demo = try DemoRemote(kind)
        let environment = Self.environment(demo.scratch)
        if isServer, !StorageServer.Kind.sftp.isInstalled { return }
        let server = isServer ? try StorageServer.shared(.sftp).storage() : nil
        let place = "rclone:" + (server ?? ":local:") + demo.path
        let shown = "rclone:" + (server == nil ? ":local:" : ":sftp,...:") + demo.path
        for (mine, its) in zip(ReadingCommand.all(on: demo.path), ReadingCommand.all(on: place)) {
            // Servers have only whole seconds, so that printed times can differ.
            if isServer, kind == .damaged { continue }
            let one = try mine.run(password: demo.passwordOptions, environment: environment)
            let other = try its.run(password: demo.passwordOptions, environment: environment)
            #expect(one.status == other.status, "\(its.text): \(other.errors)")
            #expect(other.errors.replacing(shown, with: demo.path) == one.errors, "\(its.text)")
            guard !isServer else { continue }
            let output = Self.comparable(other.output.replacing(shown, with: demo.path))
            #expect(output == Self.comparable(one.output), "\(its.text)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: demo.scratch.path.string)
        #expect(left.allSatisfy { !$0.hasPrefix("ticds.") }, "\(left)")
    }

    /// The text without the duration of a run, the padding of longer storage names, and remedies.
    private static func comparable(_ text: String) -> String {
        text.withoutRemedies.replacing(#/ in [0-9.]+ m?s\./#, with: "").replacing(#/ {2,}/#, with: "  ")
            .replacing(#/─{2,}/#, with: "──").replacing(#/"seconds":[0-9.]+/#, with: "")
    }

    /// A command that would change a storage without a name, or write a whole remote into one, is refused before it
    /// does anything.
    @Test func writingIsRefused() throws {
        let demo = try DemoRemote()
        let place = "rclone::local:" + demo.path
        let environment = Self.environment(demo.scratch)
        let before = try demo.scratch.shell("find demo -printf '%p %T@ %s\\n' | sort")
        let secret = try demo.scratch.password("open sesame")
        let store = try #require(try demo.wholeStores.first { $0.contains("Documents/pantry/") })
        let commands: [(String, [String])] = [
            ("ticds-vacuum", [place, "--yes"]),
            ("ticds-client", ["delete", place, "Anna’s iPhone", "--yes"]),
            ("ticds-document", ["delete", place, "pantry", "--yes"]),
            ("ticds-integrity", ["reset", place, "--document", "pantry", "--yes"]),
            (
                "ticds-sync",
                ["reseed", place, store, "--document", "pantry", "--client", "Anna’s iPhone", "--yes"]
            ),
            ("ticds-verify", [place, "--repair", "--yes"]), ("ticds-remote", ["remove", place, "--yes"]),
            ("ticds-remote", ["encrypt", place, "--yes", "--password-file", secret]),
            ("ticds-remote", ["create", place]),
            ("ticds-remote", ["copy", demo.path, place, "--yes"]),
            ("ticds-archive", ["export", demo.path, place]), ("ticds", ["demo", place]),
        ]
        for (program, words) in commands {
            let result = try Program.run(program, words, environment: environment)
            #expect(result.status != 0 && result.status != 64, "\(program) \(words): \(result.output)")
            #expect(
                result.errors.contains("works in local folders only")
                    || result.errors.contains("configuration of rclone"),
                "\(program) \(words): \(result.errors)")
        }
        #expect(try demo.scratch.shell("find demo -printf '%p %T@ %s\\n' | sort") == before)
        #expect(
            !FileManager.default.fileExists(atPath: Program.folder.appending(path: "rclone::local:").path))
    }

    /// Rclone lists a folder without permission as if it were empty. The command must not accept that.
    @Test(
        .enabled(
            if: geteuid() == 0
                && (try? Program.shell(
                    "setpriv --reuid=65534 --regid=65534 --clear-groups test -x \(InstalledRclone.path?.string ?? "no")"
                ))?.status == 0,
            "needs the rights of root, setpriv, and an rclone that everybody may run"))
    func folderWithoutPermission() throws {
        let demo = try DemoRemote()
        let folder = demo.scratch.path
        try demo.scratch.shell(
            "chmod -R a+rX .; mkdir cache state tmp; chmod 1777 cache state tmp; chmod 700 demo/*/Documents/pantry/SyncChanges"
        )
        let environment = Self.environment(demo.scratch).merging(["TMPDIR": folder.appending("tmp").string]) {
            $1
        }
        let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Program.path("ticds")]
        let closed = "Documents/pantry/SyncChanges"
        for (words, status) in [(["inspect", "status"], 5), (["changes", "stats"], 5), (["verify"], 1)]
            as [([String], Int32)]
        {
            let line = (other + words + ["rclone::local:" + demo.path])
                .map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
            let result = try Program.shell(line, environment: environment)
            #expect(result.status == status, "\(words): \(result.errors)")
            #expect(
                result.errors.contains(closed) || result.output.contains(closed),
                "\(words): \(result.errors)\(result.output)"
            )
        }
    }

    /// Neither the arguments of rclone nor written files contain a password.
    @Test func passwordsStaySecret() throws {
        let demo = try DemoRemote()
        try demo.scratch.script(
            "rclone",
            "echo \"$@\" >> '\(demo.scratch.path)/arguments'; env >> '\(demo.scratch.path)/environment'; exec '\(InstalledRclone.path?.string ?? "")' \"$@\""
        )
        var environment = Self.environment(demo.scratch)
        environment["TICDS_RCLONE"] = demo.scratch.path.appending("rclone").string
        environment["TICDS_PASSWORD"] = "sesame for the remote"
        let place = "rclone::webdav,url='http://127.0.0.1:1',user=anna,pass='geheim geheim':x"
        let result = try Program.run(
            "ticds", ["inspect", "status", place, "--verbose"], environment: environment)
        #expect(result.status != 0 && !(result.errors + result.output).contains("geheim"), "\(result.errors)")
        let written = try demo.scratch.shell(
            "cat arguments environment; grep -r geheim cache state . 2>/dev/null || true")
        #expect(!written.contains("geheim") && !written.contains("sesame"), "\(written)")
    }

    /// The helper process of a command ends with it, even if the command is killed.
    @Test func rcloneEndsWithTheCommand() throws {
        let demo = try DemoRemote()
        try demo.scratch.script("ssh", "echo started > '\(demo.scratch.path)/started'; exec sleep 1000")
        var environment = Self.environment(demo.scratch)
        environment["RCLONE_SFTP_SSH"] = demo.scratch.path.appending("ssh").string
        let script = """
            ticds inspect status rclone::sftp:x & command=$!
            until [ -e '\(demo.scratch.path)/started' ]; do sleep 0.05; done
            child=$(ps -o pid= --ppid $command); kill -9 $command
            for i in $(seq 200); do case $(ps -o stat= -p $child) in ""|Z*) exit 0;; esac; sleep 0.05; done
            exit 1
            """
        let result = try Program.shell(script, environment: environment)
        #expect(result.status == 0, "\(result.errors)")
    }
}

extension String {
    /// Findings without the advice on manual work, which is for a different program in a storage.
    var withoutRemedies: String {
        replacing(#/\n *\$ (mkdir|mv|ls|rclone|ticds-changes recover) .*/#, with: "")
            .replacing(#/"remedy":\[[^\]]*\]/#, with: "")
    }
}
