extension FindingArea {
    static let leftovers = FindingArea("09", "Leftovers", [])
}
