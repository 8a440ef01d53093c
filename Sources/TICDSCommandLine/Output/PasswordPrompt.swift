#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import SystemCalls
import SystemPackage

/// A question on the controlling terminal whose answer is not shown.
enum PasswordPrompt {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let longest = 4_096

    /// Whether there is a terminal to ask on.
    static var isPossible: Bool {
        // try?: without a terminal nobody is asked
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
        else { return false }
        try? terminal.close()  // try?: nothing was written
        return true
    }

    /// Asks on `/dev/tty`; nil without a terminal, or when the terminal ends the input before a line.
    ///
    /// A signal that ends the process first gives the terminal its echo back.
    static func ask(_ question: ScreenText) -> [UInt8]? {
        // try?: without a terminal there is no answer
        // try?: without a terminal nobody is asked
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
        else { return nil }
        defer { try? terminal.close() }  // try?: nothing rests on it
        return withoutEcho(terminal) {
            _ = try? terminal.writeAll((question + ": ").raw.utf8)  // try?: reading fails as well, then
            let answer = line(from: terminal)
            _ = try? terminal.writeAll("\n".utf8)  // try?: looks only
            return answer
        }
    }

    private static func withoutEcho(_ terminal: FileDescriptor, _ body: () -> [UInt8]?) -> [UInt8]? {
        var before = termios()
        guard tcgetattr(terminal.rawValue, &before) == 0 else { return nil }
        caughtSignal = 0
        let handlers = signals.map { ($0, replaceHandler(of: $0)) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal.rawValue, TCSAFLUSH, &silent)
        let answer = body()
        tcsetattr(terminal.rawValue, TCSAFLUSH, &before)
        for (number, handler) in handlers {
            var handler = handler
            sigaction(number, &handler, nil)
        }
        if caughtSignal != 0 {
            raise(caughtSignal)
            TerminationSignals.waitIfTerminating()
        }
        return answer
    }

    /// Lets a signal interrupt the reading instead of ending the process; returns what it did before.
    private static func replaceHandler(of number: CInt) -> sigaction {
        var before = sigaction()
        var handler = sigaction()
        #if canImport(Glibc)
            handler.__sigaction_handler.sa_handler = { caughtSignal = $0 }
        #else
            handler.__sigaction_u.__sa_handler = { caughtSignal = $0 }
        #endif
        sigaction(number, &handler, &before)
        return before
    }

    private static func line(from terminal: FileDescriptor) -> [UInt8]? {
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while answer.count < longest, caughtSignal == 0 {
            let count = withUnsafeMutableBytes(of: &byte) {
                (try? terminal.read(into: $0, retryOnInterrupt: false)) ?? 0  // try?: the input ends
            }
            guard count == 1, caughtSignal == 0 else { return nil }
            if byte == 0x0A { return answer }
            answer.append(byte)
        }
        return nil
    }
}

/// The signal that arrived while a password was asked for; written by the handler, read in the same thread.
nonisolated(unsafe) private var caughtSignal: CInt = 0
