import Base
import CoreDataStore
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Model folders made for a test, which are removed with the value.
private final class Folder {
    let path = FilePath(NSTemporaryDirectory()).appending("ticds-models-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    func write(_ relative: String, _ text: String) throws {
        let file = path.pushing(FilePath(relative))
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        try text.write(toFile: file.string, atomically: false, encoding: .utf8)
    }

    func copy(_ sample: String, to relative: String) throws {
        try write(relative + ".placeholder", "")
        try FileManager.default.removeItem(atPath: path.pushing(FilePath(relative + ".placeholder")).string)
        try FileManager.default.copyItem(
            atPath: Samples.path(sample).string, toPath: path.pushing(FilePath(relative)).string)
    }
}

private func plist(_ key: String, _ value: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>Other</key><dict><key>\(key)</key><string>wrong</string></dict>
    <key>\(key)</key><string>\(value)</string>
    </dict></plist>
    """
}

@Suite("Model folders") struct ModelFolderTests {
    private func versions(of entity: String) -> String { "<model><entity name=\"\(entity)\"/></model>" }

    @Test func sourceFolderHasACurrentVersion() throws {
        let folder = Folder()
        try folder.write("A.xcdatamodeld/A.xcdatamodel/contents", versions(of: "Old"))
        try folder.write("A.xcdatamodeld/A 2.xcdatamodel/contents", versions(of: "New"))
        let path = folder.path.appending("A.xcdatamodeld")
        let ambiguous = #expect(throws: FileProblem.self) { try ModelFile.load(path) }
        #expect(ambiguous?.kind == .ambiguous)
        #expect(ambiguous?.found == "A 2, A")
        try folder.write(
            "A.xcdatamodeld/.xccurrentversion", plist("_XCCurrentVersionName", "A 2.xcdatamodel"))
        #expect(try ModelFile.load(path).entities.map(\.name) == ["New"])
        #expect(try ModelFile.versions(path).filter(\.isCurrent).map(\.name) == ["A 2"])
        #expect(try ModelFile.load(path.appending("A.xcdatamodel")).entities.map(\.name) == ["Old"])
        #expect(try ModelFile.load(path.appending("A.xcdatamodel").appending("contents"))["Old"] != nil)
    }

    @Test func aVersionThatIsAloneIsTheCurrentOne() throws {
        let folder = Folder()
        try folder.write("A.xcdatamodeld/A.xcdatamodel/contents", versions(of: "Only"))
        #expect(try ModelFile.load(folder.path.appending("A.xcdatamodeld"))["Only"] != nil)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func compiledFolder() throws {
        let folder = Folder()
        try folder.copy("sqlite-stores/docset-7606f51/docSet.mom", to: "D.momd/D 2.mom")
        try folder.copy("sqlite-stores/docset-db16521/docSet.mom", to: "D.momd/D.mom")
        try folder.write("D.momd/D 2.omo", "momv2$")
        try folder.write("D.momd/VersionInfo.plist", plist("NSManagedObjectModel_CurrentVersionName", "D 2"))
        let path = folder.path.appending("D.momd")
        #expect(try ModelFile.versions(path).map(\.name).sorted() == ["D", "D 2"])
        #expect(try ModelFile.versions(path).first(where: \.isCurrent)?.path == path.appending("D 2.mom"))
        #expect(try ModelFile.load(path).entities.count == 15)
    }

    @Test func foldersWithoutModels() throws {
        let folder = Folder()
        try folder.write("empty/readme", "nothing")
        #expect(throws: FileProblem.self) { try ModelFile.load(folder.path.appending("empty")) }
        let absent = #expect(throws: FileProblem.self) { try ModelFile.load(folder.path.appending("absent")) }
        #expect(absent?.kind == .missing)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func candidatesForAStore() throws {
        let path = Samples.path("binary-stores/daymap-2.1.1.b_storedata")
        let hashes = try BinaryStoreArchive(try FileBytes.read(path), path: path).metadata.versionHashes
        let search = try ModelFile.candidates(in: Samples.path("binary-stores"), for: hashes)
        #expect(search.problems.isEmpty)
        #expect(search.candidates.count == 10)
        // Two versions without a difference in the version hashes.
        #expect(
            search.fitting.map { $0.path.lastComponent?.string } == [
                "DayMap2.11.xcdatamodel_contents", "DayMap_9.xcdatamodel_contents",
            ])
        #expect(search.candidates.first == search.fitting.first)
    }

    @Test func damagedCandidatesAreNamed() throws {
        let folder = Folder()
        try folder.write("a/contents", "<model><entity/></model>")
        try folder.write("a/notes.html", "<html><body/></html>")
        try folder.write("b/contents", versions(of: "E"))
        let model = try ModelFile.load(folder.path.appending("b").appending("contents"))
        let search = try ModelFile.candidates(in: folder.path, for: model.versionHashes)
        #expect(search.fitting.count == 1)
        #expect(search.problems.map(\.path) == [folder.path.pushing("a/contents")])
    }
}
