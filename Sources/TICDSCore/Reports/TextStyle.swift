import Base
import Glibc
public import SystemCalls

/// The style of times and sizes for people.
public struct TextStyle: Sendable, Hashable {
    /// Times in UTC instead of the local time zone.
    public var isUTC: Bool
    /// Times as ISO 8601, without ages.
    public var isISO: Bool
    /// Sizes to the byte instead of with a unit.
    public var hasExactSizes: Bool

    /// A style; by default local times, and sizes with a unit.
    public init(isUTC: Bool = false, isISO: Bool = false, hasExactSizes: Bool = false) {
        self.isUTC = isUTC
        self.isISO = isISO
        self.hasExactSizes = hasExactSizes
    }

    /// Date and time to the minute: `2013-05-01 14:03`.
    public func minute(_ time: FileTime) -> String { isISO ? iso(time) : String(second(time).prefix(16)) }

    /// Date and time to the second: `2013-05-01 14:03:22`.
    public func second(_ time: FileTime) -> String {
        isISO ? iso(time) : time.calendar(offset: offset(time), separator: " ")
    }

    /// A size in bytes with a decimal unit: `0 B`, `999 B`, `1.4 MB`, `23 MB`; to the byte, `1,400,000 B`, if the style
    /// is exact.
    public func size(_ bytes: some BinaryInteger) -> String {
        guard bytes.magnitude >= 1000, !hasExactSizes else { return "\(grouped(bytes)) B" }
        var amount = Double(bytes.magnitude)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        while amount >= 999.5, unit < units.count - 1 {
            amount /= 1000
            unit += 1
        }
        // bounded: at most 999, or 9 EB
        let tenths = Int((amount * 10).rounded())
        // bounded: as above
        let text = amount < 9.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(amount.rounded()))"
        return (bytes < 0 ? "-" : "") + text + " " + units[unit]
    }

    /// ISO 8601 to the second, with `Z` or the offset from UTC: `2013-05-01T14:03:22+02:00`.
    private func iso(_ time: FileTime) -> String {
        let offset = offset(time)
        return time.calendar(offset: offset, separator: "T") + (isUTC ? "Z" : FileTime.zone(offset))
    }

    private func offset(_ time: FileTime) -> Int64 { isUTC ? 0 : time.localOffset }
}

/// A number with a comma every three digits: `100,000`.
package func grouped(_ number: some BinaryInteger) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text += "," }
        text.append(digit)
    }
    return text
}

extension FileTime {
    /// Seconds by which the local time zone (`TZ`) is ahead of UTC at this time.
    package var localOffset: Int64 {
        var time = time_t(seconds)
        var fields = tm()
        return localtime_r(&time, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
    }

    fileprivate func calendar(offset: Int64, separator: Unicode.Scalar) -> String {
        Self.text { $0.append(secondsSince1970: seconds +| offset, separator: UInt8(ascii: separator)) }
    }

    /// Hours and minutes by which a zone is ahead of UTC: `+02:00`.
    fileprivate static func zone(_ offset: Int64) -> String {
        let minutes = Int(offset.magnitude / 60)
        let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (offset < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}
