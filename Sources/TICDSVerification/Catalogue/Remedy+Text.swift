extension FindingKind {
    /// The remedy with FILE, REMOTE and the like for what only a finding can fill in.
    public var generalRemedy: [String] { wholeRemedy.map(RemedyText.general) }

    /// The command that repairs, where there is one, and what to do by hand.
    var wholeRemedy: [String] {
        guard repair != .byHand else { return remedy }
        return ["ticds-verify {remote} --repair --only \(code)", Self.byHand] + remedy
    }

    /// What to do by hand about a file that lies in no remote: without commands that need the remote, and without the
    /// sentences that announce them.
    var looseRemedy: [String] {
        var lines: [String] = []
        for line in remedy {
            if line.contains("{remote}") {
                while let last = lines.last, last.hasSuffix(":"), !Self.isCommand(last) { lines.removeLast() }
            } else if !lines.isEmpty || line != Self.byHand {
                lines.append(line)
            }
        }
        return lines
    }

    private static let byHand = "Or by hand:"

    /// True for a line of a remedy that a shell takes; the others are sentences and begin with a capital letter.
    public static func isCommand(_ remedy: String) -> Bool { remedy.first?.isUppercase == false }
}
