import Base
public import KeyedArchive
public import SystemCalls

/// The time in the identifier of a change set (ticds-remote-format(5), 1.2).
public enum ChangeSetIdentifier {
    /// The time at the beginning of the identifier: ten digits of any script, a decimal separator and six digits, in
    /// seconds since 2001, then `-`. Nil for identifiers in another form, which writers are free to use.
    public static func nominalTime(_ identifier: RemoteName) -> FileTime? {
        identifier.bytes.withUnsafeBytes { nominalTime($0) }
    }

    /// The time at which a set was sent. All clients agree on this time, because the author puts it into the name when
    /// it sends the set, and every copy keeps the name. For a name without a time it is the modification time, which is
    /// the time of the last edit or of the sending, and which services and copies may lose (4.8.3, 7.5).
    public static func sendingTime(_ identifier: RemoteName, modified: FileTime) -> FileTime {
        nominalTime(identifier) ?? modified
    }

    /// The time at the beginning of an identifier that is given as bytes.
    public static func nominalTime(_ bytes: UnsafeRawBufferPointer) -> FileTime? {
        guard bytes.count > asciiLength, bytes[..<asciiLength].allSatisfy({ $0 < 0x80 }) else {
            return nominalTimeInAnyScript(RemoteName(bytes))
        }
        guard isSeparator(Unicode.Scalar(bytes[10])), bytes[asciiLength - 1] == hyphen
        else { return nil }
        guard let seconds = number(bytes[..<10]), let microseconds = number(bytes[11..<asciiLength - 1])
        else { return nil }
        return time(seconds, microseconds)
    }

    /// Whether the framework makes identifiers of this form: a UUID string, which may end with the number of a process
    /// and 16 hexadecimal digits, after a time, a counter or nothing (ticds-remote-format(5), 1.2).
    static func isOfFramework(_ identifier: UnsafeRawBufferPointer) -> Bool {
        var rest = identifier[...]
        let isCounted = rest.prefix(4).allSatisfy(isDigit) && rest.dropFirst(4).first == hyphen
        if nominalTime(identifier) != nil || isCounted {
            rest = rest.drop { $0 != hyphen }.dropFirst()
        }
        guard rest.count >= uuidLength else { return false }
        for (position, byte) in rest.prefix(uuidLength).enumerated() {
            let isBetween = position == 8 || position == 13 || position == 18 || position == 23
            guard isBetween ? byte == hyphen : isHexadecimalDigit(byte) else { return false }
        }
        rest = rest.dropFirst(uuidLength)
        guard let next = rest.popFirst() else { return true }
        let number = rest.prefix(while: isDigit)
        let last = rest.dropFirst(number.count)
        return next == hyphen && !number.isEmpty && last.count == 17 && last.first == hyphen
            && last.dropFirst().allSatisfy(isHexadecimalDigit)
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let uuidLength = 36

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The value of a run of ASCII digits; nil if it contains other characters.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        var number: Int64 = 0
        for byte in digits {
            guard isDigit(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Bytes of the time with its separator and hyphen, if all are ASCII, as in nearly every identifier.
    private static let asciiLength = 18

    private static func nominalTimeInAnyScript(_ identifier: RemoteName) -> FileTime? {
        var digits: [Int64] = []
        var separatorPosition: Int?
        for character in identifier.text.unicodeScalars {
            if let digit = decimalDigit(character) {
                digits.append(digit)
                if digits.count > 16 { return nil }
            } else if digits.count == 16, separatorPosition == 10, character == "-" {
                return time(
                    digits.prefix(10).reduce(0) { $0 * 10 + $1 }, digits.suffix(6).reduce(0) { $0 * 10 + $1 })
            } else if separatorPosition == nil, digits.count == 10, isSeparator(character) {
                separatorPosition = 10
            } else {
                return nil
            }
        }
        return nil
    }

    private static func time(_ seconds: Int64, _ microseconds: Int64) -> FileTime {
        // bounded: ten digits and six
        FileTime(seconds: seconds + FileTime.secondsFrom1970To2001, nanoseconds: Int32(microseconds * 1000))
    }

    /// Full stop, comma, and the Arabic decimal separator.
    private static func isSeparator(_ character: Unicode.Scalar) -> Bool {
        character == "." || character == "," || character == "\u{66B}"
    }

    private static func decimalDigit(_ character: Unicode.Scalar) -> Int64? {
        guard character.properties.numericType == .decimal else { return nil }
        return character.properties.numericValue.map { Int64($0) }
    }

    /// An identifier for a set that is written at `time`: the seconds since 2001 with ten digits and six decimals, and
    /// a UUID (ticds-remote-format(5), 1.2).
    public static func make(at time: FileTime, uuid: ArchivedUUID = .random()) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(max(0, number))
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let seconds = padded(time.seconds -| FileTime.secondsFrom1970To2001, 10)
        return "\(seconds).\(padded(Int64(time.nanoseconds) / 1000, 6))-\(uuid)"
    }
}
