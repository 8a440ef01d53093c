import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The state of a process when it starts: its arguments, and the descriptors 0 to 2.
@Suite struct StartTests {
    /// A library that sets a variable before the program begins, like libfaketime; nil without a C compiler.
    private static let library: (folder: TemporaryFolder, path: String)? = {
        guard let folder = try? TemporaryFolder(prefix: "ticds-start") else { return nil }
        let source = folder.path.appending("library.c")
        let text = """
            #include <stdlib.h>
            __attribute__((constructor)) static void set(void) { setenv("TICDS_START_TEST", "1", 1); }
            """
        let line =
            "for c in clang cc gcc; do $c -shared -fPIC -o '\(folder.path)/library.so' '\(source)' && exit; done"
        guard (try? TestFiles.write(source, Array(text.utf8))) != nil,
            (try? Program.shell(line, environment: ["PATH": "\(path):/usr/bin:/bin"]))?.status == 0
        else { return nil }
        return (folder, folder.path.appending("library.so").string)
    }()

    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

    /// The arguments are those of the process, not those that the memory before `environ` seems to show.
    @Test(.enabled(if: library != nil, "needs a C compiler"), arguments: ManualTests.programs)
    func argumentsStay(program: String) throws {
        let environment = ["LD_PRELOAD": Self.library?.path ?? ""]
        let result = try Program.run(program, ["--no-such-option", "x"], environment: environment)
        #expect(
            result.status == 64 && result.errors.contains("--no-such-option"), "\(program): \(result.errors)")
    }

    /// `TICDS_REMOTE` does not replace a named remote, and a dry run stays one.
    @Test(.enabled(if: library != nil, "needs a C compiler"))
    func theNamedRemoteCounts() throws {
        let (named, other) = (try DemoRemote(), try DemoRemote(.damaged))
        let environment = [
            "LD_PRELOAD": Self.library?.path ?? "", "TICDS_REMOTE": other.path,
            "XDG_STATE_HOME": named.scratch.path.string,
        ]
        #expect(try Program.run("ticds-verify", [named.path], environment: environment).status == 0)
        #expect(try Program.run("ticds", ["verify", named.path], environment: environment).status == 0)
        let plan = try Program.run("ticds-vacuum", ["--dry-run", named.path], environment: environment)
        #expect(plan.errors.isEmpty && !plan.output.contains(other.path), "\(plan.errors)")
    }

    private static let closings = ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"]

    /// With closed descriptors every written file is the same as without.
    @Test(arguments: closings)
    func filesHoldNoMessages(closing: String) throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("Documents/cookbook/") })
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let commands = [
            "ticds-store recover '\(store)' --to OUT.jsonl", "ticds-store export '\(store)' --to OUT.db",
            "ticds-store extract '\(store)' OUT.sqlite",
            "ticds-store migrate '\(store)' --model demo/Cookbook.xcdatamodel --to OUT.xml",
            "ticds-inspect timeline '\(demo.path)' --svg OUT.svg",
            "ticds-archive export '\(demo.path)' OUT.tar.zst",
            "ticds-store replay '\(demo.path)' --document cookbook "
                + "--model demo/Cookbook.xcdatamodel --to OUT.store",
            "ticds-verify '\(demo.path)' --log-file OUT.log",
        ]
        for command in commands {
            let open = command.replacing("OUT", with: "open")
            let closed = command.replacing("OUT", with: "closed")
            try demo.scratch.shell("rm -rf open.* closed.*")
            let folder = "cd '\(demo.scratch.path)'; "
            let first = try Program.shell(folder + open, environment: environment)
            try #require(first.status == 0, "\(command): \(first.errors)")
            let second = try Program.shell(folder + closed + " " + closing, environment: environment)
            // Output that cannot be printed is an error as usual.
            #expect(
                [0, 2].contains(second.status), "\(command) \(closing): \(second.status) \(second.errors)")
            let names = try demo.scratch.shell("ls -d open.*").split(separator: "\n").map(String.init)
            for name in names where !name.hasSuffix(".log") {
                let other = name.replacing("open", with: "closed")
                guard
                    second.status == 0
                        || FileManager.default.fileExists(
                            atPath: demo.scratch.path.appending(other).string)
                else { continue }
                // A database differs in times; it must contain nothing else.
                if name.hasSuffix(".db") || name.hasSuffix(".ticdsync") {
                    try demo.scratch.shell("test \"$(sqlite3 \(other) 'PRAGMA integrity_check')\" = ok")
                } else {
                    try demo.scratch.shell("cmp \(name) \(other)")
                }
            }
            if command.hasPrefix("ticds-verify") {
                let log = try String(
                    contentsOfFile: demo.scratch.path.appending("closed.log").string, encoding: .utf8)
                #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("20") }, "\(log)")
            }
        }
    }

    /// A result that cannot be seen is an error.
    @Test func closedOutputIsAnError() throws {
        let demo = try DemoRemote()
        let result = try Program.shell("ticds-inspect status '\(demo.path)' >&-")
        #expect(result.status == 2 && result.errors.contains("output cannot be written"), "\(result.errors)")
    }

    /// A synchronisation with closed descriptors leaves the lock and the store of its replica intact.
    @Test(arguments: closings)
    func synchronisation(closing: String) throws {
        let demo = try DemoRemote()
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let clone = try Program.shell(
            "cd '\(demo.scratch.path)'; ticds-sync clone demo/com.example.cookbook replica --document cookbook --model demo/Cookbook.xcdatamodel --yes",
            environment: environment)
        try #require(clone.status == 0, "\(clone.errors)")
        let run = try Program.shell(
            "cd '\(demo.scratch.path)'; ticds-sync run replica \(closing)", environment: environment)
        #expect([0, 2].contains(run.status), "\(run.errors)")
        let again = try Program.run(
            "ticds-sync", ["run", demo.scratch.path.appending("replica").string], environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        let files = try demo.scratch.shell("grep -rlaE 'nothing to do|Nothing to do' replica demo || true")
        #expect(files.isEmpty, "\(files)")
    }
}
