/// An entry of the catalogue: a fault that a remote can have, the clients that it affects, and the remedy.
///
/// The catalogue is the only source of `ticds-verify explain`, of ticds-findings(7) and of every finding.
public struct FindingKind: Sendable {
    /// A code that never changes: "TICDS-0101". The first two digits are those of the area.
    public let code: String
    /// The severity of the fault.
    public let severity: Severity
    /// The first level at which it is found.
    public let level: VerificationLevel
    /// One line without a full stop: "A stray file lies among the change sets of a client".
    public let title: String
    /// The fault, its causes and its consequences. Empty lines separate paragraphs.
    public let explanation: String
    /// The consequences for clients.
    public let effects: [Effect]
    /// The steps before the repair that are impossible afterwards: lines as in ``remedy``.
    public let first: [String]
    /// The repair of `ticds-verify --repair`; by default none.
    public let repair: Repair
    /// The remedy by hand: shell commands, one per line, and sentences, which begin with a capital letter.
    ///
    /// `RemedyText` replaces placeholders by quoted words: `{file}` (the path), `{path}` (the path inside the remote),
    /// `{remote}`, `{document}`, `{client}`, `{subject}`.
    public let remedy: [String]
    /// Sections of the specification: "ticds-protocol(7), 4.1-1".
    public let sources: String

    /// An entry of the catalogue.
    public init(
        _ code: String, _ severity: Severity, _ level: VerificationLevel, _ title: String,
        explanation: String, effects: [Effect], first: [String] = [], repair: Repair = .byHand,
        remedy: [String], sources: String
    ) {
        self.code = code
        self.severity = severity
        self.level = level
        self.title = title
        self.explanation = explanation
        self.effects = effects
        self.first = first
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
    /// The remedy with FILE, REMOTE and the like in place of the names of a finding.
    public var generalRemedy: [String] { wholeRemedy(isLost: false).map(RemedyText.general) }

    /// What comes first, the repair command, if there is one, and then what to do by hand.
    /// - Parameter isLost: whether nothing can be salvaged: the sentences of the remedy take the place of what comes first.
    func wholeRemedy(isLost: Bool) -> [String] {
        guard repair != .byHand else { return first + remedy }
        let sentences = remedy.prefix { !Self.isCommand($0) }
        let repair = ["ticds-verify {remote} --repair --only \(code)", Self.byHand]
        return isLost ? sentences + repair + remedy.dropFirst(sentences.count) : first + repair + remedy
    }

    /// What to do by hand about a file outside a remote: no commands for remotes, and no sentences about those.
    func looseRemedy(isLost: Bool) -> [String] {
        var lines: [String] = []
        for line in (isLost ? [] : first) + remedy {
            if line.contains("{remote}") {
                while let last = lines.last, last.hasSuffix(":"), !Self.isCommand(last) { lines.removeLast() }
            } else if !lines.isEmpty || line != Self.byHand {
                lines.append(line)
            }
        }
        return lines
    }

    /// The line before the remedy by hand, if there is also a repair.
    package static let byHand = "Or by hand:"

    /// Whether a line of a remedy is a shell command. Other lines are sentences, which begin with a capital letter.
    public static func isCommand(_ remedy: String) -> Bool { remedy.first?.isUppercase == false }
}

/// The severity of a finding.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Data are lost, or clients fail now or at their next synchronisation.
    case error
    /// Data may be lost, or some clients may fail, now or later.
    case warning
    /// Noteworthy, but harmless.
    case note

    /// An error is greater than a warning, and a warning is greater than a note.
    public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// The extent of a verification. Each level includes the levels before it.
public enum VerificationLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Names, kinds, sizes and times from one listing; opens no file.
    case names
    /// The first bytes of every file.
    case headers
    /// The contents of every file, read to the end.
    case contents
    /// References across files: objects, registers, whole stores.
    case deep

    public static func < (one: VerificationLevel, other: VerificationLevel) -> Bool { one.rank < other.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// All kinds of findings, by area.
public enum Catalogue {
    /// The areas, in the order of their digits.
    public static let areas: [FindingArea] = [
        .folders, .strays, .membership, .times, .encryption, .changeSets, .wholeStores, .acrossFiles,
        .leftovers,
    ]

    /// All kinds, in the order of their codes.
    public static let all: [FindingKind] = areas.flatMap(\.kinds)

    /// The kind with a code, such as "TICDS-0101", "ticds-0101", "0101" or "101"; nil if there is none.
    public static func kind(_ code: String) -> FindingKind? {
        let digits = code.uppercased().hasPrefix(prefix) ? String(code.dropFirst(prefix.count)) : code
        return all.first {
            $0.code == prefix + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    private static let prefix = "TICDS-"
}

/// A part of the catalogue: the kinds whose codes begin with the same two digits.
public struct FindingArea: Sendable {
    /// The first two digits of the codes, such as "01".
    public let digits: String
    /// The title: one line without a full stop.
    public let title: String
    /// The kinds of the area, by code.
    public let kinds: [FindingKind]
}
