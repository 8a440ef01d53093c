import Foundation
import SystemPackage

/// A sqlite3 program that keeps a database open until the test ends or kills it.
final class HeldStore {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ database: FilePath) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-batch", database.string]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { kill() }

    /// Runs lines (SQL or dot commands). Returns their output.
    @discardableResult
    func run(_ lines: String...) throws -> [String] {
        let mark = "done-\(UUID().uuidString)"
        let text = (lines + [".print \(mark)"]).joined(separator: "\n") + "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        var printed = ""
        while !printed.contains(mark) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            printed += String(decoding: data, as: UTF8.self)
        }
        return printed.split(separator: "\n").map(String.init).filter { $0 != mark }
    }

    func quit() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends the program like a crash.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
