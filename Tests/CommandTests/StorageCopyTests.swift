import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Commands that download a remote from a storage.
@Suite(
    .enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"),
    .enabled(if: LongTests.areWanted, "long: make check runs it"), .waiting)
struct StorageCopyTests {
    private static func environment(_ scratch: Scratch) -> [String: String] {
        [
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.path.string,
            "XDG_CACHE_HOME": "\(scratch.path)/cache", "XDG_STATE_HOME": "\(scratch.path)/state",
            "TMPDIR": scratch.path.string,
        ]
    }

    /// A copy has every file with its bytes and its time; an update copies only changed files.
    @Test(arguments: StorageServer.Kind.available) func copy(_ kind: StorageServer.Kind) throws {
        let demo = try DemoRemote(changeSets: 4)
        let environment = Self.environment(demo.scratch)
        let place = try StorageServer.shared(kind).place(copying: demo.root)
        try TestFiles.makeFolder(demo.scratch.path.appending("copies"))
        let target = "\(demo.scratch.path)/copies/\(place.name)"
        let words = ["copy", place.address(), target, "--yes"]
        let copied = try Program.run("ticds-remote", words, environment: environment)
        #expect(copied.status == 0, "\(copied.errors)")
        try Self.compare(demo.root, FilePath(target), resolution: kind.resolution)

        let again = try Program.run("ticds-remote", words + ["--update"], environment: environment)
        #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again.output)\(again.errors)")
        guard let folder = place.folder else { return }
        try demo.scratch.shell("echo new > '\(folder)/Documents/pantry/SyncChanges/new'")
        let updated = try Program.run("ticds-remote", words + ["--update"], environment: environment)
        #expect(updated.status == 0, "\(updated.errors)")
        try Self.compare(folder, FilePath(target), resolution: kind.resolution)
    }

    /// A copy that is changed during the transfer equals that of the folder.
    @Test func encryptedCopy() throws {
        let demo = try DemoRemote(changeSets: 2)
        let environment = Self.environment(demo.scratch)
        let secret = try demo.scratch.password("sesame")
        try TestFiles.makeFolder(demo.scratch.path.appending("other"))
        let target = "\(demo.scratch.path)/other/com.example.cookbook"
        let copied = try Program.run(
            "ticds-remote",
            [
                "copy", "rclone::local:\(demo.path)", target, "--encrypt", "--new-password-file", secret,
                "--yes",
            ],
            environment: environment)
        #expect(copied.status == 0, "\(copied.errors)")
        let opened = try Program.run(
            "ticds-remote", ["check-password", target, "--password-file", secret, "--all"],
            environment: environment)
        #expect(opened.status == 0, "\(opened.errors)")
    }

    /// Snapshots of two remotes with the same name on two servers are not confused.
    @Test func snapshots() throws {
        let demo = try DemoRemote(changeSets: 2)
        let environment = Self.environment(demo.scratch)
        let backup = "\(demo.scratch.path)/backup"
        try TestFiles.makeFolder(FilePath(backup))
        var places: [String] = ["rclone::local:\(demo.path)"]
        for kind in StorageServer.Kind.available where kind != .sftp {
            let place = try StorageServer(kind).place(copying: demo.root)
            // The name is the same everywhere.
            places.append(place.address())
            let written = try Program.run(
                "ticds-remote", ["snapshot", place.address(), backup], environment: environment)
            #expect(written.status == 0, "\(written.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: backup).filter { !$0.hasPrefix(".") }
        #expect(names.count == places.count - 1, "\(names)")
        // The identifier of the remote is between the application identifier and the time.
        #expect(
            Set(names.map { $0.split(separator: "-").dropFirst().first }).count == names.count, "\(names)")
        for name in names {
            #expect(name.hasPrefix("place1"), "\(name)")
            let checked = try Program.run("ticds-archive", ["verify", "\(backup)/\(name)"])
            #expect(checked.status == 0, "\(checked.errors)")
        }
    }

