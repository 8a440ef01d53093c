extension FindingKind {
    /// The remedy with FILE, REMOTE and the like for what only a finding can fill in.
    public var generalRemedy: [String] { wholeRemedy.map(RemedyText.general) }

    /// The command that repairs, where there is one, and what to do by hand.
    var wholeRemedy: [String] {
        guard repair != .byHand else { return remedy }
        return ["ticds-verify {remote} --repair --only \(code)", "Or by hand:"] + remedy
    }

    /// True for a line of a remedy that a shell takes; the others are sentences and begin with a capital letter.
    public static func isCommand(_ remedy: String) -> Bool { remedy.first?.isUppercase == false }
}
