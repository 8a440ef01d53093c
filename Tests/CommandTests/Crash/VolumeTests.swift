import Foundation
import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing
import TICDSOperations

/// A shell in which private volumes can be mounted.
enum MountingShell {
    static let isPossible = (try? run("mount -t tmpfs tmpfs /mnt"))?.status == 0

    static func run(_ script: String, seconds: Double = 240) throws -> Program.Result {
        let scratch = try Scratch()
        let file = try scratch.write("script.sh", Array(script.utf8))
        return try Program.shell("cd '\(scratch.path)'; unshare -m bash -eu '\(file)'", seconds: seconds)
    }
}

/// Volumes that are full, or lack features of disks: an operation is carried out, or refused with the remote unchanged.
@Suite struct VolumeTests {
    static let sizes =
        CrashTests.isThorough ? Array(stride(from: 48, through: 508, by: 20)) : [48, 188, 428]

    /// The state of the remote, as a file.
    private static let functions = """
        image() {
            (cd "$1"; find . -printf '%p %y %T@ %m %l\n' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum)
        }
        fill() {  # FOLDER KILOBYTES: leaves that much room
            left=$(df --output=avail -k "$1" | tail -1)
            dd if=/dev/zero of="$1/fill" bs=1k count=$((left - $2)) status=none
        }
        """

    /// A user with write permission in a foreign folder may not set its times: refused before the first change.
    @Test(
        .enabled(
            if: geteuid() == 0 && (try? Program.shell("setpriv --version"))?.status == 0,
            "needs the rights of root, and setpriv"),
        arguments: [["ticds-client", "delete", "Anna’s iPhone"], ["ticds-document", "delete", "pantry"]])
    func foldersOfAnotherUser(words: [String]) throws {
        let demo = try DemoRemote(changeSets: 6)
        let folder = demo.scratch.path
        try demo.scratch.shell("mkdir state; chmod -R a+rwX . ; chown -R 65533 demo")
        let all = words[0] == "ticds-client" ? ["--from-application"] : []
        let command = [
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Program.path(words[0]), words[1],
            demo.path, words[2], "--yes", "--max-delete", "100%",
        ]
        let line = (command + all).map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
        let image = "cd demo; find . -printf '%p %y %T@ %m %s\\n' | sort"
        let before = try demo.scratch.shell(image)
        let result = try Program.shell(
            line, environment: ["XDG_STATE_HOME": "\(folder)/state", "HOME": "\(folder)/state"])
        #expect(result.status == 3 && result.errors.contains("belongs to another user"), "\(result.errors)")
        let after = try demo.scratch.shell(image)
        func entries(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { !$0.hasPrefix(". ") }
        }
        #expect(entries(after) == entries(before))
        #expect(try demo.scratch.shell("find . -name '.ticds*'") == "")
    }

