import CSQLite

extension SQLiteConnection {
    /// What SQLite's `PRAGMA quick_check` says is broken, in its own words, at most `limit` complaints; none for a sound
    /// database. It walks all pages and cells, but does not compare indexes with their tables.
    /// - Throws: also where a page could not be read, of which SQLite makes a complaint.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        var complaints: [String] = []
        var rows = try prepare("PRAGMA quick_check(\(limit))")
        while try rows.step() {
            guard let text = rows.text(0), text != "ok" else { continue }
            if let code = Self.readError(text) { throw SQLiteError(code: code, message: text) }
            complaints.append(text)
        }
        return complaints
    }

    /// The error of the system in a complaint such as "Page 3: unable to get the page. error code=266"; nil in any other,
    /// and where the file is too short.
    static func readError(_ complaint: String) -> Int32? {
        guard let word = complaint.firstRange(of: "error code=") else { return nil }
        let text = complaint[word.upperBound...]
        guard let code = Int32(text), code & 0xFF == SQLITE_IOERR, code != SQLITE_IOERR | (2 << 8)
        else { return nil }
        return code
    }
}