    /// The second export of an unchanged remote only lists it.
    @Test(.enabled(if: Python.available, "needs python3")) func secondRunFetchesNothing() throws {
        // With this many sets, the registers of the whole stores are longer than one fetched piece.
        let demo = try DemoRemote(changeSets: 300)
        let environment = Self.environment(demo.scratch)
        let server = try StorageServer.shared(.webdav)
        let proxy = try FaultProxy(to: server)
        let place = try server.place(copying: demo.root).address(port: proxy.port)
        func run(_ program: String, _ words: [String]) throws -> Int {
            let result = try Program.run(program, words, environment: environment)
            #expect(result.status == 0, "\(words): \(result.errors)")
            return try proxy.count
        }
        try proxy.clear()
        let listing = try run("ticds-inspect", ["tree", place])
        try proxy.clear()
        let first = try run("ticds-archive", ["export", place, "\(demo.scratch.path)/one.tar.zst"])
        #expect(first > listing)
        _ = try run("ticds-inspect", ["status", place])
        try proxy.clear()
        // Every request after the listing is refused.
        try proxy.set(.denied, from: listing)
        let second = try run("ticds-archive", ["export", place, "\(demo.scratch.path)/two.tar.zst"])
        #expect(second <= listing)
        try proxy.clear()
        try proxy.set(.denied, from: listing)
        #expect(try run("ticds-inspect", ["status", place]) <= listing)
        try demo.scratch.shell("cmp one.tar.zst two.tar.zst")
        // A damaged copy in the cache is fetched again, and never used.
        try proxy.clear()
        try demo.scratch.shell(
            "for f in cache/ticds/mirror/*/*; do printf X | dd of=$f bs=1 conv=notrunc status=none; done")
        _ = try run("ticds-archive", ["export", place, "\(demo.scratch.path)/three.tar.zst"])
        try demo.scratch.shell("cmp one.tar.zst three.tar.zst")
    }

    /// The TAB key completes documents and clients in a storage, and the storages themselves. The second time needs no
    /// rclone.
    @Test func completion() throws {
        let demo = try DemoRemote(changeSets: 2)
        var environment = Self.environment(demo.scratch)
        environment["RCLONE_CONFIG_NAS_TYPE"] = "alias"
        environment["RCLONE_CONFIG_NAS_REMOTE"] = demo.scratch.path.string
        let place = "rclone:nas:demo/com.example.cookbook"
        func complete(_ name: String, _ words: [String]) throws -> String {
            let typed = ["ticds-inspect", "status"] + words
            return try Program.run(
                "ticds-inspect", ["---completion", "status", "--", name, "\(typed.count - 1)", "0"] + typed,
                environment: environment
            ).output
        }
        let documents = [place, "--document", ""]
        let found = try complete("--document", documents)
        #expect(found.contains("cookbook\tFamily cookbook") && found.contains("pantry"), "\(found)")
        environment["TICDS_RCLONE"] = "/nonexistent"
        #expect(try complete("--document", documents) == found)
        let clients = try complete("--client", [place, "--client", ""])
        #expect(clients.contains("Anna’s iPhone"), "\(clients)")
        environment["TICDS_RCLONE"] = InstalledRclone.path?.string ?? ""
        #expect(try complete("positional@0", ["rclone:"]).contains("rclone:nas:"))
        let folders = try complete("positional@0", ["rclone:nas:demo/"])
        #expect(folders.contains("rclone:nas:demo/com.example.cookbook/"), "\(folders)")
    }

    static func compare(_ one: FilePath, _ other: FilePath, resolution: Int32) throws {
        let mine = try RemoteScanner.scan(LocalStorage(root: one))
        let its = try RemoteScanner.scan(LocalStorage(root: other))
        #expect(Set(mine.folders.keys) == Set(its.folders.keys))
        for (folder, listing) in mine.folders {
            #expect(its.listing(folder).part.map(\.name) == listing.map(\.name), "\(folder)")
            for (entry, copy) in zip(listing, its.listing(folder).part) where entry.kind == .file {
                let path = folder.appending(entry.name)
                #expect(entry.modified.seconds == copy.modified.seconds, "\(path)")
                #expect(
                    entry.modified.nanoseconds / resolution == copy.modified.nanoseconds / resolution,
                    "\(path)")
                let bytes = try FileBytes.read(path.filePath(under: one)).array
                #expect(try FileBytes.read(path.filePath(under: other)).array == bytes, "\(path)")
            }
        }
    }
}
