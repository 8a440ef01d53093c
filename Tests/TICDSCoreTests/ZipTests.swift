import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

@Suite(.enabled(if: Samples.available, "needs the samples")) struct ZipTests {
    private static let names = [
        "empty-entry", "recipes.WholeStore.ticdsync", "two-entries", "utf8-name", "hostile/Empty",
        "hostile/IncorrectHeaders", "hostile/IncorrectNumberEntries", "hostile/PasswordArchiveWithFolder",
        "hostile/PathTraversal", "hostile/RelativeSymbolicLink", "hostile/SymbolicLink",
        "hostile/TestAESPasswordArchive", "hostile/TestArchive", "hostile/TestPasswordArchive",
        "hostile/TestPasswordArchive2", "hostile/Unicode", "hostile/hello",
    ]

    private func zip(_ name: String) throws -> ZipFile {
        try ZipFile(RangeReader(Samples.path("zip/\(name).zip")))
    }

    /// One line for each entry: name in hexadecimal, size of a file, password flag.
    private static let listing = """
        import sys, zipfile
        for i in zipfile.ZipFile(sys.argv[1]).infolist():
            name = i.orig_filename.encode('utf-8' if i.flag_bits & 0x800 else 'cp437')
            size = 0 if i.external_attr >> 28 == 10 else i.file_size
            print(name.hex(), size, i.flag_bits & 1)
        """

    /// Names are compared as text, since libarchive composes the accents of those that are flagged as UTF-8.
    @Test(.enabled(if: Python.available), arguments: names)
    func entriesAreThoseThatPythonLists(_ name: String) throws {
        let path = Samples.path("zip/\(name).zip").string
        let listing = String(decoding: try #require(Python.run(Self.listing, [path])), as: UTF8.self)
        let theirs = listing.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            let name = String(decoding: EncryptionTests.hexadecimal(String(words[0])), as: UTF8.self)
            return "\(name) \(words[1]) \(words[2])"
        }
        let ours = try zip(name).members().map { member in
            "\(String(decoding: member.name, as: UTF8.self)) \(member.size ?? -1) \(member.isEncrypted ? 1 : 0)"
        }
        #expect(ours == theirs)
    }

    private static let contents = """
        import sys, zipfile, hashlib
        z = zipfile.ZipFile(sys.argv[1])
        for i in z.infolist():
            if not i.is_dir() and i.external_attr >> 28 != 10: print(hashlib.sha256(z.read(i)).hexdigest())
        """

    @Test(
        .enabled(if: Python.available),
        arguments: names.filter { !$0.contains("Password") && !$0.hasSuffix("IncorrectHeaders") })
    func contentsAreThoseThatPythonReads(_ name: String) throws {
        let zip = try zip(name)
        let folder = try TemporaryFolder()
        var digests = ""
        for member in try zip.members() where member.kind == .file {
            let target = folder.path.appending("\(member.index)")
            try zip.extract(member, to: target)
            digests += try DescribedRemote.sha256(FileBytes.read(target).array, in: folder.path) + "\n"
        }
        let theirs = try #require(Python.run(Self.contents, [Samples.path("zip/\(name).zip").string]))
        #expect(digests == String(decoding: theirs, as: UTF8.self))
    }

    @Test func theStoreIsFoundByItsContent() throws {
        #expect(try zip("recipes.WholeStore.ticdsync").storeMember().name == Array("Recipes.sqlite".utf8))
        #expect(try zip("two-entries").storeMember().name == Array("Recipes.sqlite".utf8))
        #expect(try zip("utf8-name").storeMember().name == Array("Données café 家計簿.sqlite".utf8))
        #expect(try zip("empty-entry").storeMember().size == 0)
    }

    @Test(arguments: [
        ("Empty", "the zip contains no file"), ("SymbolicLink", "the zip contains no file"),
        ("IncorrectHeaders", "the zip is damaged"), ("TestArchive", "the zip contains no store"),
        ("Unicode", "the zip contains no store"), ("TestPasswordArchive", "the zip contains no store"),
        ("TestAESPasswordArchive", "the zip contains no store"),
    ])
    func hostileZipsHoldNoStore(_ name: String, _ expected: String) {
        let problem = #expect(throws: FileProblem.self) { try zip("hostile/\(name)").storeMember() }
        #expect(problem?.kind == .damaged)
        #expect(problem?.problem == expected)
    }

    @Test(arguments: ["TestPasswordArchive2", "PasswordArchiveWithFolder"])
    func aPasswordOfTheZipIsNamed(_ name: String) throws {
        let zip = try zip("hostile/\(name)")
        let member = try zip.storeMember()
        let folder = try TemporaryFolder()
        let problem = #expect(throws: FileProblem.self) {
            try zip.extract(member, to: folder.path.appending("Store"))
        }
        #expect(problem?.kind == .unsupported)
    }

    @Test func namesNeverBecomePaths() throws {
        let zip = try zip("hostile/PathTraversal")
        let folder = try TemporaryFolder()
        try zip.extract(zip.storeMember(), to: folder.path.appending("Store"))
        #expect(try FileBytes.read(folder.path.appending("Store")).count == 3)
        #expect(throws: FileProblem.self) { try FileStatus.of("/tmp/test.txt") }
    }

    @Test func linksAreNotStores() throws {
        let zip = try zip("hostile/RelativeSymbolicLink")
        #expect(try zip.members().map(\.kind) == [.file, .folder, .symbolicLink, .symbolicLink])
        #expect(try zip.storeMember().index == 0)
    }
}
