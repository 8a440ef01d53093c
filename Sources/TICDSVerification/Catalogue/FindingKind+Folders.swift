extension FindingArea {
    static let folders = FindingArea("01", "Folders and names", [])
}
