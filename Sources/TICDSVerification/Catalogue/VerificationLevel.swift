/// How closely a remote is looked at. Each level does all that the ones before it do.
public enum VerificationLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Names, kinds, sizes and times, as one listing gives them.
    case names
    /// The first bytes of every file, too.
    case headers
    /// Every file opened and read to its end.
    case contents
    /// What the files say together: objects, registers, whole stores.
    case deep

    public static func < (one: VerificationLevel, other: VerificationLevel) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
