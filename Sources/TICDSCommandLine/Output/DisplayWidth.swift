/// How many columns of a terminal text takes.
public enum DisplayWidth {
    /// Columns of `text`: wide characters take two, combining ones none. Controls ought to be escaped before.
    public static func of(_ text: some StringProtocol) -> Int {
        var columns = 0
        for scalar in text.unicodeScalars { columns += width(of: scalar) }
        return columns
    }

    /// The longest beginning of `text` that fits into `columns`, with an ellipsis where something is left out.
    public static func shortened(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = of(String(character))
            if used + width > columns - 1 { break }
            result.append(character)
            used += width
        }
        return columns > 0 ? result + "…" : ""
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    /// East Asian wide and full-width blocks, and the emoji that terminals show in two columns.
    private static func isWide(_ code: UInt32) -> Bool {
        switch code {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
