import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Remotes that the framework wrote: a command has the same output for a remote in a storage as for a local folder with
/// the times of the storage.
@Suite(
    .enabled(if: LongTests.areWanted, "long: make check runs it"),
    .enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), .waiting)
struct StorageSampleTests {
    /// The remotes of the fixtures; in a thorough run all of them, before and after each operation.
    private static let names =
        CrashTests.isThorough
        ? SampleRemote.names.map { "\($0)/remote" }
            + SampleRemote.pairs.flatMap { ["\($0)/before", "\($0)/after"] }
        : ["dropbox-plain-zip/remote", "enc-multi/remote", "plain-unicode/remote"]

    @Test(arguments: StorageServer.Kind.available) func samples(_ kind: StorageServer.Kind) throws {
        let scratch = try Scratch()
        let local = scratch.path.appending("local")
        try TestFiles.makeFolder(local)
        for name in Self.names {
            let folder = local.pushing(FilePath(name))
            try TestFiles.makeFolders(folder)
            let source = try Fixtures.remotes.pushing(FilePath(name))
            try scratch.shell("cp -a '\(source)/.' '\(folder)'")
        }
        if kind.resolution > 1 { try scratch.shell("\(Self.withoutFractions) local") }
        let place = try StorageServer.shared(kind).place(copying: local)
        let environment = [
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.path.string,
            "XDG_CACHE_HOME": "\(scratch.path)/cache", "XDG_STATE_HOME": "\(scratch.path)/state",
            "TMPDIR": scratch.path.string,
        ]
        for name in Self.names {
            let parts = name.split(separator: "/")
            let description = try Fixtures.remotes.appending("\(parts[0]).json")
            let json = try JSONSerialization.jsonObject(with: Data(FileBytes.read(description).array))
            let password = (json as? [String: Any])?["password"] as? String
            var options: [String] = []
            if let password {
                options = [
                    "--password-file", try scratch.write("\(parts[0])-\(parts[1])", Array(password.utf8)),
                ]
            }
            for (program, words) in [
                ("ticds-inspect", ["status"]), ("ticds-verify", []), ("ticds-changes", ["dump"]),
            ] as [(String, [String])] {
                let mine = try Program.run(
                    program, words + ["\(local)/\(name)", "--json"] + options, environment: environment)
                let its = try Program.run(
                    program, words + [place.address(name), "--json"] + options, environment: environment)
                #expect(mine.status == its.status, "\(name) \(program): \(its.errors)")
                let root = "\(local)/\(name)"
                #expect(comparable(its, root) == comparable(mine, root), "\(name) \(program)")
            }
        }
    }

    /// Rounds the time of every entry below a folder down to seconds.
    private static let withoutFractions = """
        python3 -c 'import os, sys
        for folder, folders, files in os.walk(sys.argv[1], topdown=False):
            for path in [folder] + [os.path.join(folder, name) for name in files]:
                seconds = int(os.stat(path).st_mtime_ns // 10**9)
                os.utime(path, (seconds, seconds))'
        """

    /// The text about the contents, without the place, the storage, and the duration of a run.
    private func comparable(_ result: Program.Result, _ root: String) -> String {
        (result.output + result.errors).withoutRemedies.replacing(root, with: "ROOT")
            .replacing(#/rclone::[a-z0-9]+,\.\.\.:[^"\n ]*?\/(before|after|remote)/#, with: "ROOT")
            .replacing(#/"location": "[a-z]+",\s*"capabilities": (null|\{[^}]*\}),\s*/#, with: "")
            .replacing(#/"seconds": ?[0-9.]+/#, with: "")
            // The time of a folder, which buckets lack.
            .replacing(#/"lastSync": "[^"]*",/#, with: "")
    }
}
