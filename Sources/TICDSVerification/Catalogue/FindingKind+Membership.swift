extension FindingArea {
    static let membership = FindingArea("03", "Documents, clients and integrity keys", [])
}
