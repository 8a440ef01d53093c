import Glibc

/// The signals that a thread does not receive for now (pthread_sigmask(3)).
public enum SignalMask {
    /// Lets signals reach this thread, also if the program that started this one blocks them.
    public static func unblock(_ numbers: [CInt]) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
