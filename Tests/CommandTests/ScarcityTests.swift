import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Programs to which the system gives no threads or little memory: they do the same, or say so, and always end. What they
/// lack says nothing about files.
@Suite(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) struct ScarcityTests {
    private static let patience: Double = 60

    private func run(
        _ name: String, _ words: [String], _ fault: FaultyProgram.Fault, _ fixture: ArchiveFixture
    ) throws -> Program.Result {
        let environment = FaultyProgram.environment(fault).merging(["XDG_STATE_HOME": fixture.path("state")])
        { $1 }
        return try Program.run(name, words, environment: environment, seconds: Self.patience)
    }

    @Test func readingWithoutThreadsGivesTheSame() throws {
        let fixture = try ArchiveFixture()
        for command in ReadingCommand.all(on: fixture.root.string) {
            let expected = try command.run()
            let result = try command.run(
                environment: FaultyProgram.environment(.noThreads), seconds: Self.patience)
            #expect(result.status == expected.status, "\(command.text): \(result.status) \(result.errors)")
            let outputs = [result, expected].map { $0.output.replacing(#/ in [0-9.]+ s\./#, with: "") }
            #expect(outputs[0] == outputs[1], "\(command.text)")
        }
    }

    @Test(arguments: ["tar.zst", "tar.xz", "zip"]) func exportWithoutThreadsGivesTheSame(ending: String)
        throws
    {
        let fixture = try ArchiveFixture()
        let expected = try fixture.export("a.\(ending)")
        let made = fixture.path("made.\(ending)")
        let result = try run("ticds-archive", ["export", fixture.root.string, made], .noThreads, fixture)
        #expect(result.status == 0, "\(result.status) \(result.errors)")
        try fixture.scratch.shell("cmp '\(expected)' '\(made)'")
        let snapshot = try run(
            "ticds-remote", ["snapshot", fixture.root.string, fixture.place.string], .noThreads, fixture)
        #expect([0, 2].contains(snapshot.status), "\(snapshot.status) \(snapshot.errors)")
    }

    /// Only a zip is read without a second thread.
    @Test func archivesAreReadOrRefusedWithoutThreads() throws {
        let fixture = try ArchiveFixture()
        let zip = try fixture.export("a.zip")
        let verified = try run("ticds-archive", ["verify", zip], .noThreads, fixture)
        #expect(verified.status == 0 && verified.output.hasPrefix("Intact: "), "\(verified)")
        let target = fixture.path("in")
        try TestFiles.makeFolder(FilePath(target))
        let imported = try run("ticds-archive", ["import", zip, target, "--yes"], .noThreads, fixture)
        #expect(imported.status == 0, "\(imported.status) \(imported.errors)")
        let tree = try TreeFacts(FilePath(target).appending("com.example.cookbook"))
        #expect(tree.inSeconds.differences(from: try TreeFacts(fixture.root).inSeconds) == [])
        let file = try fixture.export("a.tar.zst")
        for verb in ["verify", "list"] {
            let result = try run("ticds-archive", [verb, file], .noThreads, fixture)
            #expect(result.status == 2 && result.output.isEmpty, "\(verb): \(result)")
            #expect(
                result.errors.contains("the system has none left") && !result.errors.contains("damaged"),
                "\(result.errors)")
        }
    }

    /// A decompressor needs more memory than there is.
    @Test(arguments: ["tar.zst", "tar.xz"]) func lackOfMemoryIsNoDamage(ending: String) throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.\(ending)")
        try fixture.scratch.shell("echo 5 > '\(fixture.root)/ReadMe.txt'")
        let words = [
            ["verify", file], ["verify", file, "--json"], ["list", file], ["find", file, "--name", "ReadMe"],
            ["export", fixture.root.string, fixture.path("new.\(ending)")],
        ]
        for words in words {
            let result = try run("ticds-archive", words, .memory(1_500_000), fixture)
            #expect(result.status == 2, "\(words): \(result.status) \(result.output) \(result.errors)")
            #expect(result.errors.contains("not enough memory"), "\(words): \(result.errors)")
            #expect(!(result.output + result.errors).contains("amaged"), "\(words): \(result)")
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.path("new.\(ending)")))
    }

    /// libgcrypt has no memory for a digest.
    @Test func lackOfMemoryForDigestsIsNamed() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let made = fixture.path("new.tar.zst")
        for words in [["export", fixture.root.string, made], ["verify", file]] {
            let result = try run("ticds-archive", words, .lacks("digest", .noMemory), fixture)
            #expect(result.status == 2, "\(words): \(result.status) \(result.errors)")
            #expect(result.errors.contains("not enough memory"), "\(words): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: made))
    }

    /// libgcrypt has no memory to decrypt anything: no file is called damaged.
    @Test(arguments: ["digest", "cipher"]) func lackOfMemoryForCiphersIsNoDamage(missing: String) throws {
        let demo = try DemoRemote(.encrypted)
        let environment = FaultyProgram.environment(.lacks(missing, .noMemory))
        for name in ["ticds-changes dump", "ticds-inspect status", "ticds-verify"] {
            let words = name.split(separator: " ").map(String.init)
            let result = try Program.run(
                words[0], words.dropFirst() + [demo.path] + demo.passwordOptions, environment: environment,
                seconds: Self.patience)
            #expect(result.status > 0, "\(name): \(result.status)")
            let text = result.output + result.errors
            #expect(text.contains("not enough memory"), "\(name): \(text)")
            #expect(!text.contains("amaged") && !text.contains("back-up"), "\(name): \(text)")
        }
    }

    /// `ulimit -f` is named wherever writing fails because of it.
    @Test(arguments: [
        "ticds-changes dump DEMO", "ticds demo new", "ticds-archive export DEMO new.zip",
        "ticds-archive export DEMO new.tar.zst",
        "ticds-store export DEMO --document cookbook --newest --model DEMO/Cookbook.xcdatamodel --to new",
    ])
    func limitOfFilesIsNamed(line: String) throws {
        let scratch = try Scratch()
        try scratch.shell("ticds demo demo --change-sets 12 --quiet")
        let result = try Program.shell(
            """
            cd '\(scratch.path)'; export XDG_STATE_HOME="$PWD/state" TMPDIR="$PWD"
            ulimit -f 8; \(line.replacing("DEMO", with: "demo")) > output
            """, seconds: Self.patience)
        #expect(
            result.status == 2 && result.errors.contains("ulimit -f"), "\(result.status) \(result.errors)")
    }
}
