import Glibc
import Synchronization
import SystemCalls

/// SIGINT, SIGTERM and SIGHUP, which end a mount. Some programs send them twice, so that a second one must not end the
/// process before it has unmounted.
public enum EndSignals {
    /// The first of the signals that came since ``catch()``; nil for none.
    public static var caught: Int32? {
        let number = first.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Catches the signals from now on, also if the program that started this one blocks them. Ignored signals stay
    /// ignored.
    public static func `catch`() {
        // The handler must find it initialised.
        _ = caught
        var numbers: [CInt] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            if handler == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
            action = sigaction()
            action.__sigaction_handler.sa_handler = note
            sigaction(number, &action, nil)
            numbers.append(number)
        }
        SignalMask.unblock(numbers)
    }
}

private let first = Atomic<Int32>(0)

private let note: @convention(c) (CInt) -> Void = { number in
    _ = first.compareExchange(expected: 0, desired: number, ordering: .relaxed)
}
