extension Collection where Element == String {
    /// `a, b, c, d, e and 4 more`: at most `limit` elements, and how many follow.
    /// - Parameter total: how many there are, where this collection has only the first of them.
    public func listed(_ limit: Int = 5, of total: Int? = nil) -> String {
        let rest = (total ?? count) - limit
        return prefix(limit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
