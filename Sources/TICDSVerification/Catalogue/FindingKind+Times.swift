extension FindingArea {
    static let times = FindingArea("04", "Times and clocks", [])
}
