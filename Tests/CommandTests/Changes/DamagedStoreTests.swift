import Base
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// No command gives clients a damaged whole store, or lets one take the place of change sets.
@Suite struct DamagedStoreTests {
    private let demo: DemoRemote
    /// A binary store of which a reader sees a part of the objects.
    private let damaged: String

    init() throws {
        demo = try DemoRemote(changeSets: 12)
        let store = try #require(try Self.stores(demo).first)
        var bytes = try FileBytes.read(store).array
        // The name of the field with the members of every collection.
        let name = try #require(bytes.firstRange(of: Array("NS.objects".utf8)))
        bytes[name.lowerBound + 4] ^= 1
        damaged = try demo.scratch.write("damaged.binary", bytes)
    }

    private static func stores(_ demo: DemoRemote) throws -> [FilePath] {
        let folder = demo.root.appending("Documents/pantry/WholeStore")
        return try DirectoryReader.entries(of: OwnedDescriptor.folder(folder)).map {
            folder.appending(RemoteName($0.name).text).appending("WholeStore.ticdsync")
        }
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.run(words[0], Array(words.dropFirst()), environment: ["HOME": demo.scratch.path.string])
    }

    @Test(arguments: [["ticds-store", "install", "--contains", "all"], ["ticds-sync", "reseed"]])
    func damagedStoreIsNotUploaded(words: [String]) throws {
        let before = try TreeImage(of: demo.root)
        let place = ["--document", "pantry", "--client", "8FFD", "--max-delete", "100%", "--yes"]
        let result = try run(Array(words.prefix(2)) + [demo.path, damaged] + words.dropFirst(2) + place)
        #expect(
            result.status == 2 && result.errors.contains("altered after it was written"), "\(result.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    @Test func extractTellsOfTheDamage() throws {
        let result = try run(["ticds-store", "extract", damaged, demo.scratch.path.appending("copy").string])
        #expect(
            result.status == 5 && result.errors.contains("altered after it was written"), "\(result.errors)")
    }

    @Test func damagedStoresHoldNoSetsForTheVacuum() throws {
        let vacuum = ["ticds-vacuum", demo.path, "--document", "pantry", "--max-delete", "100%", "--dry-run"]
        let sound = try run(vacuum)
        try #require(sound.status == 0 && sound.output.contains("to the trash"), "\(sound.output)")
        let bytes = try FileBytes.read(FilePath(damaged)).array
        for store in try Self.stores(demo) {
            let time = try FileStatus.of(store).modified
            try TestFiles.write(store, bytes)
            try TestFiles.setTime(store, time)
        }
        let result = try run(vacuum)
        #expect(result.status == 3 && result.errors.contains("is damaged: was altered"), "\(result.errors)")
    }
}