    /// The journal's volume has no space for the trash, or not even for the journal.
    @Test(
        .enabled(if: MountingShell.isPossible, "needs the right to mount"), arguments: sizes, [false, true])
    func fullStateVolume(kilobytes: Int, isUsedBefore: Bool) throws {
        let demo = try DemoRemote(changeSets: 60)
        let result = try MountingShell.run(
            """
            \(Self.functions)
            mkdir state; mount -t tmpfs -o size=4m tmpfs state; export XDG_STATE_HOME=$PWD/state
            cp -a '\(demo.path)' .; remote=com.example.cookbook
            if \(isUsedBefore); then ticds-document delete $remote pantry --yes --max-delete 100% >/dev/null; fi
            image $remote > before; fill state \(kilobytes)
            status=0; ticds-document delete $remote cookbook --yes --max-delete 100% >/dev/null 2>errors || status=$?
            image $remote > after
            if [ $status = 0 ]; then cmp -s before after && exit 1; echo done
            else
                diff before after; grep -qE "room|full|No space" errors || { cat errors; exit 1; }
                ls -A | grep '^[.]ticds' && exit 1
                ticds-journal recover --dry-run | grep 'Nothing was interrupted'
                rm state/fill
                ticds-document delete $remote cookbook --yes --max-delete 100% >/dev/null
            fi
            """)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// Remote and journal share a volume without space.
    @Test(
        .enabled(if: MountingShell.isPossible, "needs the right to mount"),
        arguments: [0, 16, 48, 96, 160, 240, 320, 400])
    func fullVolumeOfBoth(kilobytes: Int) throws {
        let demo = try DemoRemote(changeSets: 60)
        let result = try MountingShell.run(
            """
            \(Self.functions)
            mkdir both; mount -t tmpfs -o size=8m tmpfs both; export XDG_STATE_HOME=$PWD/both/state
            mkdir both/state; cp -a '\(demo.path)' both/; remote=both/com.example.cookbook
            image $remote > before; fill both \(kilobytes)
            status=0; ticds-integrity reset $remote --document cookbook --yes --max-delete 100% >/dev/null 2>errors || status=$?
            image $remote > after
            if [ $status = 0 ]; then cmp -s before after && exit 1; echo done
            else diff before after; grep -qE "room|full|No space" errors || { cat errors; exit 1; }
                ticds-journal recover --dry-run | grep 'Nothing was interrupted'
            fi
            """)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// File systems with separate inode numbers for hard links: the lock is never recognised, and nothing begins.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func numbersOfLinks() throws {
        let fixture = try CrashFixture(.near, .apply)
        let before = try fixture.remote.image
        #expect(try fixture.run(.numbers) == 3)
        #expect(try fixture.remote.image.differences(from: before) == [])
        #expect(try fixture.operations.allSatisfy { $0.state != .running })
        #expect(try OperationRecovery.recover(fixture.remote.state).allSatisfy { $0.state != .done })
        #expect(try fixture.run(.none) == 0)
    }

    /// File systems that lack a call: the operation works without it, or is refused before the first change.
    @Test(
        .enabled(if: FaultyProgram.library != nil, "needs a C compiler"),
        arguments: ["fchmod", "linkat", "renameat2", "futimens", "utimensat", "fsync"],
        [Errno.notPermitted, .noFunction, .notSupported])
    func lackingCalls(name: String, errno: Errno) throws {
        for home in CrashTests.Home.allCases {
            let trial = try TwoHomes(home)
            // New folders are private, so the mode of a remote that others may read has to be set.
            #expect(chmod(trial.root, 0o755) == 0)
            let before = try trial.remote.image
            let status = try trial.applyFirst(.lacks(name, errno))
            let isWorking =
                name == "linkat" || name == "renameat2" && errno != .notPermitted
                || name == "fsync" && status == 0
            #expect((status == 0) == isWorking, "\(status)")
            if status != 0 {
                #expect(try trial.remote.image.differences(from: before) == [])
                #expect(try OperationRecovery.unfinished(trial.remote.state) == [])
            }
            #expect(try trial.applySecond() == 0)
            try trial.undoAll(trial.second)
            try trial.undoAll(trial.first)
            #expect(try trial.remote.image.differences(from: before) == [])
        }
    }

    /// Folders of a lower layer of an overlay, which it may not be able to move.
    @Test(.enabled(if: MountingShell.isPossible, "needs the right to mount"), arguments: ["off", "on"])
    func overlay(redirect: String) throws {
        let demo = try DemoRemote(changeSets: 20)
        let result = try MountingShell.run(
            """
            \(Self.functions)
            mkdir volume; mount -t tmpfs tmpfs volume; cd volume
            mkdir lower upper work all state; export XDG_STATE_HOME=$PWD/state
            cp -a '\(demo.path)' lower/
            mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,redirect_dir=\(redirect) overlay all || exit 77
            remote=all/com.example.cookbook; image $remote > before
            status=0; ticds-document delete $remote cookbook --yes --max-delete 100% >/dev/null 2>errors || status=$?
            image $remote > after
            if [ \(redirect) = on ]; then test $status = 0; ticds-journal undo $remote 1 --yes >/dev/null
            else test $status = 3; grep -q 'lower layer' errors; fi
            image $remote > after; diff before after
            ticds-journal recover --dry-run | grep 'Nothing was interrupted'
            # What needs no folder moved works on any.
            ticds-integrity reset $remote --document cookbook --yes --max-delete 100% >/dev/null
            ticds-journal undo $remote $(ticds-journal list $remote --json | grep -m1 '"number"' | tr -dc 0-9) --yes >/dev/null
            image $remote > after; diff before after
            """)
        if result.status == 77 { return }
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// If the folder around the remote is not writable, a warning names what other processes do not see.
    @Test(.enabled(if: MountingShell.isPossible, "needs the right to mount")) func parentThatCannotBeWritten()
        throws
    {
        let demo = try DemoRemote(changeSets: 6)
        let result = try MountingShell.run(
            """
            mkdir around; mount -t tmpfs tmpfs around; mkdir around/com.example.cookbook
            mount -t tmpfs tmpfs around/com.example.cookbook; mount -o remount,ro around
            cp -a '\(demo.path)/.' around/com.example.cookbook/
            export XDG_STATE_HOME=$PWD/state; mkdir state
            ticds-document delete around/com.example.cookbook pantry --yes --max-delete 100% 2>errors
            grep 'cannot write to .*: other machines' errors
            ls -A around/com.example.cookbook | grep ticds && exit 1
            ticds-journal undo around/com.example.cookbook 1 --yes
            # On one volume with the journal, but in a folder of somebody else.
            """)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// The end of --lock-wait does not move with the clock.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) func waitsByAClockThatNobodySets()
        throws
    {
        let demo = try DemoRemote(changeSets: 6)
        let library = try #require(FaultyProgram.library)
        let result = try Program.shell(
            """
            exec 9<'\(demo.path)'; flock 9
            LD_PRELOAD='\(library)' TICDS_FAULT=clock timeout 60 ticds-document delete '\(demo.path)' pantry --yes \
                --max-delete 100% --lock-wait 1s
            """, environment: ["XDG_STATE_HOME": "\(demo.scratch.path)/state"])
        #expect(result.status == 3, "\(result.status) \(result.errors)")
    }

    /// The remains of a killed command in the folder of temporary files are removed by the next command.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) func temporaryFilesOfTheKilled()
        throws
    {
        let demo = try DemoRemote(.encrypted, changeSets: 6)
        let library = try #require(FaultyProgram.library)
        let temporary = demo.scratch.path.appending("temporary")
        try TestFiles.makeFolder(temporary)
        let line = "ticds-store list '\(demo.path)' --password-file '\(demo.scratch.path)/password'"
        let result = try Program.shell(
            """
            export TMPDIR='\(temporary)'
            mkdir "$TMPDIR/ticds-backup" "$TMPDIR/ticds-mine.0123456789abcdeg"
            for call in 3 6 9; do LD_PRELOAD='\(library)' TICDS_FAULT=kill:$call \(line) >/dev/null 2>&1; done
            ls "$TMPDIR" | wc -l
            \(line) >/dev/null; ls "$TMPDIR"
            """)
        let lines = result.output.split(separator: "\n")
        // Usually nothing is left: on supporting systems, such files have no name.
        #expect(Int(lines.first ?? "") ?? 0 >= 2, "\(result.output)\(result.errors)")
        #expect(lines.dropFirst() == ["ticds-backup", "ticds-mine.0123456789abcdeg"], "\(result.output)")
    }

    /// A foreign plan lists the local files that it reads, and moves none of them.
    @Test func plansThatReadLocalFiles() throws {
        let remote = try ChangedRemote()
        let secret = remote.home.path.appending("secret")
        try TestFiles.write(secret, [1, 2, 3])
        func apply(_ change: PlanAction.Kind) throws -> Program.Result {
            var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Take something in")
            plan.add(change)
            let file = remote.home.path.appending("plan.json")
            try TestFiles.write(file, try PlanFile.bytes(of: plan))
            return try Program.run(
                "ticds-journal", ["apply", file.string, "--dry-run"],
                environment: ["XDG_STATE_HOME": remote.home.path.string])
        }
        let content = try PlannedContent.file(secret)
        let written = try apply(.writeFile(path: ["Documents", "x"], content: content, modified: nil))
        #expect(
            written.output.contains(
                "warning: The plan copies a file of this machine into the remote: \(secret)"))
        #expect(written.output.contains("from \(secret), a local file"), "\(written.output)")
        let tree = try apply(
            .writeTree(path: ["Documents", "x"], entries: [TreeEntry(path: ["y"], content: content)]))
        #expect(tree.output.contains("into the remote: \(secret)"), "\(tree.output)")
        let staged = StagedEntry(path: secret, seen: EntryState(kind: .file, size: 3, modified: nil))
        for change: PlanAction.Kind in [
            .adopt(path: ["Documents", "x"], staged: staged),
            .writeFile(path: ["Documents", "x"], content: .staged(staged), modified: nil),
        ] {
            let result = try apply(change)
            #expect(result.status == 3 && result.errors.contains("\(secret)"), "\(result.errors)")
        }
    }
}
