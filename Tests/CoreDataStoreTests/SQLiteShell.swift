import CoreDataStore
import Foundation
import SystemPackage
import TestSupport

/// The sqlite3 program, which checks the files of the suite.
enum SQLiteShell {
    static let available = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    /// Runs statements on a database, after commands of the shell. Returns the output without the last line end.
    @discardableResult
    static func run(_ database: FilePath, _ sql: String, before: [String] = []) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [database.string] + before + [sql]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lastLineEnd = output.last == UInt8(ascii: "\n") ? 1 : 0
        return String(decoding: output.dropLast(lastLineEnd), as: UTF8.self)
    }
}

/// A folder that a test may write to, which is removed with the value.
final class ScratchFolder {
    let path: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ticds-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// A writable copy of a sample and of the files that belong to it.
    func copy(_ sample: String, suffixes: [String] = ["", "-wal", "-journal"]) throws -> FilePath {
        let source = Samples.path(sample)
        let target = path.appending(source.lastComponent?.string ?? "store")
        for suffix in suffixes where FileManager.default.fileExists(atPath: source.string + suffix) {
            try Data(contentsOf: URL(fileURLWithPath: source.string + suffix))
                .write(to: URL(fileURLWithPath: target.string + suffix))
        }
        return target
    }

    /// A file with these bytes.
    func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
        let target = path.appending(name)
        try Data(bytes).write(to: URL(fileURLWithPath: target.string))
        return target
    }

    /// The name, size and times of everything in the folder.
    static func listing(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted().map { name in
            var status = stat()
            _ = lstat(folder.appending(name).string, &status)
            let times = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_nsec)"
            return "\(name) \(status.st_size) \(status.st_ino) \(times)"
        }
    }
}

func bytes(of path: FilePath) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string)))
}

/// A sample store and its model file.
struct SQLiteSample: CustomStringConvertible {
    var store: String
    var model: String
    var description: String { store }

    var storePath: FilePath { Samples.path("sqlite-stores/" + store) }
    var modelPath: FilePath { Samples.path("sqlite-stores/" + model) }

    static let all = [
        SQLiteSample(store: "restkit/RKSeedDatabase.sqlite", model: "restkit/RKTwitterCoreData.elements"),
        SQLiteSample(store: "recipes/Recipes.sqlite", model: "recipes/Recipes.elements"),
        SQLiteSample(store: "docset-db16521/docSet.dsidx", model: "docset-db16521/docSet.mom"),
        SQLiteSample(store: "docset-7606f51/docSet.dsidx", model: "docset-7606f51/docSet.mom"),
        SQLiteSample(store: "moody/Moody.moody", model: "moody/models/Moody.contents"),
        SQLiteSample(store: "moody/Moody-2.moody", model: "moody/models/Moody-2.contents"),
        SQLiteSample(store: "moody/Moody-3.moody", model: "moody/models/Moody-3.contents"),
        SQLiteSample(store: "moody/Moody-4.moody", model: "moody/models/Moody-4.contents"),
        SQLiteSample(store: "moody/Moody-5.moody", model: "moody/models/Moody-5.contents"),
        SQLiteSample(
            store: "bookmarks/Bookmarks_V1.sqlite", model: "bookmarks/models/BookmarksModel.contents"),
        SQLiteSample(
            store: "bookmarks/Bookmarks_V4.sqlite", model: "bookmarks/models/BookmarksModel-4.contents"),
        SQLiteSample(
            store: "surfjournal/SurfJournalModel.sqlite", model: "surfjournal/SurfJournalModel.contents"),
    ]

    func open(withModel: Bool) throws -> SQLiteStore {
        guard withModel else { return try SQLiteStore(storePath) }
        return try SQLiteStore(storePath, model: try ModelFile.load(modelPath))
    }
}
