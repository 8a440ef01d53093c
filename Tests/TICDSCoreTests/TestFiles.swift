import Foundation
import SystemCalls
import SystemPackage

/// Small changes to files in private folders, for tests.
func removeFile(_ path: FilePath) -> Bool {
    (try? FileManager.default.removeItem(atPath: path.string)) != nil
}

func write(_ bytes: [UInt8], to path: FilePath) throws {
    try Data(bytes).write(to: URL(filePath: path.string))
}

func makeFolder(_ path: FilePath) throws {
    try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
}

/// The output of a program, found through the path.
func output(_ words: [String]) throws -> [UInt8] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](data)
}

/// The SHA-256 of bytes in hexadecimal, by another program.
func sha256(_ bytes: [UInt8], in folder: FilePath) throws -> String {
    let file = folder.appending("digest")
    try write(bytes, to: file)
    return String(decoding: try output(["sha256sum", file.string]).prefix(64), as: UTF8.self)
}

extension FileTime {
    /// ISO 8601 with six digits of fraction, cut off.
    var microseconds: String {
        let parts = iso.dropLast().split(separator: ".")
        return parts[0] + "." + (parts[1] + "000").prefix(6) + "Z"
    }
}
