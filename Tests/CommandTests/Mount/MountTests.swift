import Base
import Foundation
import Glibc
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// What a mount needs.
enum KernelMount {
    /// Whether this process may mount a file system of a program.
    static let isPermitted =
        geteuid() == 0 && (try? Program.shell("unshare -m true && : </dev/fuse"))?.status == 0
    static let isPossible = ProcessInfo.processInfo.environment["TICDS_LONG"] != nil && isPermitted
}

/// `ticds-inspect mount` through the kernel.
@Suite(
    .serialized,
    .enabled(if: KernelMount.isPossible, "needs TICDS_LONG=1, /dev/fuse and a user who may mount")
)
struct MountTests {
    private static func mount(
        _ demo: DemoRemote, _ command: String, _ options: [String] = []
    ) throws -> Program.Result {
        try demo.scratch.shell("mkdir -p mnt")
        return try Program.run(
            "ticds-inspect",
            ["mount", demo.path, "\(demo.scratch.path)/mnt", "--utc", "--exec", command]
                + demo.passwordOptions + options)
    }

    private static func model(_ demo: DemoRemote) -> [String] {
        ["--model", "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"]
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func programsReadEveryFile(
        _ kind: DemoRemote.Kind
    ) throws {
        let demo = try DemoRemote(kind)
        let result = try Self.mount(
            demo, "find . -type f -exec cat {} + | wc -c; find . -type f | wc -l", Self.model(demo))
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers.allSatisfy { $0 > 100 }, "\(result.output)")
        #expect(try demo.scratch.shell("ls mnt") == "")
    }

    @Test func statusIsThatOfTheCommand() throws {
        let demo = try DemoRemote()
        for status in [0, 1, 7, 130] {
            #expect(try Self.mount(demo, "exit \(status)").status == Int32(status))
        }
        #expect(try Self.mount(demo, "grep -rq 'no such word' clients").status == 1)
        #expect(try Self.mount(demo, "test -d raw && pwd").output == "\(demo.scratch.path)/mnt\n")
    }

    /// Programs that read files do not see that there should be more.
    @Test func whatIsShownInPartIsPartial() throws {
        let demo = try DemoRemote(.plain, changeSets: 40)
        func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
        // No whole store contains the latest set.
        let set = try #require(try demo.changeSets.max { name($0) < name($1) })
        try demo.scratch.shell("touch -r '\(set)' time; truncate -s 700 '\(set)'; touch -r time '\(set)'")
        func look(_ command: String, _ words: String) throws {
            let result = try Self.mount(demo, command, Self.model(demo))
            #expect(result.status == 5, "\(command)")
            #expect(result.errors.contains(words), "\(result.errors)")
        }
        try look("cat documents/*/changes/*.txt", name(set))
        try look("ls documents/*/objects", "objects in the mount lack")
        try look("cd documents/*cookbook/objects/Recipe; cat *.history.txt", "histories in the mount lack")
        #expect(try Self.mount(demo, "cat README.txt documents/Pantry/changes/*").status == 0)
        #expect(try Self.mount(demo, "ls documents/*/objects; exit 7").status == 7)
    }

    @Test func nothingCanBeWritten() throws {
        let demo = try DemoRemote()
        let before = try demo.scratch.shell(
            "find demo -newer demo | wc -l; find demo -type f -exec md5sum {} + | sort")
        let result = try Self.mount(
            demo, "touch new; mkdir new; rm README.txt; mv raw new; echo x >> README.txt; chmod 777 raw; true"
        )
        #expect(result.status == 0)
        #expect(result.errors.components(separatedBy: "Read-only file system").count == 7, "\(result.errors)")
        let after = try demo.scratch.shell(
            "find demo -newer demo | wc -l; find demo -type f -exec md5sum {} + | sort")
        #expect(after == before)
    }

    @Test func sqliteOpensStores() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        try demo.scratch.shell("sqlite3 '\(store)' 'PRAGMA journal_mode=wal'")
        let result = try Self.mount(
            demo,
            "for f in documents/*/stores/*.sqlite; do sqlite3 \"$f\" 'PRAGMA integrity_check' || exit 9; done"
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(Set(result.output.split(separator: "\n")) == ["ok"], "\(result.output)")
    }

