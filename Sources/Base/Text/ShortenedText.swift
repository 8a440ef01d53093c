extension String {
    /// The text with at most `limit` characters, then `…`, since names in damaged files can have any length.
    package func shortened(to limit: Int) -> String {
        let start = prefix(limit)
        return start.endIndex == endIndex ? self : start + "…"
    }
}
