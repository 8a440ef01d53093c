/// An entry of the catalogue: one thing that may be wrong with a remote, what it does to whom, and what to do.
///
/// The catalogue is the one source of `ticds-verify explain`, of ticds-findings(7) and of every finding.
public struct FindingKind: Sendable {
    /// Stable for ever: "TICDS-0101". The first two digits are the area's.
    public let code: String
    /// How bad it is.
    public let severity: Severity
    /// The first level that finds it.
    public let level: VerificationLevel
    /// One line without a full stop: "A stray file lies among the change sets of a client".
    public let title: String
    /// What it is, how it comes about and what it does: sentences, paragraphs parted by empty lines.
    public let explanation: String
    /// What it does to whom.
    public let effects: [Effect]
    /// What `ticds-verify --repair` does about it.
    public let repair: Repair
    /// What a person does about it who does not use that, or where it does nothing.
    ///
    /// Commands for a shell, one a line, or sentences that begin with a capital letter where no command helps.
    ///
    /// Placeholders are filled with quoted words: `{file}` (the path), `{path}` (the same inside the remote), `{remote}`,
    /// `{document}`, `{client}`, `{subject}`.
    public let remedy: [String]
    /// Sections of the specification: "ticds-protocol(7), 7.1-1".
    public let sources: String

    /// An entry of the catalogue.
    public init(
        _ code: String, _ severity: Severity, _ level: VerificationLevel, _ title: String,
        explanation: String, effects: [Effect], repair: Repair, remedy: [String], sources: String
    ) {
        self.code = code
        self.severity = severity
        self.level = level
        self.title = title
        self.explanation = explanation
        self.effects = effects
        self.repair = repair
        self.remedy = remedy
        self.sources = sources
    }
}

extension FindingKind: Hashable {
    public static func == (one: FindingKind, other: FindingKind) -> Bool { one.code == other.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

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
