/// Connection strings of rclone in texts of any kind: `rclone::sftp,host=example.org,pass=...:path`, and `:sftp,pass=...:path`
/// as rclone itself writes them. The values of their options may be passwords.
package enum ConnectionString {
    /// A text with `...` in place of the options of all connection strings in it. If the options have no end, as in a
    /// malformed address, the rest of the text goes with them.
    package static func hidden(in text: String) -> String {
        // Almost no text contains one.
        guard text.utf8.contains(comma), text.utf8.contains(colon) else { return text }
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard let options = start(of: bytes, at: position) else {
                shown.append(bytes[position])
                position += 1
                continue
            }
            shown += bytes[position..<options] + ",...".utf8
            position = end(of: bytes, from: options)
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private static let prefix = Array(RcloneAddress.prefix.utf8)
    private static let comma = UInt8(ascii: ",")
    private static let colon = UInt8(ascii: ":")
    private static let equals = UInt8(ascii: "=")

    /// The position at which the options of a connection string begin, if it begins at `start`: at a comma; nil if none
    /// begins there.
    private static func start(of bytes: [UInt8], at start: Int) -> Int? {
        let rest = bytes[start...]
        let isAddress = rest.starts(with: prefix)
        var position = start + (isAddress ? prefix.count : 0)
        if !isAddress {
            // A colon between two words is not a beginning.
            guard rest.first == colon, start == 0 || !isLetter(bytes[start - 1]) else { return nil }
        }
        if position < bytes.count, bytes[position] == colon { position += 1 }
        let name = bytes[position...].prefix { isAddress ? $0 != comma && $0 != colon : isLetter($0) }
        position += name.count
        guard position < bytes.count, bytes[position] == comma, !name.isEmpty else { return nil }
        if isAddress { return position }
        let option = bytes[position...].dropFirst().prefix(while: isLetter)
        let end = position + 1 + option.count
        return !option.isEmpty && end < bytes.count && bytes[end] == equals ? position : nil
    }

    /// The end of the options: at the colon after them, or at the end of the text. A backslash before a quote belongs
    /// to JSON or to the value: the later end counts.
    private static func end(of bytes: [UInt8], from start: Int) -> Int {
        max(end(of: bytes, from: start, isJSON: false), end(of: bytes, from: start, isJSON: true))
    }

    private static func end(of bytes: [UInt8], from start: Int, isJSON: Bool) -> Int {
        let hidden = start + ",...".utf8.count
        let isHidden = bytes[start...].starts(with: ",...".utf8)
        if isHidden, hidden == bytes.count || bytes[hidden] == UInt8(ascii: " ") { return hidden }
        var position = start
        while position < bytes.count, bytes[position] == comma {
            position += 1
            position += bytes[position...].prefix { $0 != equals && $0 != comma && $0 != colon }.count
            guard position < bytes.count, bytes[position] == equals else { continue }
            position = endOfValue(bytes, from: position + 1, isJSON: isJSON)
        }
        guard position < bytes.count, bytes[position] != colon else { return position }
        // After a closing quote, a message continues after a space.
        return position + bytes[position...].prefix { $0 != UInt8(ascii: " ") }.count
    }

    /// The end of a value: after its closing quote, or at the next comma or colon. JSON has a backslash before a quote.
    private static func endOfValue(_ bytes: [UInt8], from start: Int, isJSON: Bool) -> Int {
        let escapes = isJSON ? bytes[start...].prefix { $0 == UInt8(ascii: "\\") }.count : 0
        let first = start + escapes
        guard first < bytes.count, bytes[first] == UInt8(ascii: "'") || bytes[first] == UInt8(ascii: "\"")
        else {
            return start + bytes[start...].prefix { $0 != comma && $0 != colon }.count
        }
        let quote = bytes[start...first]
        var position = first + 1
        while position < bytes.count {
            guard bytes[position...].starts(with: quote) else {
                position += 1
                continue
            }
            position += quote.count
            // Two quotes represent one.
            guard bytes[position...].starts(with: quote) else { return position }
            position += quote.count
        }
        return bytes.count
    }

    /// Whether a byte is a letter, digit, hyphen or underscore, as in names of backends and options.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
