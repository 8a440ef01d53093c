public import ArgumentParser

/// When text is painted.
public enum ColourChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}

/// How progress is shown.
public enum ProgressChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A line that changes, on a terminal only.
    case auto
    /// A line of text every ten seconds.
    case plain
    /// A line of JSON at most once a second.
    case json
    case none
}

/// What the lines of a log file are.
public enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json
}
