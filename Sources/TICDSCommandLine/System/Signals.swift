#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import SystemCalls

/// How the process meets signals, and ends.
enum Signals {
    /// A closed pipe ends the process in silence, as `| head` expects, even where the parent ignored SIGPIPE.
    static func restorePipeDefault() { signal(SIGPIPE, SIG_DFL) }

    /// Ends the process, after the pager, where there is one.
    static func exit(_ status: ExitStatus) -> Never {
        Pager.finish()
        TerminationSignals.waitIfTerminating()
        #if canImport(Glibc)
            Glibc.exit(status.rawValue)
        #else
            Darwin.exit(status.rawValue)
        #endif
    }
}
