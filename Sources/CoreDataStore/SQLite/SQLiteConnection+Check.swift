extension SQLiteConnection {
    /// What SQLite's `PRAGMA quick_check` says is broken, in its own words, at most `limit` complaints; none for a sound
    /// database. It walks all pages and cells, but does not compare indexes with their tables.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        var complaints: [String] = []
        var rows = try prepare("PRAGMA quick_check(\(limit))")
        while try rows.step() {
            guard let text = rows.text(0), text != "ok" else { continue }
            complaints.append(text)
        }
        return complaints
    }
}
