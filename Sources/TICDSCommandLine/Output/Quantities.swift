/// Sizes and counts for people.
public enum Quantities {
    /// A size in bytes with a decimal unit: "0 B", "999 B", "1.4 MB", "23 MB"; to the byte, "1,400,000 B", where the
    /// style wants it.
    public static func size(_ bytes: Int64, _ style: TextStyle = .current) -> String {
        guard bytes.magnitude >= 1000, !style.hasExactSizes else { return "\(count(Int(bytes))) B" }
        var amount = Double(bytes.magnitude)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        while amount >= 999.5, unit < units.count - 1 {
            amount /= 1000
            unit += 1
        }
        // bounded: at most 999, or 9 EB
        let text = amount < 9.95 ? oneDigit(amount) : "\(Int(amount.rounded()))"
        return (bytes < 0 ? "-" : "") + text + " " + units[unit]
    }

    /// The same, of bytes in memory.
    public static func size(_ bytes: Int, _ style: TextStyle = .current) -> String {
        size(Int64(bytes), style)
    }

    /// A count with a comma every three digits: "100,000".
    public static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A count with its noun: "1 change set", "3 change sets", "2 entries".
    public static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        count(number) + " " + (number == 1 ? singular : plural ?? singular + "s")
    }

    private static func oneDigit(_ amount: Double) -> String {
        let tenths = Int((amount * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
