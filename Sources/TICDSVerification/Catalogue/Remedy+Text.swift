extension FindingKind {
    /// The remedy with FILE, REMOTE and the like for what only a finding can fill in.
    public var generalRemedy: [String] { remedy.map(RemedyText.general) }

    /// True for a line of a remedy that a shell takes; the others are sentences and begin with a capital letter.
    public static func isCommand(_ remedy: String) -> Bool { remedy.first?.isUppercase == false }
}
