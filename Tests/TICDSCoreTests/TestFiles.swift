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

extension FileTime {
    /// ISO 8601 with six digits of fraction, truncated.
    var microseconds: String {
        let parts = iso.dropLast().split(separator: ".")
        return parts[0] + "." + (parts[1] + "000").prefix(6) + "Z"
    }
}
