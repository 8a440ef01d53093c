extension Terminal {
    /// Whether more than ASCII may be drawn: the locale is UTF-8, and the terminal is not `dumb`.
    public static var showsUnicode: Bool {
        let locale = Environment["LC_ALL"] ?? Environment["LC_CTYPE"] ?? Environment["LANG"] ?? "C"
        let name = locale.lowercased()
        return (name.contains("utf-8") || name.contains("utf8")) && Environment["TERM"] != "dumb"
    }
}
