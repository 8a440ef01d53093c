import Base

/// Names for entries of one folder, which every file system and shell can handle: unique also without regard to case,
/// at most 255 bytes, without control characters, without characters that Windows forbids, and not hidden.
public struct VirtualNames {
    private var taken: Set<String> = []
    /// The next number for a name and a distinction that are both taken.
    private var numbers: [String: Int] = [:]

    /// The largest number of bytes in a name.
    public static let longest = 255

    /// No names.
    public init() {}

    /// A name that is like `text`, with `suffix` behind it.
    /// - Parameters:
    ///   - distinction: what is added to a name that is taken, such as a number.
    ///   - room: bytes that must stay free behind the name, for other suffixes.
    public mutating func next(
        _ text: String, suffix: String = "", or distinction: @autoclosure () -> String, room: Int = 0
    ) -> String {
        let most = Self.longest - max(suffix.utf8.count, room)
        let stem = Self.name(text, room: max(suffix.utf8.count, room))
        if taken.insert(Self.key(stem + suffix)).inserted { return stem + suffix }
        let mark = " (\(Self.safe(distinction(), most: 60)))"
        let marked = Self.cut(stem, to: most - mark.utf8.count) + mark
        let key = Self.key(marked + suffix)
        if taken.insert(key).inserted { return marked + suffix }
        // ends: there are fewer names than numbers
        for number in (numbers[key] ?? 2)... {
            let mark = mark.dropLast() + ", \(number))"
            let name = Self.cut(stem, to: most - mark.utf8.count) + mark + suffix
            guard taken.insert(Self.key(name)).inserted else { continue }
            numbers[key] = number &+ 1
            return name
        }
        return stem + suffix
    }

    /// A name that is like `text`, with a mark behind it whether the name is taken or not; with `distinction` in place of
    /// the mark if that name is taken.
    public mutating func next(
        _ text: String, marked mark: String, or distinction: String, room: Int = 0
    ) -> String {
        let most = Self.longest - room
        for mark in [mark, distinction] {
            let mark = " (\(Self.safe(mark, most: 60)))"
            let name = Self.cut(Self.safe(text, most: most), to: most - mark.utf8.count) + mark
            if taken.insert(Self.key(name)).inserted { return name }
        }
        return next(text, or: distinction, room: room)
    }

    /// A text that is equal for texts that would get the same name.
    public static func likeness(of text: String, room: Int = 0) -> String {
        key(safe(text, most: longest - room))
    }

    /// A name that is like `text`, whether or not it is taken, with room for as many bytes behind it.
    public static func name(_ text: String, room: Int) -> String { safe(text, most: longest - room) }

    /// Keeps a name from being given to an entry.
    public mutating func reserve(_ name: String) { taken.insert(Self.key(name)) }

    /// The text that names have in common between which some file system sees no difference: that of the case, as between
    /// `ß` and `SS`, and that of the normalization, which `String` does not see.
    private static func key(_ name: String) -> String { name.uppercased().lowercased() }

    /// The text as a name, of at most `most` bytes.
    static func safe(_ text: String, most: Int) -> String {
        var name = ""
        for scalar in escapedText(cut(text, to: longest)).unicodeScalars {
            name.unicodeScalars.append(forbidden.contains(scalar) ? "_" : scalar)
        }
        while let last = name.unicodeScalars.last, last == " " || last == "." {
            name.unicodeScalars.removeLast()
        }
        while name.unicodeScalars.first == " " { name.unicodeScalars.removeFirst() }
        if let first = name.unicodeScalars.first, ".-~".unicodeScalars.contains(first) { name = "_" + name }
        if name.isEmpty { name = "_" }
        var start = name.prefix { $0 != "." }.lowercased()
        while start.last == " " { start.removeLast() }
        if devices.contains(start) { name = "_" + name }
        return cut(name, to: most)
    }

    /// The first characters of the text, as many as fit into this number of bytes.
    private static func cut(_ text: String, to most: Int) -> String {
        if text.utf8.count <= most { return text }
        var name = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > most { break }
            name.append(scalar)
        }
        while let last = name.last, last == " " || last == "." { name.removeLast() }
        return String(name)
    }

    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\0"]

    /// Names that Windows gives to devices.
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul", "conin$", "conout$"]
            + "123456789¹²³".flatMap { ["com\($0)", "lpt\($0)"] })
}
