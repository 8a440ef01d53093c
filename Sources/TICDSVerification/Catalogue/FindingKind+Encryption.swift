extension FindingArea {
    static let encryption = FindingArea("05", "Encryption", [])
}
