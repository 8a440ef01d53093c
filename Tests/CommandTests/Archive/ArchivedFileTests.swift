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

        /// - Parameters:
        ///   - form: the ending of the archive; "tar" for one without a manifest.
        ///   - damage: a line for the shell, which changes the remote before the archive is made.
        init(_ kind: DemoRemote.Kind, _ form: String, damage: String = ":") throws {
            demo = try DemoRemote(kind, changeSets: 6)
            try demo.scratch.shell("find demo -type l -delete; cd demo/com.example.cookbook; \(damage)")
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
        func results(
            password: Bool = true, _ words: (String) throws -> [String]
        ) throws -> [(status: Int32, text: String)] {
            try roots.map { root in
                let words = try words(root)
                let options = password ? demo.passwordOptions : []
                let result = try Program.run(words[0], Array(words.dropFirst()) + options)
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

    private static let stores = "Documents/cookbook/WholeStore"

    /// The path of a whole store, and of the register beside it.
    private static func store(_ place: Place) throws -> (store: String, register: String) {
        let clients = try FileManager.default.contentsOfDirectory(atPath: "\(place.demo.path)/\(stores)")
        let folder = "\(stores)/\(try #require(clients.min()))"
        return ("\(folder)/WholeStore.ticdsync", "\(folder)/AppliedSyncChangeSets.ticdsync")
    }

    @Test(arguments: ["tar.zst", "tar"]) func exportHasTheHistoryOfTheArchive(form: String) throws {
        let place = try Place(.plain, form)
        let (store, _) = try Self.store(place)
        let target = place.demo.scratch.path.appending("history.db")
        let countChanges = "SELECT count(*) FROM history"
        var changes: Set<String> = []
        let results = try place.results { root throws in
            // The first call makes the database.
            if try FileStatus.ifPresent(target) != nil {
                changes.insert(try SQLiteShell.run(target, countChanges))
            }
            return [
                "ticds-store", "export", "\(root)/\(store)", "--to", target.string, "--history", "--force",
            ]
        }
        changes.insert(try SQLiteShell.run(target, countChanges))
        #expect(results.allSatisfy { $0.status == 0 && $0.text == results[0].text }, "\(results)")
        #expect(changes.count == 1 && changes.first?.hasPrefix("0") == false, "\(changes)")
    }

    /// A register is never encrypted.
    @Test(arguments: ["tar.zst", "tar"]) func unencryptedStoreNeedsNoPassword(form: String) throws {
        let place = try Place(.encrypted, form)
        let (store, register) = try Self.store(place)
        for words in [["ticds-store", "info"], ["ticds-store", "check"], ["ticds-model", "show"]] {
            let results = try place.results(password: false) { words + ["\($0)/\(register)"] }
            #expect(results.allSatisfy { $0 == results[0] }, "\(words): \(results)")
            #expect(results[0].status == (words == ["ticds-model", "show"] ? 2 : 0), "\(results)")
        }
        let results = try place.results(password: false) { ["ticds-store", "info", "\($0)/\(store)"] }
        #expect(results.allSatisfy { $0.status == 4 }, "\(results)")
    }

    /// Messages about the private copy of a damaged file name the file in the archive.
    @Test(arguments: ["tar.zst", "tar"]) func damagedStoreIsNamedAndSalvaged(form: String) throws {
        let damage = """
            for f in \(Self.stores)/*/*.ticdsync; do touch -r $f ../time; printf garbage | dd of=$f conv=notrunc; \
            touch -r ../time $f; done
            """
        let place = try Place(.plain, form, damage: damage)
        let (store, register) = try Self.store(place)
        let commands: [(status: Int32, words: [String])] = [
            (5, ["ticds-store", "recover", store]), (5, ["ticds-store", "recover", register]),
            (2, ["ticds-store", "dump", store]), (5, ["ticds-inspect", "clients", ""]),
            (5, ["ticds-inspect", "status", ""]),
        ]
        for (status, words) in commands {
            let results = try place.results { words.dropLast() + ["\($0)/\(words[2])"] }
            #expect(results.allSatisfy { $0.status == status }, "\(words): \(results)")
            #expect(results.allSatisfy { $0.text == results[0].text }, "\(words): \(results)")
        }
        for words in [["migrate", "--to", "new.xml"], ["recover", "--model", "Cookbook.xcdatamodel"]] {
            let whole = try Place(.plain, form)
            let file = words[0] == "migrate" ? store : register
            let results = try whole.results { root in
                let options = words.dropFirst().map { $0.hasPrefix("-") ? $0 : "\(whole.demo.path)/../\($0)" }
                return ["ticds-store", words[0], "\(root)/\(file)"] + options
            }
            #expect(results.allSatisfy { $0.text == results[0].text }, "\(words): \(results)")
        }
    }

    /// An archive without a manifest is encrypted if it has a salt.
    @Test func encryptedTarDoesNotDifferFromItsFolder() throws {
        let place = try Place(.encrypted, "tar")
        let result = try Program.run("ticds-archive", ["diff", place.roots[2], place.demo.path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test(arguments: ["tar.zst", "tar"]) func folderInAnArchiveIsNoFileAndNoRemote(form: String) throws {
        let place = try Place(.plain, form)
        for words in [["ticds-inspect", "status"], ["ticds-changes", "dump"], ["ticds-verify", "file"]] {
            let results = try place.results { words + ["\($0)/Documents/cookbook"] }
            let isFile = words[1] == "file"
            let texts = isFile ? ["not a plain file", "is not a remote"] : ["is not a remote"]
            #expect(
                results.prefix(2).allSatisfy { result in
                    result.status == 2 && texts.contains { result.text.contains($0) }
                }, "\(words): \(results)")
        }
    }
}
