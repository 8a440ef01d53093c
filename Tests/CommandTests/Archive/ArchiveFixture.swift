import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A place in which archives of a remote are made and imported.
struct ArchiveFixture {
    let scratch: Scratch
    let root: FilePath
    /// The seconds that a command may take.
    private let patience: Double

    /// A demonstration remote.
    init(_ words: [String] = ["--change-sets", "4"], patience: Double = 240) throws {
        self.patience = patience
        scratch = try Scratch()
        let folder = scratch.path.appending("demo")
        let made = try Program.run("ticds", ["demo", folder.string] + words)
        try #require(made.status == 0, "\(made.errors)")
        root = folder.appending("com.example.cookbook")
    }

    var place: FilePath { scratch.path }
    func path(_ name: String) -> String { place.appending(name).string }

    @discardableResult
    func archive(_ words: [String], succeeding: Bool = true, ahead: Int = 0) throws -> Program.Result {
        var environment = ["XDG_STATE_HOME": path("state")]
        if ahead != 0 { environment.merge(FaultyProgram.environment(ahead: ahead)) { $1 } }
        let result = try Program.run("ticds-archive", words, environment: environment, seconds: patience)
        if succeeding { try #require(result.status == 0, "\(words): \(result.errors)") }
        return result
    }

    /// - Parameter ahead: the seconds by which the clock of the program is ahead
    func export(_ name: String, _ words: [String] = [], ahead: Int = 0) throws -> String {
        try archive(["export", root.string, path(name)] + words, ahead: ahead)
        return path(name)
    }

    /// Imports an archive into a new folder; returns the resulting remote.
    func bring(_ file: String, _ words: [String] = []) throws -> FilePath {
        let folder = place.appending("in-\(UUID().uuidString)")
        try TestFiles.makeFolder(folder)
        try archive(["import", file, folder.string, "--yes", "--quiet"] + words)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        try #require(names.count == 1, "\(names)")
        return folder.appending(names[0])
    }

    /// A function in Python that replaces the digest of a manifest's text.
    static let seal = #"""
        import hashlib
        def seal(text):
            lines = text.rpartition(b'"sha256":"')[0]
            return lines + b'"sha256":"' + hashlib.sha256(lines).hexdigest().encode() + b'"\n}\n'
        """#

    /// Every document that the program prints, and a manifest.
    static func printedDocuments() throws -> [String] {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell("ln -s nowhere '\(fixture.root)/link'")
        let file = fixture.path("a.tar.gz")
        let exported = try fixture.archive(
            ["export", fixture.root.string, file, "--json", "--document", "pantry"], succeeding: false)
        let bytes = try FileBytes.read(FilePath(file)).array
        let cut = try fixture.scratch.write("cut", Array(bytes[..<(bytes.count / 2)]))
        let manifest = try fixture.scratch.shell("tar -xOzf '\(file)' ticds-manifest.json")
        let later = fixture.path("later.tar.gz")
        try fixture.archive(
            ["export", fixture.root.string, later, "--document", "pantry", "--base", file], succeeding: false)
        let incremental = try fixture.scratch.shell("tar -xOzf '\(later)' ticds-manifest.json")
        try fixture.scratch.shell("mkdir back; touch back/com.example.cookbook-20200101T000000Z.zip")
        let taken = try fixture.snapshot(["--json"])
        let shown = try fixture.snapshot(["--json", "--dry-run", "--keep-daily", "1"])
        let rotated = try fixture.snapshot(["--json", "--keep-daily", "1"])
        return [
            taken.output, shown.output, rotated.output, exported.output, manifest, incremental,
            try fixture.archive(["list", later, "--json"], succeeding: false).output,
            try fixture.archive(["list", fixture.path("back"), "--json"], succeeding: false).output,
            try fixture.archive(["list", file, "--json"], succeeding: false).output,
            try fixture.archive(["verify", cut, "--json"], succeeding: false).output,
            try fixture.archive(["find", file, "--json", "--name", "documentInfo"]).output,
            try fixture.archive(["diff", file, fixture.root.string, "--json"], succeeding: false).output,
            try fixture.archive(["extract", file, fixture.path("out"), "--document", "pantry", "--json"])
                .output,
        ]
    }

    /// Adds names that have caused problems in archivers.
    func addStrangeNames() throws {
        let folder = root.appending("Strange")
        try TestFiles.makeFolder(folder)
        let names: [[UInt8]] = [
            Array("caf".utf8) + [0xE9], Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8),
            Array("new\nline".utf8),
            Array(repeating: 0x78, count: 255), Array("日本語テスト".utf8), Array("שלום".utf8),
            Array("Ωμέγα".utf8), Array("back\\slash".utf8), Array(" lead".utf8), Array("quo\"te".utf8),
            Array("e\u{301}".utf8) + Array(repeating: 0x79, count: 240), [0x80, 0xFF], Array("--force".utf8),
        ]
        for (number, name) in names.enumerated() {
            let file = folder.pushing(FilePath(nameBytes: name))
            let time = FileTime(
                seconds: Int64(1_234_567_890 + number), nanoseconds: Int32(123_456_789 - number))
            try NewFile.write(Array("\(number)".utf8), to: file, modified: time)
        }
        try NewFile.write(
            [], to: folder.appending("old"), modified: FileTime(seconds: -2, nanoseconds: 500_000_000))
        try NewFile.write([UInt8](repeating: 0, count: 3_000_001), to: folder.appending("zeros"))
    }
}

/// The facts that must survive: names, kinds, sizes, times and bytes.
struct TreeFacts: Equatable {
    struct Fact: Equatable {
        var kind: FileKind
        var modified: FileTime
        var content: [UInt8]
    }

    var facts: [[UInt8]: Fact] = [:]

    init(_ folder: FilePath) throws {
        for (path, entry) in try TreeImage(of: folder).entries {
            facts[path] = Fact(
                kind: entry.status.kind, modified: entry.status.modified, content: entry.content)
        }
    }

    /// The facts with times in whole seconds.
    var inSeconds: TreeFacts {
        var rounded = self
        rounded.facts = facts.mapValues { fact in
            var fact = fact
            fact.modified = FileTime(seconds: fact.modified.seconds)
            return fact
        }
        return rounded
    }

    func differences(from other: TreeFacts) -> [String] {
        Set(facts.keys).union(other.facts.keys).filter { facts[$0] != other.facts[$0] }.map(escapedName)
            .sorted()
    }
}
