/// All kinds of findings, by area.
public enum Catalogue {
    /// The areas in the order of their digits.
    public static let areas: [FindingArea] = [
        .folders, .strays, .membership, .times, .encryption, .changeSets, .wholeStores, .acrossFiles,
        .leftovers,
    ]

    /// In the order of their codes.
    public static let all: [FindingKind] = areas.flatMap(\.kinds)

    /// The kind with a code, given as "TICDS-0101", "ticds-0101" or "0101"; nil where there is none.
    public static func kind(_ code: String) -> FindingKind? {
        let digits = code.uppercased().hasPrefix(prefix) ? String(code.dropFirst(prefix.count)) : code
        return all.first { $0.code == prefix + digits }
    }

    private static let prefix = "TICDS-"
}
