import Foundation
import SystemPackage
import TestSupport

/// Runs the built programs as subprocesses.
struct Program {
    /// The result of a run.
    struct Result {
        /// The exit status; the negative number of the signal if a signal ended the process.
        var status: Int32
        /// The bytes of standard output.
        var bytes: [UInt8]
        var errors: String

        var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The folder of the programs: `TICDS_PROGRAMS`; without it, the folder of the test bundle, with a link to `ticds`
    /// for each other name.
    static let folder: URL = {
        if let named = ProcessInfo.processInfo.environment["TICDS_PROGRAMS"] {
            return URL(fileURLWithPath: named)
        }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.isExecutableFile(atPath: folder.appending(path: "ticds").path)
        {
            folder.deleteLastPathComponent()
        }
        for name in ManualTests.programs where name != "ticds" {
            let link = folder.appending(path: name).path
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == "ticds" { continue }
            try? FileManager.default.removeItem(atPath: link)
            try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "ticds")
        }
        return folder
    }()

    /// Whether the program is linked like those that `make build` links for installation.
    static let isInstalledForm = ProcessInfo.processInfo.environment["TICDS_PROGRAMS"] != nil

    /// The path of a ticds program.
    static func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Runs a ticds program.
    /// - Parameters:
    ///   - environment: variables beside `PATH` and `LC_ALL`; nothing else is passed on.
    ///   - seconds: the time after which the process is killed, with status -9.
    static func run(
        _ name: String, _ arguments: [String] = [], environment: [String: String] = [:], seconds: Double = 240
    ) throws -> Result {
        try launch(path(name), arguments, environment: environment, seconds: seconds)
    }

    /// Runs a shell line in the folder with the programs, which it finds as if they were installed.
    static func shell(
        _ line: String, environment: [String: String] = [:], seconds: Double = 240
    ) throws -> Result {
        let found = environment.merging(["PATH": "\(folder.path):/usr/bin:/bin"]) { own, _ in own }
        return try launch("/bin/bash", ["-c", line], environment: found, seconds: seconds)
    }

    /// The environment of every program: only the settings of a sanitizer.
    private static let passedOn = ProcessInfo.processInfo.environment
        .filter { $0.key == "ASAN_OPTIONS" || $0.key == "TSAN_OPTIONS" }
        .merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C"]) { $1 }

    /// Output goes to files, so that no pipe becomes full. A remaining process delays the call, since Foundation waits
    /// for all that inherited its socket; it is killed with its group.
    static func launch(
        _ path: String, _ arguments: [String], environment: [String: String], seconds: Double
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "ticds-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        let errors = folder.appending(path: "errors")
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = Self.folder
        process.environment = passedOn.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let identifier = process.processIdentifier
        let killer = DispatchWorkItem { kill(-identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        process.waitUntilExit()
        killer.cancel()
        let status = process.terminationStatus
        return Result(
            status: process.terminationReason == .exit ? status : -status,
            bytes: [UInt8](try Data(contentsOf: output)),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
