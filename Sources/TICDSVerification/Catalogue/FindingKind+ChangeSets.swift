extension FindingArea {
    static let changeSets = FindingArea("06", "Change sets", [])
}
