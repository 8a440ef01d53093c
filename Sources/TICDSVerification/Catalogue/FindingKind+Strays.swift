extension FindingArea {
    static let strays = FindingArea("02", "Strays and cloud services", [])
}
