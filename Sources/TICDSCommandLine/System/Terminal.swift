#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

public import SystemPackage

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
}
