/// All kinds of findings, by area.
public enum Catalogue {
    /// The areas, in the order of their digits.
    public static let areas: [FindingArea] = [
        .folders, .strays, .membership, .times, .encryption, .changeSets, .wholeStores, .acrossFiles,
        .leftovers,
    ]

    /// All kinds, in the order of their codes.
    public static let all: [FindingKind] = areas.flatMap(\.kinds)

    /// The kind with a code, such as "TICDS-0101", "ticds-0101" or "0101"; nil if there is none.
    public static func kind(_ code: String) -> FindingKind? {
        let digits = code.uppercased().hasPrefix(prefix) ? String(code.dropFirst(prefix.count)) : code
        return all.first { $0.code == prefix + digits }
    }

    private static let prefix = "TICDS-"
}

/// A part of the catalogue: the kinds whose codes begin with the same two digits.
public struct FindingArea: Sendable {
    /// "01"
    public let digits: String
    /// "Folders and names"
    public let title: String
    /// The kinds of the area, by code.
    public let kinds: [FindingKind]

    /// An area; the codes of its kinds begin with `digits`.
    public init(_ digits: String, _ title: String, _ kinds: [FindingKind]) {
        self.digits = digits
        self.title = title
        self.kinds = kinds
    }
}
