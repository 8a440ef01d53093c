extension FindingArea {
    static let meaning = FindingArea("08", "Meaning across files", [])
}
