import Foundation
public import SystemPackage

/// The sqlite3 program, which checks the files of ticds.
public enum SQLiteShell {
    public static let available = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    /// Runs statements on a database, after commands of the shell. Returns the output without the last line end.
    @discardableResult
    public static func run(_ database: FilePath, _ sql: String, before: [String] = []) throws -> String {
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
public final class ScratchFolder {
    public let path: FilePath

    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ticds-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// A writable copy of a sample and of the files that belong to it.
    public func copy(_ sample: String, suffixes: [String] = ["", "-wal", "-journal"]) throws -> FilePath {
        let source = Samples.path(sample)
        let target = path.appending(source.lastComponent?.string ?? "store")
        for suffix in suffixes where FileManager.default.fileExists(atPath: source.string + suffix) {
            try Data(contentsOf: URL(fileURLWithPath: source.string + suffix))
                .write(to: URL(fileURLWithPath: target.string + suffix))
        }
        return target
    }

    /// A file with these bytes.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
        let target = path.appending(name)
        try Data(bytes).write(to: URL(fileURLWithPath: target.string))
        return target
    }

    /// The content of a file.
    public static func bytes(of path: FilePath) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string)))
    }

    /// The name, size and times of everything in the folder.
    public static func listing(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted().map { name in
            var status = stat()
            _ = lstat(folder.appending(name).string, &status)
            let times = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_nsec)"
            return "\(name) \(status.st_size) \(status.st_ino) \(times)"
        }
    }
}
