import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Reading leaves a remote unchanged: names, contents and times, including those of folders; and no file stays in the
/// temporary folder.
@Suite struct NothingWrittenTests {
    @Test(arguments: DemoRemote.Kind.allCases, [true, false])
    func demonstration(kind: DemoRemote.Kind, hasPassword: Bool) throws {
        if kind != .encrypted, !hasPassword { return }
        let demo = try DemoRemote(kind, changeSets: 4)
        let commands =
            ReadingCommand.all(on: demo.path)
            + ReadingCommand.all(onSets: try demo.changeSets, stores: try demo.wholeStores)
        try expectNothingWritten(in: demo.scratch.path) { temporary in
            for (number, command) in commands.enumerated() {
                let forms = [[], ["--json"]]
                for options in kind == .plain ? forms : [forms[number % 2]] {
                    let result = try command.run(
                        options, password: hasPassword ? demo.passwordOptions : [], environment: temporary)
                    let expected: Set<Int32> =
                        !hasPassword
                        ? [0, 1, 4]
                        : command.arguments[0] == "log" ? [kind == .damaged ? 5 : 1] : [0, 1, 5]
                    #expect(
                        expected.contains(result.status), "\(command.text): \(result.status) \(result.errors)"
                    )
                }
            }
            for command in ReadingCommand.refusing(try demo.wholeStores) {
                let result = try command.run(
                    password: hasPassword ? demo.passwordOptions : [], environment: temporary)
                let expected: Set<Int32> = hasPassword ? [0, 2] : [0, 2, 4]
                #expect(expected.contains(result.status), "\(command.text): \(result.errors)")
            }
        }
    }

    @Test(arguments: ["dropbox-plain-zip", "enc-multi", "plain-removed", "plain-unicode"])
    func remotesOfTheFramework(name: String) throws {
        let sample = try SampleRemote(name)
        let scratch = try Scratch()
        let password = ["--password-file", try scratch.password("correct horse")]
        let stores = try RemoteFiles.named("/WholeStore.ticdsync", below: sample.folder.path)
        let commands =
            ReadingCommand.all(on: sample.parent().string)
            + ReadingCommand.all(onSets: [], stores: Array(stores.prefix(3)))
        try expectNothingWritten(in: sample.folder.path) { temporary in
            for (number, command) in commands.enumerated() {
                let result = try command.run(
                    number % 2 == 0 ? ["--json"] : [], password: password, environment: temporary)
                let isEmptySearch = ["search", "log"].contains(command.arguments[0])
                let expected: Set<Int32> =
                    name == "plain-removed"
                    ? [0, 1, 2]
                    : isEmptySearch
                        ? [1, 2]
                        : command.program == "ticds-verify" ? [0, 1] : [0]
                #expect(
                    expected.contains(result.status), "\(command.text): \(result.status) \(result.errors)")
            }
        }
    }

    /// A store with its log beside it is read from a private copy.
    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            ("surfjournal", "SurfJournalModel.sqlite", 5_000), ("bookmarks", "Bookmarks_V4.sqlite", 1),
        ])
    func storesWithALog(sample: String, store: String, objects: Int) throws {
        let scratch = try Scratch()
        try scratch.shell("cp -r '\(Samples.path("sqlite-stores/\(sample)"))' store; chmod -R u+w store")
        let path = scratch.path.appending("store").appending(store).string
        try expectNothingWritten(in: scratch.path) { temporary in
            let lines = try Program.run("ticds-store", ["dump", path, "--json"], environment: temporary)
            #expect(lines.status == 0, "\(lines.errors)")
            #expect(lines.output.split(separator: "\n").count >= objects)
            #expect(try Program.run("ticds-store", ["dump", path], environment: temporary).status == 0)
        }
    }

    private func expectNothingWritten(
        in folder: FilePath, _ body: (_ environment: [String: String]) throws -> Void
    ) throws {
        let temporary = try Scratch()
        let before = try TreeImage(of: folder)
        try body(["TMPDIR": temporary.path.string, "HOME": temporary.path.string])
        #expect(try TreeImage(of: folder).differences(from: before) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path.string) == [])
    }
}