    @Test func changeIsSeenAndOpenFilesStay() throws {
        let demo = try DemoRemote()
        let set = try #require(try demo.changeSets.last)
        let script = """
            cd 'documents/Family cookbook'
            before=$(ls changes | wc -l)
            exec 5< "changes/$(ls changes | head -n 1)"
            mv '\(set)' '\(demo.scratch.path)/away'
            for i in $(seq 100); do
                [ "$(ls changes | wc -l)" -lt "$before" ] && break
                sleep 0.1
            done
            cat <&5 | wc -c
            echo $(($(ls changes | wc -l) - before))
            """
        let result = try Self.mount(demo, script)
        let lines = result.output.split(separator: "\n")
        #expect(
            lines.count == 2 && lines.last == "-2" && Int(lines[0]) ?? 0 > 0,
            "\(result.output)\(result.errors)")
    }

    /// The kernel keeps small contents: what it keeps must not outlive them.
    @Test func changedContentIsReadAtOnce() throws {
        let (scratch, folder) = (try TemporaryFolder(), ChangingFolder())
        let place = scratch.path.appending("mnt")
        try TestFiles.makeFolder(place)
        let mount = try FuseMount(on: place, FuseServer(folder) { _ in })
        defer { mount.unmount() }
        let file = place.appending("a.txt")
        // Of equal length, longer, shorter, empty, larger than what the kernel keeps, and small again.
        for text in [
            "text", "text", "tixt", "a longer text", "t", "", String(repeating: "x", count: 300_000), "text",
        ] {
            folder.text.withLock { $0 = text }
            #expect(try FileBytes.read(file).array == Array(text.utf8), "\(text.prefix(20))")
            let open = try OwnedDescriptor.file(file)
            folder.text.withLock { $0 = "another text" }
            #expect(try open.bytes(limit: .changeSet).array == Array(text.utf8), "\(text.prefix(20))")
        }
    }

    @Test func backgroundMountEndsWithItsShell() throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("mkdir mnt")
        let listed = try Program.shell(
            "cd '\(demo.scratch.path)'; ticds-inspect mount '\(demo.path)' mnt --quiet && ls mnt; true")
        #expect(listed.output == "README.txt\nclients\ndocuments\nraw\n", "\(listed.errors)")
        let ended = try Program.shell(
            "cd '\(demo.scratch.path)'; for i in $(seq 100); do mountpoint -q mnt || exit 0; sleep 0.1; done; exit 1"
        )
        #expect(ended.status == 0)
    }

    @Test func deadMountIsReplaced() throws {
        let demo = try DemoRemote()
        let line = """
            cd '\(demo.scratch.path)'; mkdir mnt
            ticds-inspect mount '\(demo.path)' mnt --foreground --quiet & process=$!
            for i in $(seq 100); do mountpoint -q mnt && break; sleep 0.1; done
            kill -9 $process; wait $process 2>/dev/null
            ls mnt 2>&1
            ticds-inspect mount '\(demo.path)' mnt --exec 'ls'
            """
        let result = try Program.shell(line)
        #expect(result.output.contains("not connected"), "\(result.output)")
        #expect(
            result.output.hasSuffix("README.txt\nclients\ndocuments\nraw\n"),
            "\(result.output)\(result.errors)")
    }

    @Test func unmountEndsTheProcess() throws {
        let demo = try DemoRemote()
        let line = """
            cd '\(demo.scratch.path)'; mkdir mnt
            ticds-inspect mount '\(demo.path)' mnt --foreground --quiet & process=$!
            for i in $(seq 100); do mountpoint -q mnt && break; sleep 0.1; done
            umount mnt; wait $process; echo $?
            ticds-inspect mount '\(demo.path)' mnt --foreground --quiet & process=$!
            for i in $(seq 100); do mountpoint -q mnt && break; sleep 0.1; done
            kill -TERM $process; wait $process; echo $?; mountpoint -q mnt || echo gone
            """
        #expect(try Program.shell(line).output == "0\n0\ngone\n")
    }

    @Test func unmountEndsTheProcessAlthoughAnotherNamespaceHasTheMount() throws {
        let demo = try DemoRemote()
        let line = """
            cd '\(demo.scratch.path)'; mkdir mnt; mkfifo begun end
            ticds-inspect mount '\(demo.path)' mnt --foreground --quiet & process=$!
            for i in $(seq 100); do mountpoint -q mnt && break; sleep 0.1; done
            unshare -m sh -c 'echo >begun; read line <end' &
            read line <begun
            umount mnt; wait $process; echo $?
            echo >end; wait
            """
        #expect(try Program.shell(line).output == "0\n")
    }

    @Test func fewDescriptorsAreEnough() throws {
        let demo = try DemoRemote()
        let result = try Program.shell(
            """
            cd '\(demo.scratch.path)'; mkdir mnt; ulimit -n 64
            ticds-inspect mount '\(demo.path)' mnt --model demo/Cookbook.xcdatamodel \
                --exec 'find . -type f -exec cat {} + | wc -c'
            """)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    /// A mount works, or says that it lacks memory, and leaves no dead folder.
    /// - Parameter megabytes: what it has beside the memory in which the program starts.
    @Test(arguments: [10, 20, 30, 50, 80, 200]) func littleMemoryIsEnoughOrNamed(_ megabytes: Int) throws {
        let demo = try DemoRemote()
        let result = try Program.shell(
            """
            cd '\(demo.scratch.path)'; mkdir mnt; ulimit -c 0; start=40
            until (ulimit -v $((start * 1024)); ticds-inspect --version) >version 2>&1; do start=$((start + 5)); done
            ulimit -v $(((start + \(megabytes)) * 1024))
            exec ticds-inspect mount '\(demo.path)' mnt --utc --model demo/Cookbook.xcdatamodel \
                --exec 'find . -type f -exec cat {} + | wc -c'
            """)
        #expect([0, 2].contains(result.status), "\(result.status) \(result.errors)")
        #expect(result.status == 0 || result.errors.contains("ulimit -v"), "\(result.errors)")
        #expect(try demo.scratch.shell("ls mnt") == "")
    }

    @Test func crashLeavesNoDeadFolder() throws {
        let demo = try DemoRemote()
        let result = try Self.mount(demo, "kill -SEGV $PPID; while test -e README.txt; do :; done")
        #expect(result.status == -SIGSEGV, "\(result.status) \(result.errors)")
        #expect(try demo.scratch.shell("ls mnt") == "")
    }

    @Test func remoteThatIsGoneGivesErrors() throws {
        let demo = try DemoRemote()
        let result = try Self.mount(
            demo,
            "mv '\(demo.path)' '\(demo.path)-away'; sleep 2; ls documents; echo $?; mv '\(demo.path)-away' '\(demo.path)'"
        )
        #expect(result.errors.contains("Input/output error"), "\(result.errors)")
        #expect(result.output == "2\n")
    }

    @Test func inodeNumbersAreUnique() throws {
        let demo = try DemoRemote()
        let result = try Self.mount(
            demo, "find . -exec stat -c %i {} + | sort | uniq -d; find . | wc -l", Self.model(demo))
        #expect(result.status == 0 && Int(result.output.filter(\.isNumber)) ?? 0 > 100, "\(result.output)")
        #expect(result.output.split(separator: "\n").count == 1, "\(result.output)\(result.errors)")
    }

    @Test func emptyFolderInThePlaceOfTheRemoteGivesErrors() throws {
        let demo = try DemoRemote()
        let script = """
            mv '\(demo.path)' '\(demo.path)-away'; mkdir '\(demo.path)'
            for i in $(seq 100); do ls documents >/dev/null 2>&1 || break; sleep 0.1; done
            ls documents; echo $?
            rmdir '\(demo.path)'; mv '\(demo.path)-away' '\(demo.path)'
            """
        let result = try Self.mount(demo, script)
        #expect(result.errors.contains("is no longer a remote"), "\(result.errors)")
        #expect(result.output == "2\n")
    }

    @Test func folderInTheRemoteIsRefused() throws {
        let demo = try DemoRemote()
        let result = try Program.run(
            "ticds-inspect", ["mount", demo.path, "\(demo.path)/Documents", "--exec", "true"])
        #expect(result.status == 3 && result.errors.contains("inside the remote"))
        let above = try Program.run(
            "ticds-inspect", ["mount", demo.path, demo.scratch.path.string, "--exec", "true"])
        #expect(above.status == 3 && above.errors.contains("is not empty"))
    }
}
