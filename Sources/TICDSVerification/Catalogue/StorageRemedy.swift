import SystemCalls
import SystemPackage

/// The lines of a remedy for a remote in a storage of rclone, which shell commands cannot read.
enum StorageRemedy {
    static let prefix = "rclone:"

    /// Whether a path is the address of a storage, or of an entry in it.
    static func concerns(_ path: FilePath) -> Bool { path.isRelative && path.bytes.starts(with: prefix.utf8) }

    /// - Parameter lines: lines with placeholders. In the result, `{place}` and `{storage}` are the file and the remote
    ///   under rclone's names.
    static func lines(_ lines: [String]) -> [String] {
        var translated: [String] = []
        for line in lines {
            if !FindingKind.isCommand(line) {
                translated.append(sentence(line))
            } else if let command = command(line) {
                translated.append(command)
            } else {
                // The lines that introduce a removed command have no meaning without it.
                while let last = translated.last, last.hasSuffix(":"), !FindingKind.isCommand(last) {
                    translated.removeLast()
                }
            }
        }
        return translated
    }

    private static func sentence(_ line: String) -> String {
        line.replacing("(cp -p)", with: "(rclone copyto)")
            .replacing("cp -p BACKUP {file}", with: "rclone copyto BACKUP {place}")
            .replacing("with mv -n", with: "with rclone moveto")
            .replacing("mv -n {file} ", with: "rclone moveto {place} PLACE/")
            .replacing(
                "Look at the owner and the mode of the folder", with: "Look at the rights of the folder")
    }

    /// The command for a storage; nil if there is none.
    private static func command(_ line: String) -> String? {
        if line.hasPrefix("ticds-") {
            guard line.contains("{file}") else { return line }
            return "rclone copyto {place} ./FETCHED && " + line.replacing("{file}", with: "./FETCHED")
        }
        if line == FindingKind.setAside {
            return "rclone moveto {place} \"$(mktemp -d ~/ticds-set-aside-XXXXXX)/$(basename {place})\""
        }
        if !line.contains("{file}"), !line.contains("{remote}") { return line }
        let parts = line.split(separator: " && ").map { part($0.split(separator: " ").map(String.init)) }
        let known = parts.compactMap(\.self)
        guard known.count == parts.count else { return nil }
        return known.filter { !$0.isEmpty }.joined(separator: " && ")
            .replacing("{file}", with: "{place}").replacing("{remote}", with: "{storage}")
    }

    /// One command; empty if rclone does not need it, nil if it cannot do it.
    private static func part(_ words: [String]) -> String? {
        let places = Array(words.dropFirst(2))
        switch words.first {
        case "ls": return "rclone lsl \(words[words.count - 1])"
        case "mkdir":
            // Rclone makes the local folders to which it copies.
            let inside = places.filter { $0.hasPrefix("{file}") || $0.hasPrefix("{remote}") }
            return inside.map { "rclone mkdir \($0)" }.joined(separator: " && ")
        case "touch" where words.count == 2: return "rclone touch \(words[1])"
        case "touch":
            let time = places[0] == "{subject}" ? "{utc}" : places[0].replacing("Z", with: "")
            return "rclone touch --timestamp \(time) \(places[1])"
        case "cp": return "rclone copyto \(places[0]) \(places[1])"
        case "mv":
            let target = places.dropFirst().joined(separator: " ")
            if places[0].hasSuffix("/*") { return "rclone move \(places[0].dropLast(2)) \(target)" }
            guard target.hasSuffix("/") else { return "rclone moveto \(places[0]) \(target)" }
            return "rclone moveto \(places[0]) \(target)\"$(basename \(places[0]))\""
        case "printf": return words.joined(separator: " ")
        default: return nil
        }
    }
}
