import Glibc

/// Python 3, whose standard library checks the files of ticds.
package enum Python {
    /// Whether there is a `python3`; otherwise the tests that need it are skipped by name.
    package static let available: Bool = system("python3 -c 'import plistlib' >/dev/null 2>&1") == 0

    /// Runs a script with arguments. Returns its standard output, or nil if it fails.
    package static func run(_ script: String, _ arguments: [String] = []) -> [UInt8]? {
        let words = ["python3", "-c", script] + arguments
        let quoted = words.map {
            "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        }
        guard let pipe = popen(quoted.joined(separator: " "), "r") else { return nil }
        var output: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&block, 1, block.count, pipe)
            guard count > 0 else { break }
            output += block[..<count]
        }
        return pclose(pipe) == 0 ? output : nil
    }
}
