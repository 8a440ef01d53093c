import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Files that vanish or cannot be read while the others can.
@Suite struct VanishingFileTests {
    /// The password command runs after the listing, and removes a file.
    @Test func betweenListingAndReading() throws {
        let demo = try DemoRemote(.encrypted)
        let whole = try Program.run("ticds-changes", ["dump", demo.path, "--json"] + demo.passwordOptions)
        let set = try #require(try demo.changeSets.last)
        let remove = "rm '\(set)'; printf '\(DemoRemote.password)'"
        let result = try Program.run(
            "ticds-changes", ["dump", demo.path, "--json", "--password-command", remove])
        #expect(result.status == 5, "\(result.errors)")
        #expect(result.errors.contains("\"path\":\"\(set)\""), "\(result.errors)")
        let identifier = URL(filePath: set).deletingPathExtension().lastPathComponent
        let left = whole.output.split(separator: "\n").filter { !$0.contains(identifier) }
        #expect(result.output.split(separator: "\n") == left)
        #expect(!left.isEmpty)
    }

    @Test func aDescriptionVanishes() throws {
        let demo = try DemoRemote(.encrypted)
        let info = demo.root.appending("Documents").appending("pantry").appending("documentInfo.plist").string
        let remove = "rm '\(info)'; printf '\(DemoRemote.password)'"
        let result = try Program.run(
            "ticds-inspect", ["documents", demo.path, "--password-command", remove])
        #expect(result.status == 5)
        #expect(result.output.contains("Family cookbook") && result.output.contains("pantry"))
        #expect(result.errors.hasPrefix("ticds-inspect: \(info): "), "\(result.errors)")
    }

    /// Runs as the user nobody if the tests run as root, who may read everything.
    @Test(.enabled(if: nobodyCanRun)) func noPermission() throws {
        let demo = try DemoRemote()
        let sets = try demo.changeSets
        let set = try #require(sets.first { !$0.contains("/pantry/") })
        try demo.scratch.shell("chmod 755 . ; chmod 000 '\(set)' demo/*/Documents/pantry/SyncChanges")
        defer { _ = try? demo.scratch.shell("chmod 700 demo/*/Documents/pantry/SyncChanges") }
        let folder = demo.root.appending("Documents").appending("pantry").appending("SyncChanges").string
        let dump = try asNobody("./ticds-changes dump '\(demo.path)'")
        #expect(dump.status == 5)
        for path in [set, folder] {
            #expect(dump.errors.contains("ticds-changes: \(path): "), "\(dump.errors)")
        }
        #expect(dump.output.contains("cookbook / "))
        let status = try asNobody("./ticds-inspect status '\(demo.path)'")
        #expect(status.status == 5)
        #expect(status.errors.contains("ticds-inspect: \(folder): "), "\(status.errors)")
        #expect(status.output.contains("cookbook"))
        let tree = try asNobody("./ticds-inspect tree '\(demo.path)' --json")
        #expect(tree.status == 5)
        #expect(tree.output.contains("\"kind\": \"unreadable\""))
        let file = try asNobody("./ticds-changes dump '\(set)'")
        #expect(file.status == 2)
        #expect(file.errors.hasPrefix("ticds-changes: \(set): "), "\(file.errors)")
    }

    /// An unreadable file is a finding, even if no client reads it.
    @Test(.enabled(if: nobodyCanRun)) func noForeignFileIsPassedOver() throws {
        let demo = try DemoRemote()
        let files = ["\(demo.path)/ReadMe.txt", "\(demo.path)/Documents/pantry/ReadMe.txt"]
        for file in files {
            try demo.scratch.shell("chmod 755 . ; echo text > '\(file)'; chmod 000 '\(file)'")
        }
        for level in ["headers", "contents", "deep"] {
            let result = try asNobody("./ticds-verify '\(demo.path)' --level \(level)")
            #expect(result.status == 1, "\(level): \(result.errors)")
            #expect(result.output.contains(": 2 errors"), "\(level): \(result.output)")
            for file in ["ReadMe.txt", "Documents/pantry/ReadMe.txt"] {
                let finding = "  error TICDS-0717: A file cannot be read\n    \(file)\n"
                #expect(result.output.contains(finding), "\(result.output)")
            }
            #expect(!result.output.contains("blocks"), "\(result.output)")
        }
        #expect(try asNobody("./ticds-verify '\(demo.path)' --level names").status == 0)
    }

    static let nobodyCanRun: Bool = {
        let result = try? asNobody("./ticds-changes --version")
        return result?.status == 0
    }()

    static func asNobody(_ line: String) throws -> Program.Result {
        if getuid() != 0 { return try Program.shell(line) }
        return try Program.shell("setpriv --reuid=65534 --regid=65534 --clear-groups \(line)")
    }

    private func asNobody(_ line: String) throws -> Program.Result { try Self.asNobody(line) }
}
