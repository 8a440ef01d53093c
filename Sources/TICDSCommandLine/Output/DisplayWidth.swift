/// The number of terminal columns that text takes.
package enum DisplayWidth {
    /// Columns of `text`: wide characters and emoji take two, combining and invisible ones none. Escape control characters
    /// first.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest beginning of `text` that fits into `columns`, with an ellipsis if a part is left out.
    package static func shortened(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = width(of: character)
            if used + width > columns - 1 { break }
            result.append(character)
            used += width
        }
        return columns > 0 ? result + "…" : ""
    }

    /// `text` without its middle if it is wider than `columns`; the end keeps more than the beginning.
    package static func withoutMiddle(_ text: String, to columns: Int) -> String {
        guard of(text) > columns, columns > 2 else { return shortened(text, to: columns) }
        let start = shortened(text, to: columns / 3)
        var end: [Character] = []
        var used = of(start)
        for character in text.reversed() {
            used += width(of: character)
            if used > columns { break }
            end.append(character)
        }
        return start + String(end.reversed())
    }

    /// Columns of one character as a reader sees it.
    private static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if let first = scalars.first, scalars.count > 1, isEmoji(first, in: scalars) { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Whether several code points make one emoji: a flag, a skin tone, a family, or a sign with the variation selector
    /// U+FE0F.
    private static func isEmoji(_ first: Unicode.Scalar, in scalars: Character.UnicodeScalarView) -> Bool {
        first.properties.isEmojiPresentation
            || first.properties.isEmoji
                && scalars.contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if takesNoColumn(scalar) { return 0 }
        return WideScalars.contains(scalar) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    private static func takesNoColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Vowels and final consonants of Hangul combine with the consonant before them.
        case 0x1160...0x11FF, 0x3164, 0xD7B0...0xD7FF: return true
        // Signs of Arabic, Syriac and Kaithi that span the digits after them are visible.
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: return true
        default: return false
        }
    }
}

/// The code points that are wide or full-width in Unicode's East Asian Width, without emoji, which have their own
/// property. The ranges include gaps without characters.
enum WideScalars {
    private static let ranges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x3029,
        0x3030...0x303E, 0x3041...0x3163, 0x3165...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x16FF6, 0x17000...0x18DF2, 0x1AFF0...0x1B2FB,
        0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]

    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        return ranges.contains { $0.contains(scalar.value) }
    }
}
