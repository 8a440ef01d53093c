extension FindingArea {
    static let wholeStores = FindingArea("07", "Whole stores, registers and property lists", [])
}
