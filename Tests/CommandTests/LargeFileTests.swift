import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Files that are larger than real ones, sparse ones of 4 GB: no command takes memory for their content, and each
/// reports what it did not read.
@Suite(.enabled(if: Python.available)) struct LargeFileTests {
    private static let most = 300

    /// The status, output and memory in megabytes of a run.
    private func run(
        _ demo: DemoRemote, _ command: String
    ) throws -> (status: Int32, text: String, megabytes: Int) {
        let script = """
            import resource, subprocess, sys
            status = subprocess.call(sys.argv[1:])
            kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            open('memory', 'w').write(str(kilobytes // 1024))
            sys.exit(status if status >= 0 else 200)
            """
        let measure = try demo.scratch.write("measure.py", Array(script.utf8))
        let result = try Program.shell(
            "cd '\(demo.scratch.path)' && python3 '\(measure)' \(command)",
            environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string], seconds: 120)
        let memory = String(
            decoding: try FileBytes.read(demo.scratch.path.appending("memory")).array, as: UTF8.self)
        return (result.status, result.output + result.errors, try #require(Int(memory)))
    }

    /// A log reads one set after another: its memory does not grow with their number.
    @Test func changesLogOfManySets() throws {
        var peaks: [Int] = []
        for count in [300, 3_000] {
            let demo = try DemoRemote(changeSets: count)
            let result = try run(demo, "ticds-changes log '\(demo.path)' soup")
            #expect(result.status == 0 && result.text.utf8.count > count, "\(result.text.prefix(1_000))")
            peaks.append(result.megabytes)
        }
        #expect(Double(peaks[1]) <= 1.3 * Double(peaks[0]), "\(peaks)")
    }

    /// Enlarges a file to 4 GB, keeping its beginning.
    private func grow(_ file: String) throws { #expect(truncate(file, 4 << 30) == 0, "\(file)") }

    private func first(_ suffix: String, _ demo: DemoRemote) throws -> String {
        try #require(try RemoteFiles.named(suffix, below: demo.root).first)
    }

    /// All commands if long tests are wanted, otherwise the first ones.
    private func chosen(_ commands: [String]) -> [String] {
        LongTests.areWanted ? commands : Array(commands.prefix(3))
    }

    /// Whether a text reports a file that was not read.
    private func isTold(_ text: String) -> Bool {
        text.contains("is larger than any real") || text.contains("TICDS-0719")
    }

    @Test func propertyLists() throws {
        let demo = try DemoRemote()
        let client = FilePath(try first("/deviceInfo.plist", demo)).removingLastComponent().lastComponent
        try grow(try first("/deviceInfo.plist", demo))
        try grow(demo.path + "/Documents/cookbook/documentInfo.plist")
        let name = try #require(client?.string)
        for command in chosen([
            "ticds-verify", "ticds-changes list --document cookbook", "ticds-store list",
            "ticds-inspect status",
            "ticds-inspect report --html report", "ticds-inspect stores",
            "ticds-vacuum --dry-run --document cookbook",
            "ticds-client delete --dry-run",
        ]) {
            let words = command.contains("delete") ? "'\(demo.path)' '\(name)'" : "'\(demo.path)'"
            let result = try run(demo, "\(command) \(words)")
            #expect(result.megabytes < Self.most, "\(command): \(result.megabytes) MB")
            // These commands need nothing from the files.
            if command.hasPrefix("ticds-vacuum") || command.hasPrefix("ticds-client") { continue }
            #expect(result.status != 0 && isTold(result.text), "\(command): \(result.text)")
        }
    }

    @Test func changeSets() throws {
        let demo = try DemoRemote()
        let set = try #require(try demo.changeSets.last)
        try grow(set)
        for command in chosen([
            "ticds-verify '\(demo.path)'", "ticds-verify --level deep '\(demo.path)'",
            "ticds-changes dump '\(set)'", "ticds-changes dump '\(demo.path)' --document cookbook",
            "ticds-changes list '\(demo.path)' --document cookbook --counts",
            "ticds-store replay '\(demo.path)' --document cookbook --from-sets --to replayed --model demo/Cookbook.xcdatamodel",
        ]) {
            let result = try run(demo, command)
            #expect(result.megabytes < Self.most, "\(command): \(result.megabytes) MB")
            #expect(result.status > 0 && result.status < 64, "\(command): \(result.text)")
            #expect(isTold(result.text), "\(command): \(result.text)")
        }
    }

    /// Every run reads the set again.
    @Test func runsOfAReplica() throws {
        let demo = try DemoRemote()
        let clone =
            "ticds-sync clone '\(demo.path)' replica --document cookbook --model demo/Cookbook.xcdatamodel --yes"
        #expect(try run(demo, clone).status == 0)
        let set = try #require(try demo.changeSets.last)
        let new = set.replacing(FilePath(set).stem ?? "", with: "20301231T000000-\(UUID().uuidString)")
        try TestFiles.write(FilePath(new), FileBytes.read(FilePath(set)).array)
        try grow(new)
        for _ in 1...2 {
            let result = try run(demo, "ticds-sync run replica")
            #expect(result.megabytes < Self.most, "\(result.megabytes) MB")
            #expect(result.status != 0 && isTold(result.text), "\(result.status): \(result.text)")
        }
    }

    /// No command reads the content of these files, or only the needed part.
    @Test func otherFiles() throws {
        let demo = try DemoRemote()
        for file in try [
            demo.wholeStores[0], first("/AppliedSyncChangeSets.ticdsync", demo), first(".recentsync", demo),
        ] + RemoteFiles.named("", below: demo.root.appending("Documents/cookbook/IntegrityKey")).suffix(1) {
            try grow(file)
        }
        for command in chosen([
            "ticds-verify --level headers", "ticds-store list", "ticds-inspect status",
            "ticds-inspect report --html report",
            "ticds-inspect stores", "ticds-changes list --document cookbook", "ticds-vacuum --dry-run",
            "ticds-integrity show",
        ]) {
            let result = try run(demo, "\(command) '\(demo.path)'")
            #expect(result.megabytes < Self.most, "\(command): \(result.megabytes) MB")
            #expect(result.status < 64, "\(command): \(result.text)")
        }
    }

    /// Whether the file system of the tests supports files of any size, like tmpfs.
    private static let holdsAnything: Bool = {
        guard let scratch = try? Scratch(), let file = try? scratch.write("large", [1]) else { return false }
        return truncate(file, .max) == 0
    }()

    /// Files of 8 EiB with the first bytes of real ones, so that they do not look absent. No command reads them or puts
    /// them into an archive or a copy, and each command that omits one names it.
    @Test(.enabled(if: holdsAnything, "needs a tmpfs"), arguments: [false, true])
    func beyondAllBounds(isEncrypted: Bool) throws {
        let demo = try isEncrypted ? DemoRemote(.encrypted) : DemoRemote()
        let set = FilePath(try #require(try demo.changeSets.last))
        let copy = set.removingLastComponent().appending("\(set.stem ?? "") (1).syncchg")
        try TestFiles.write(copy, FileBytes.read(set).array)
        let store = try demo.wholeStores[0]
        let largest = Int(Int64.max) - (isEncrypted ? 15 : 0)
        for file in [set.string, copy.string, store, "\(demo.path)/ReadMe.txt"] {
            #expect(truncate(file, largest) == 0, "\(file)")
        }
        let remote = "'\(demo.path)' " + demo.passwordOptions.map { "'\($0)'" }.joined(separator: " ")
        let decrypt = isEncrypted ? ["export \(remote) --decrypt plain.tar.zst"] : []
        for command in ["export '\(demo.path)' whole.tar.zst", "export '\(demo.path)' whole.zip"] + decrypt {
            let result = try run(demo, "ticds-archive \(command)")
            #expect(result.status == 5 && result.megabytes < Self.most, "\(command): \(result.text)")
            for name in [set.stem ?? "", "(1)", "WholeStore", "ReadMe.txt"] {
                #expect(result.text.contains(name) && isTold(result.text), "\(result.text)")
            }
        }
        #expect(try run(demo, "ticds-archive verify whole.tar.zst").status == 5)
        let dated = try run(demo, "sh -c 'mkdir dated; ticds-remote snapshot \"\(demo.path)\" dated'")
        #expect(dated.status == 5 && isTold(dated.text), "\(dated.status) \(dated.text)")
        let copied = try run(demo, "sh -c 'mkdir there; ticds-remote copy \"\(demo.path)\" there --yes'")
        #expect(copied.status == 2 && isTold(copied.text), "\(copied.status) \(copied.text)")
        #expect(try RemoteFiles.named("", below: demo.scratch.path.appending("there")) == [])
        for command in chosen([
            "ticds-verify \(remote)", "ticds-inspect status \(remote)", "ticds-verify --level deep \(remote)",
            "ticds-inspect stores \(remote)", "ticds-vacuum --dry-run \(remote)",
            "ticds-store list \(remote)", "ticds-changes list --document cookbook \(remote)",
        ]) {
            let result = try run(demo, command)
            #expect(result.status < 64 && result.megabytes < Self.most, "\(command): \(result.text)")
        }
    }

    @Test(arguments: ["salt", "test"]) func encryption(file: String) throws {
        let demo = try DemoRemote(.encrypted)
        try grow("\(demo.path)/Encryption/\(file).ticdsync")
        for command in chosen(["ticds-verify --level headers", "ticds-store list", "ticds-inspect status"]) {
            let words = demo.passwordOptions.map { "'\($0)'" }.joined(separator: " ")
            let result = try run(demo, "\(command) '\(demo.path)' \(words)")
            #expect(result.megabytes < Self.most, "\(command): \(result.megabytes) MB")
            #expect(
                result.status < 64 && (file == "test" || result.status != 0), "\(command): \(result.text)")
        }
    }
}
