public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is known of the terminal behind a descriptor.
public enum Terminal {
    /// True when the descriptor is a terminal.
    public static func isTerminal(_ descriptor: FileDescriptor) -> Bool {
        isatty(descriptor.rawValue) == 1
    }

    /// Columns of the terminal on standard output; nil when it is none. `COLUMNS` goes first.
    public static var width: Int? { width(of: .standardOutput) }

    /// Columns of the terminal behind a descriptor; nil when it is none. `COLUMNS` goes first.
    static func width(of descriptor: FileDescriptor) -> Int? {
        guard isTerminal(descriptor) else { return nil }
        if let text = Environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether more than ASCII may be drawn: the locale is UTF-8, and the terminal is not `dumb`.
    public static var showsUnicode: Bool {
        let locale = Environment["LC_ALL"] ?? Environment["LC_CTYPE"] ?? Environment["LANG"] ?? "C"
        let name = locale.lowercased()
        return (name.contains("utf-8") || name.contains("utf8")) && Environment["TERM"] != "dumb"
    }
}
