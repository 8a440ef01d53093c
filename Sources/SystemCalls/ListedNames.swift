extension Collection where Element == String {
    /// A text such as `a, b, c, d, e and 4 more`: at most `limit` elements, and the number of further ones.
    /// - Parameter total: the total number, if this collection has only the first elements.
    public func listed(_ limit: Int = 5, of total: Int? = nil) -> String {
        let rest = (total ?? count) - limit
        return prefix(limit).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
