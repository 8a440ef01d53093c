extension Collection where Element == String {
    /// `a, b, c, d, e and 4 more`: at most `limit` elements, and how many follow.
    public func listed(_ limit: Int = 5) -> String {
        prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
    }
}
