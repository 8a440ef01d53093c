import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Commands that read single files take the path of a file in an archive, and print the same as for the file.
@Suite(.waiting) struct ArchivedFileTests {
    private struct Place {
        let demo: DemoRemote
        let archives: FilePath
        let roots: [String]

        /// - Parameter form: the ending of the archive; "tar" for one without a manifest.
        init(_ kind: DemoRemote.Kind, _ form: String) throws {
            demo = try DemoRemote(kind, changeSets: 6)
            try demo.scratch.shell("find demo -type l -delete")
            archives = demo.scratch.path.appending("archives")
            try TestFiles.makeFolder(archives)
            let file: FilePath
            if form == "tar" {
                file = archives.appending("a.tar")
                try demo.scratch.shell("tar -C demo --format=pax -cf '\(file)' com.example.cookbook")
            } else {
                let words =
                    form == "snapshot"
                    ? ["ticds-remote", "snapshot", demo.path, archives.string]
                    : ["ticds-archive", "export", demo.path, archives.appending("a.\(form)").string]
                let made = try Program.run(
                    words[0], Array(words.dropFirst()),
                    environment: ["XDG_STATE_HOME": "\(demo.scratch.path)/state"])
                try #require(made.status == 0, "\(made.errors)")
                file =
                    form == "snapshot" ? FilePath("\(archives):latest") : archives.appending("a.\(form)")
            }
            roots = [demo.path, "\(file)/com.example.cookbook", file.string]
        }

        /// The texts for each root, without the root, and the statuses.
        func results(_ words: (String) -> [String]) throws -> [(status: Int32, text: String)] {
            try roots.map { root in
                let words = words(root)
                let result = try Program.run(words[0], Array(words.dropFirst()) + demo.passwordOptions)
                var text = result.output + result.errors
                for root in roots.sorted(by: { $0.utf8.count > $1.utf8.count }) {
                    text = text.replacing(root, with: "ROOT")
                }
                text = text.replacing(#/[^ ]*\.tar\.zst\/com\.example\.cookbook/#, with: "ROOT")
                return (result.status, text.withoutRemedies)
            }
        }
    }

    @Test(arguments: DemoRemote.Kind.allCases, ["tar.zst", "zip", "tar", "snapshot"])
    func printsTheSameAsForTheFile(kind: DemoRemote.Kind, form: String) throws {
        let place = try Place(kind, form)
        let all = try place.demo.changeSets.map { String($0.dropFirst(place.demo.path.utf8.count + 1)) }
        let (set, other) = (try #require(all.first), try #require(all.last))
        let client = try #require(set.split(separator: "/").dropLast().last)
        let files = [
            set, other, "Documents/cookbook/documentInfo.plist",
            "ClientDevices/\(client)/deviceInfo.plist",
            "Documents/cookbook/WholeStore/\(client)/AppliedSyncChangeSets.ticdsync",
        ]
        let commands: [(String) -> [String]] =
            [
                { ["ticds-changes", "dump", "\($0)/\(set)"] },
                { ["ticds-changes", "dump", "\($0)/\(set)", "--json"] },
                { ["ticds-changes", "dump", "\($0)/\(set)", "\($0)/\(other)"] },
                { ["ticds-changes", "stats", "\($0)/\(set)", "\($0)/\(other)"] },
                { ["ticds-changes", "search", "\($0)/\(set)", "soup"] },
                { ["ticds-changes", "diff", "\($0)/\(set)", "\($0)/\(other)"] },
                { ["ticds-changes", "recover", "\($0)/\(set)"] },
                { ["ticds-store", "info", "\($0)/\(set)"] },
            ]
            + files.map { file in { ["ticds-verify", "file", "\($0)/\(file)"] } }
        for command in commands {
            let results = try place.results(command)
            let words = command("ROOT").joined(separator: " ")
            #expect(results.map(\.status) == results.map { _ in results[0].status }, "\(words): \(results)")
            #expect(results.allSatisfy { $0.text == results[0].text }, "\(words): \(results)")
        }
    }

    @Test func missingFileInAnArchiveIsNamed() throws {
        let place = try Place(.plain, "tar.zst")
        let set = "Documents/cookbook/SyncChanges/no/none.syncchg"
        for words in [["ticds-changes", "dump"], ["ticds-verify", "file"], ["ticds-store", "info"]] {
            let results = try place.results { words + ["\($0)/\(set)"] }
            #expect(results.allSatisfy { $0.status == 2 && $0.text.contains("no such file") }, "\(results)")
        }
    }
}
