/// A part of the catalogue: the kinds whose codes begin with the same two digits.
public struct FindingArea: Sendable {
    /// "01"
    public let digits: String
    /// "Folders and names"
    public let title: String
    public let kinds: [FindingKind]

    public init(_ digits: String, _ title: String, _ kinds: [FindingKind]) {
        self.digits = digits
        self.title = title
        self.kinds = kinds
    }
}
