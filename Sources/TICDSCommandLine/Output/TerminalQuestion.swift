import SystemPackage

/// A question on the controlling terminal.
public enum TerminalQuestion {
    private static let longest = 1_024

    /// Asks on `/dev/tty`; nil without a terminal. Whatever does not say yes is a no.
    /// - Parameter preface: what has to be read first and has not been shown on the terminal yet; empty, or whole lines.
    static func ask(_ question: ScreenText, preface: ScreenText = "") -> Bool? {
        // try?: without a terminal there is no answer
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
        else { return nil }
        defer { try? terminal.close() }  // try?: nothing rests on it
        // try?: as without a terminal
        guard (try? terminal.writeAll((preface + question + " [y/N] ").raw.utf8)) != nil else { return nil }
        let answer = line(from: terminal)
        if answer == nil { _ = try? terminal.writeAll("\n".utf8) }  // try?: looks only
        return answer.map { isYes($0) } ?? false
    }

    /// Asks on `/dev/tty` for a line, without white space at its ends.
    /// - Parameter preface: as of the other question.
    /// - Returns: nil without a terminal, and where the input ends before the line does.
    public static func line(_ question: ScreenText, preface: ScreenText = "") -> String? {
        // try?: without a terminal there is no answer
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
        else { return nil }
        defer { try? terminal.close() }  // try?: nothing rests on it
        // try?: as without a terminal
        guard (try? terminal.writeAll((preface + question + " ").raw.utf8)) != nil,
            let answer = line(from: terminal)
        else { return nil }
        return String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }

    /// True for "y" and "yes", in capitals or not, with spaces around.
    static func isYes(_ answer: [UInt8]) -> Bool {
        let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.count == 1 && ["y", "yes"].contains(words[0].lowercased())
    }

    /// Nil where the input ends before the line does.
    private static func line(from terminal: FileDescriptor) -> [UInt8]? {
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while answer.count < longest {
            // try?: the input ends
            let count = withUnsafeMutableBytes(of: &byte) { (try? terminal.read(into: $0)) ?? 0 }
            guard count == 1 else { return nil }
            if byte == 0x0A { return answer }
            answer.append(byte)
        }
        return nil
    }
}
