import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A command makes one temporary folder, or prints the reason why it cannot.
@Suite struct TemporaryFolderTests {
    /// Runs a shell line as a user without root permissions, in a folder of that user.
    private static func run(_ line: String, _ scratch: Scratch) throws -> Program.Result {
        let words = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        return try Program.shell(
            "cd '\(scratch.path)'; exec \(words)bash -c '\(line)'",
            environment: ["HOME": "\(scratch.path)/home", "TMPDIR": "\(scratch.path)/tmp"], seconds: 30)
    }

    @Test func emptyVariableMeansTheUsualFolder() throws {
        let demo = try DemoRemote(.encrypted)
        let info = ["info", demo.path, "--document", "cookbook", "--client", "Anna’s MacBook Pro"]
        let result = try Program.run(
            "ticds-store", info + demo.passwordOptions, environment: ["TMPDIR": ""])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// No variable puts files of a command into a remote, nor through a link.
    @Test(arguments: ["TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "HOME"])
    func variableInsideRemoteIsRefused(_ name: String) throws {
        let demo = try DemoRemote(changeSets: 6)
        try demo.scratch.shell("mkdir outside && ln -s '\(demo.path)/Documents' link")
        let before = try TreeImage(of: demo.root)
        for place in ["\(demo.path)", "\(demo.path)/Documents/new", "\(demo.scratch.path)/link"] {
            for line in [["ticds-store", "list"], ["ticds-vacuum", "--yes"]] {
                let words = Array(line.dropFirst()) + [demo.path]
                let result = try Program.run(line[0], words, environment: [name: place])
                #expect(result.status == 3 && result.output == "", "\(result.status) \(result.output)")
                #expect(
                    result.errors.contains("\(name) is a folder inside a remote")
                        && result.errors.contains("Set \(name) to"), "\(result.errors)")
            }
        }
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
        let outside = demo.scratch.path.appending("outside").string
        let result = try Program.run("ticds-store", ["list", demo.path], environment: [name: outside])
        #expect(result.status == 0, "\(result.errors)")
        let unused = ["XDG_STATE_HOME": outside, "XDG_CACHE_HOME": outside, "HOME": demo.path]
        #expect(try Program.run("ticds-store", ["list", demo.path], environment: unused).status == 0)
    }

    /// A relative path counts from the working folder.
    @Test(arguments: ["com.example.cookbook", "./com.example.cookbook/Documents", "com.example.cookbook/new"])
    func relativeFolderInsideRemoteIsRefused(_ place: String) throws {
        let demo = try DemoRemote(changeSets: 6)
        let before = try TreeImage(of: demo.root)
        for line in [
            "ticds-store compare com.example.cookbook com.example.cookbook",
            "ticds-store export com.example.cookbook --document cookbook --newest --to ../out",
        ] {
            let result = try Program.shell(
                "cd '\(demo.scratch.path)/demo' && \(line)", environment: ["TMPDIR": place])
            #expect(
                result.status == 3 && result.errors.contains("TMPDIR is a folder inside a remote"),
                "\(result.errors)")
        }
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    private static let commands = [
        "ticds-archive export demo out/a.tar.zst", "ticds-store export STORE out/a.db",
        "ticds-store extract STORE out/a.sqlite", "ticds-store recover STORE --to out/a.jsonl",
        "ticds-store replay demo --document pantry --to out/a.store", "ticds-remote snapshot demo out",
        "ticds-sync clone demo out/replica --document pantry --yes",
        "ticds-model decompile demo out/m.xcdatamodel",
        "ticds-store migrate STORE --model demo/Cookbook.xcdatamodel --to out/a.xml",
        "ticds-store dump STORE",
    ]

    /// No umask and no limit of descriptors makes a command fill the disk or wait; each command reports the problem.
    @Test(arguments: [
        "umask 0777", "umask 0477", "umask 0277", "ulimit -n 4", "ulimit -n 6", "ulimit -n 8",
        "ulimit -n 10",
    ])
    func noMoreThanOneFolder(limit: String) throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("Documents/pantry/") })
        try demo.scratch.shell(
            "mkdir out tmp home; chmod 755 .; chmod -R a+rX demo; chmod 777 out tmp home")
        for command in Self.commands {
            let line = command.replacing("STORE", with: "\"\(store)\"")
            let result = try Self.run("\(limit); \(line)", demo.scratch)
            // The command ends by itself, and at once.
            #expect(result.status != -9, "\(limit); \(command): \(result.status) \(result.errors)")
            let folders = try demo.scratch.shell(
                "find out tmp -mindepth 1 -maxdepth 1 -type d -name '*ticds*'")
            // A process that cannot open its folder leaves it to the next process.
            #expect(folders.split(separator: "\n").count <= 1, "\(limit); \(command): \(folders)")
            try demo.scratch.shell("rm -rf out tmp; mkdir out tmp; chmod 777 out tmp")
        }
    }

    /// Errors name the target, and not the private folder in which it is made.
    @Test func errorsNameTheTarget() throws {
        let demo = try DemoRemote(changeSets: 6)
        let store = try #require(try demo.wholeStores.first { $0.contains("Documents/pantry/") })
        let work = demo.scratch.path.appending("work").string
        let model = demo.scratch.path.appending("demo/Cookbook.xcdatamodel").string
        try demo.scratch.shell("mkdir work; ticds-archive export '\(demo.path)' work/a.tar.gz")
        for (limit, command, target) in [
            (0, "ticds demo new", "new/com.example.cookbook/ReadMe.txt"),
            (2, "ticds-store export '\(store)' --to out.db", "out.db"),
            (2, "ticds-store extract '\(store)' out.sqlite", "out.sqlite"),
            (0, "ticds-archive extract a.tar.gz out --document pantry", "out/com.example.cookbook/"),
            (
                64, "ticds-sync clone '\(demo.path)' replica --document pantry --model '\(model)' --yes",
                "replica/"
            ),
        ] {
            // The test uses a pipe, since the limit also applies to its own files.
            let result = try Program.shell(
                "cd '\(work)'; (ulimit -f \(limit); \(command)) 2>&1 | cat; exit ${PIPESTATUS[0]}")
            let text = result.output
            #expect(result.status == 2, "\(command): \(result.status) \(text)")
            #expect(!text.contains(/\.ticds[-a-z]*\.[0-9a-f]{16}/), "\(command): \(text)")
            #expect(text.contains(": \(target)") && !text.contains("Set TMPDIR"), "\(command): \(text)")
        }
    }

    /// Errors name the target in paths inside sentences, and in absolute paths although the folder is relative.
    @Test func targetsStandForPrivateFolders() throws {
        let scratch = try Scratch()
        let folder = try TemporaryFolder(in: scratch.path, prefix: ".ticds")
        folder.represent("there/out.db", as: "out.db")
        for (path, visible) in [
            ("out.db", "there/out.db"), ("out.db/a/b", "there/out.db/a/b"), ("other", "there/out.db"),
        ] as [(FilePath, FilePath)] {
            let problem = FileProblem(
                .damaged, path: folder.path.pushing(path), "broken",
                found: "\(folder.path.appending("out.db")) here")
            #expect(problem.withVisiblePaths.path == visible)
            #expect(problem.withVisiblePaths.found == "there/out.db here")
        }
        let elsewhere = FileProblem(.damaged, path: "/x/.ticds.0123456789abcdef/y", "broken")
        #expect(elsewhere.withVisiblePaths == elsewhere)
    }

    /// The next process removes a folder that only a killed process can have left, and that no process can open.
    @Test func foldersOfAnExtremeUmaskAreRemoved() throws {
        let scratch = try Scratch()
        try scratch.shell("mkdir p; mkdir p/.ticds.0123456789abcdef; chmod 0 p/.ticds.0123456789abcdef")
        let folder = try TemporaryFolder(in: scratch.path.appending("p"), prefix: ".ticds")
        #expect(try scratch.shell("ls -A p") == "\(folder.path.lastComponent?.string ?? "")\n")
    }

    /// A call that always fails as if interrupted by a signal is an error after a while, and not an endless loop.
    @Test(
        .enabled(if: FaultyProgram.library != nil, "needs a C compiler"),
        arguments: ["fsync", "mkdirat", "openat", "unlinkat", "renameat2", "utimensat"])
    func interruptedForEver(call: String) throws {
        let demo = try DemoRemote()
        let environment = [
            "XDG_STATE_HOME": demo.scratch.path.appending("state").string,
            "LD_PRELOAD": FaultyProgram.library?.string ?? "",
            "TICDS_FAULT": "\(FaultyProgram.Fault.lacks(call, .interrupted))",
        ]
        let words = ["delete", demo.path, "pantry", "--yes"]
        let result = try Program.run("ticds-document", words, environment: environment, seconds: 30)
        #expect(result.status >= 0, "\(call): \(result.status)")
    }
}
