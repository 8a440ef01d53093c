import SystemPackage

/// Finds public declarations without a documentation comment, from the form of the source: every declaration begins a
/// line, and its content is indented by four spaces.
package enum UndocumentedDeclaration {
    /// The declarations of a module, as `file:line: text`.
    package static func all(of module: String) throws -> [String] {
        try SourceTree.files(below: "Sources/\(module)", suffix: ".swift").flatMap { file in
            let name = file.lastComponent?.string ?? ""
            return try all(in: SourceTree.lines(of: file)).map { "\(name):\($0.line): \($0.text)" }
        }
    }

    /// The declarations of one source file.
    package static func all(in source: [String]) -> [(line: Int, text: String)] {
        var found: [(line: Int, text: String)] = []
        for (number, line) in source.enumerated() {
            let text = withoutAttributes(line)
            guard isPublic(text, at: number, in: source), !isWitness(text) else { continue }
            if text.hasPrefix("public enum "), text.contains("{ case ") { found.append((number + 1, text)) }
            var above = number - 1
            while above >= 0, isAttribute(source[above]) { above -= 1 }
            if above < 0 || !trimmed(source[above]).hasPrefix("///") { found.append((number + 1, text)) }
        }
        return found
    }

    /// The requirements of protocols of the standard library.
    private static let witnesses = [
        "func ==", "func <", "func hash(", "func encode(", "var description:", "var debugDescription:",
        "var hashValue:", "init(from decoder",
    ]

    private static func isWitness(_ text: String) -> Bool { witnesses.contains { text.contains($0) } }

    private static func isPublic(_ text: String, at number: Int, in source: [String]) -> Bool {
        if text.hasPrefix("public ") {
            return !text.hasPrefix("public import ") && !text.hasPrefix("public extension ")
        }
        let isCase = text.hasPrefix("case ") || text.hasPrefix("indirect case ")
        let isRequirement = ["func ", "mutating func ", "var ", "init", "static ", "associatedtype "]
            .contains { text.hasPrefix($0) }
        guard isCase || isRequirement, let around = around(number, in: source) else { return false }
        return isCase
            ? around.hasPrefix("public enum ") || around.hasPrefix("public indirect enum ")
            : around.hasPrefix("public protocol ")
    }

    /// The line that opens the scope of the line `number`.
    private static func around(_ number: Int, in source: [String]) -> String? {
        let depth = indentation(source[number])
        guard depth > 0 else { return nil }
        for line in source[..<number].reversed() where line.hasSuffix("{") && indentation(line) < depth {
            return indentation(line) == depth - 4 ? withoutAttributes(line) : nil
        }
        return nil
    }

    private static func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    private static func trimmed(_ line: String) -> Substring { line.drop { $0 == " " } }

    private static func isAttribute(_ line: String) -> Bool {
        trimmed(line).hasPrefix("@") && withoutAttributes(line).isEmpty
    }

    /// The line without indentation and attributes such as `@inline(__always)`.
    private static func withoutAttributes(_ line: String) -> String {
        var rest = trimmed(line)
        while rest.hasPrefix("@") {
            rest = rest.dropFirst().drop { $0.isLetter || $0 == "_" }
            if rest.hasPrefix("("), let end = rest.firstIndex(of: ")") {
                rest = rest[end...].dropFirst()
            }
            rest = rest.drop { $0 == " " }
        }
        return String(rest)
    }
}
