import TICDSVerification

/// Text broken into lines.
enum Paragraph {
    /// Lines of at most `width` columns, broken between words.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension FindingKind {
    /// The explanation by paragraphs, each on one line.
    var paragraphs: [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in explanation.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
}
