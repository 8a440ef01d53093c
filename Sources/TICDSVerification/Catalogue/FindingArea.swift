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
