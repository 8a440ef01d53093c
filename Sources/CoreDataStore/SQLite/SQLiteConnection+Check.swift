import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension SQLiteConnection {
    /// What SQLite's `PRAGMA quick_check` says is broken, in its own words, at most `limit` complaints; none for a sound
    /// database. It walks all pages and cells, but does not compare indexes with their tables.
    /// - Throws: also where a page could not be read, of which SQLite makes a complaint.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        var complaints: [String] = []
        var rows = try prepare("PRAGMA quick_check(\(limit))")
        while try rows.step() {
            let number = errno
            guard let text = rows.text(0), text != "ok" else { continue }
            if let code = Self.readError(text, number) { throw SQLiteError(code: code, message: text) }
            complaints.append(text)
        }
        return complaints
    }

    /// The error of the system in a complaint such as "Page 3: unable to get the page. error code=266"; nil in any other,
    /// and where the file is too short.
    /// - Parameter number: the error of the last call to the system that failed while SQLite looked for the complaint. A
    ///   page that maps others, "Failed to read ptrmap key=5", is complained about without it.
    static func readError(_ complaint: String, _ number: Int32 = 0) -> Int32? {
        if complaint.contains("Failed to read ptrmap"), ![0, ENOENT, EAGAIN].contains(number) {
            return SQLITE_IOERR_READ
        }
        guard let word = complaint.firstRange(of: "error code=") else { return nil }
        let text = complaint[word.upperBound...]
        guard let code = Int32(text), code & 0xFF == SQLITE_IOERR, code != SQLITE_IOERR_SHORT_READ
        else { return nil }
        return code
    }
}
