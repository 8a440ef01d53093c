import Glibc
import SystemCalls
import SystemPackage

/// Questions on the controlling terminal, `/dev/tty`: standard input and output may be pipes.
package enum TerminalQuestion {
    private static let longest = 1_024

    /// Asks for confirmation. Every answer except yes means no.
    /// - Parameter preface: empty, or whole lines that the user must read first and that are not on the terminal yet.
    /// - Returns: nil without a terminal.
    static func ask(_ question: TerminalText, preface: TerminalText = "") -> Bool? {
        onTerminal { terminal in
            // try?: as without a terminal
            guard (try? terminal.writeAll((preface + question + " [y/N] ").raw.utf8)) != nil else {
                return nil
            }
            let answer = answeredLine(from: terminal, limit: longest)
            if answer == nil { _ = try? terminal.writeAll("\n".utf8) }  // try?: looks only
            return answer.map { isYes($0) } ?? false
        }
    }

    /// Asks for a line, and returns it without white space at its ends.
    /// - Parameter preface: empty, or whole lines that the user must read first and that are not on the terminal yet.
    /// - Returns: nil without a terminal, and if the input ends before the line does.
    package static func line(_ question: TerminalText, preface: TerminalText = "") -> String? {
        onTerminal { terminal in
            // try?: as without a terminal
            guard (try? terminal.writeAll((preface + question + " ").raw.utf8)) != nil,
                let answer = answeredLine(from: terminal, limit: longest)
            else { return nil }
            return String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
        }
    }

    /// Whether an answer is "y" or "yes", in any case, with or without spaces around it.
    static func isYes(_ answer: [UInt8]) -> Bool {
        let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.count == 1 && ["y", "yes"].contains(words[0].lowercased())
    }
}

/// A question on the controlling terminal whose answer is not shown.
enum PasswordPrompt {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let longest = 4_096
    /// The number of times that a command asks for the same password.
    static let tries = 3

    /// Prints a line on the controlling terminal, if there is one.
    static func tell(_ line: TerminalText) {
        _ = onTerminal { try? $0.writeAll((line + "\n").raw.utf8) }  // try?: the question follows in any case
    }

    /// Whether there is a terminal to ask on.
    static var isPossible: Bool { onTerminal { _ in true } ?? false }

    /// Asks for a password; nil without a terminal, and if the input ends before the line does. If a signal ends the
    /// process, the echo of the terminal is switched on again first (termios(3)).
    static func ask(_ question: TerminalText) -> [UInt8]? {
        onTerminal { terminal in
            withoutEcho(terminal) {
                _ = try? terminal.writeAll((question + ": ").raw.utf8)  // try?: reading fails as well, then
                let answer = answeredLine(from: terminal, limit: longest, until: { caughtSignal != 0 })
                _ = try? terminal.writeAll("\n".utf8)  // try?: looks only
                return answer
            }
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

    /// Makes a signal interrupt the reading instead of ending the process; returns its former action.
    private static func replaceHandler(of number: CInt) -> sigaction {
        var before = sigaction()
        var handler = sigaction()
        handler.__sigaction_handler.sa_handler = { caughtSignal = $0 }
        sigaction(number, &handler, &before)
        return before
    }
}

/// The result of `body` on the controlling terminal; nil without one.
private func onTerminal<Answer>(_ body: (FileDescriptor) -> Answer?) -> Answer? {
    // try?: without a terminal no question is asked
    guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
    else { return nil }
    defer { try? terminal.close() }  // try?: nothing depends on it
    return body(terminal)
}

/// The bytes of the next line; nil if the input or `limit` ends before the line does, or `isInterrupted` is true.
/// - Parameter isInterrupted: called after each signal that interrupts the reading; nil continues after signals.
private func answeredLine(
    from terminal: FileDescriptor, limit: Int, until isInterrupted: (() -> Bool)? = nil
) -> [UInt8]? {
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while answer.count < limit, isInterrupted?() != true {
        let count = withUnsafeMutableBytes(of: &byte) {
            // try?: the input ends
            (try? terminal.read(into: $0, retryOnInterrupt: isInterrupted == nil)) ?? 0
        }
        guard count == 1, isInterrupted?() != true else { return nil }
        if byte == 0x0A { return answer }
        answer.append(byte)
    }
    return nil
}

/// The signal that arrived during the question for a password; written by the handler, read in the same thread.
nonisolated(unsafe) private var caughtSignal: CInt = 0
