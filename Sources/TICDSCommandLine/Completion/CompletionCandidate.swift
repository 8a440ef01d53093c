import SystemCalls

/// One thing that can be completed to.
struct CompletionCandidate: Hashable {
    /// What is inserted.
    var value: String
    /// What people call it, which the command understands as well.
    var name: String?
    /// More about it, for people.
    var note: String?

    init(_ value: String, name: String? = nil, note: String? = nil) {
        self.value = value
        self.name = name
        self.note = note
    }

    /// What is shown beside the value.
    var explanation: String { [name, note].compactMap(\.self).joined(separator: ", ") }
}

extension [CompletionCandidate] {
    /// Candidates beyond these are not shown: nobody reads them.
    static var limit: Int { 250 }

    /// The candidates that what is typed begins, each as a line of value, tab and explanation.
    ///
    /// Those in the same capitals go first, others only where there are none of them. Where something is typed, names
    /// count like values. What a shell might trip over is left out: values with control characters, values that would
    /// be taken for an option, and lines that the scripts understand in another way.
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

    /// Names that only one candidate has, as candidates.
    private var named: [CompletionCandidate] {
        let counts = Dictionary(compactMap { $0.name.map { ($0.lowercased(), 1) } }, uniquingKeysWith: +)
        return compactMap { candidate in
            guard let name = candidate.name, Self.isSafe(name), counts[name.lowercased()] == 1 else {
                return nil
            }
            return CompletionCandidate(name, note: candidate.value)
        }
    }

    /// The first of them; and the least and the greatest, so that shells find the same common beginning as in all.
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
