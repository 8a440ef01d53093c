import Base
import SystemCalls

/// One completion that a shell can offer.
package struct CompletionCandidate: Hashable {
    /// The text to insert.
    package var value: String
    /// Its description, which the command also accepts.
    var name: String?
    /// More about it, for people.
    var note: String?

    package init(_ value: String, name: String? = nil, note: String? = nil) {
        self.value = value
        self.name = name
        self.note = note
    }

    /// The text beside the value.
    var explanation: String { [name, note].compactMap(\.self).joined(separator: ", ") }
}

extension [CompletionCandidate] {
    /// The largest number of candidates that are shown; users do not read more.
    static var limit: Int { 250 }

    /// The candidates that begin with `typed`, each as a line of value, tab and explanation.
    ///
    /// Letter case counts, unless no candidate then matches. Descriptions count like values once something is typed.
    /// Values that a shell would misunderstand are omitted: values with control characters, values that look like an
    /// option, and values that look like a line with a meaning for the scripts.
    func lines(typed: String) -> [String] {
        let values = filter { Self.isSafe($0.value) }
        let candidates = typed.isEmpty ? values : values + named
        var fitting = candidates.filter { $0.value.hasPrefix(typed) }
        if fitting.isEmpty {
            let small = typed.lowercased()
            fitting = candidates.filter { $0.value.lowercased().hasPrefix(small) }
        }
        return fitting.limited.map { "\($0.value)\t\(escapedText($0.explanation))" }
    }

    /// The descriptions that only one candidate has, as candidates.
    private var named: [CompletionCandidate] {
        let counts = Dictionary(compactMap { $0.name.map { ($0.lowercased(), 1) } }, uniquingKeysWith: +)
        return compactMap { candidate in
            guard let name = candidate.name, Self.isSafe(name), counts[name.lowercased()] == 1 else {
                return nil
            }
            return CompletionCandidate(name, note: candidate.value)
        }
    }

    /// The first candidates, and the least and the greatest of all, so that shells find the common beginning of all.
    private var limited: [CompletionCandidate] {
        guard count > Self.limit else { return self }
        let shown = prefix(Self.limit)
        let ends = [self.min { $0.value < $1.value }, self.max { $0.value < $1.value }].compactMap(\.self)
        return shown + ends.filter { !shown.contains($0) }
    }

    private static func isSafe(_ value: String) -> Bool {
        guard let first = value.unicodeScalars.first, first != "-", first != "/" else { return false }
        return !value.unicodeScalars.contains("\u{FFFD}") && escapedText(value) == value
    }
}
