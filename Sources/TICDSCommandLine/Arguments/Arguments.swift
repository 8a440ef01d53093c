import ArgumentParser
import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// The number of a text with digits only: `+5d` would mean a future time, and is refused.
private func wholeNumber(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
}

/// A duration on the command line: a whole number and a unit, as in `90s`, `10m`, `2h`, `30d` or `4w`.
package struct DurationArgument: ExpressibleByArgument, Sendable, Hashable {
    package let seconds: Int64

    package init?(argument: String) {
        guard let unit = argument.last, let scale = Self.units[unit],
            let number = wholeNumber(argument.dropLast())
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        self.seconds = seconds
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    package static var allValueStrings: [String] { [] }
}

/// A time on the command line: ISO 8601 from the year on, with or without a time of day, or as tables print it, with a
/// space; or a duration before now, as in `30d`; or `now`, `today` or `yesterday`. Without an offset it is in the zone
/// of tables: the local one, or UTC with `--utc`. The whole text must match, otherwise it is refused.
package struct TimeArgument: ExpressibleByArgument, Sendable, Hashable {
    private let text: String
    private let utc: Double
    /// The time in the local zone; nil if the local clocks skip it or show it twice.
    private let local: Double?

    /// The time in seconds since 2001-01-01 00:00:00 UTC. A time without a zone is in that of tables.
    /// - Throws: `ValidationError` for a time that the clocks of this zone skip or show twice.
    package func secondsSince2001(_ style: TextStyle) throws -> Double {
        if style.isUTC { return utc }
        if let local { return local }
        throw ValidationError(
            "The local clocks skip the time '\(text)' or show it twice. Add its offset from UTC, such as +01:00, or give "
                + "--utc.")
    }

    /// The time in the form of file times.
    /// - Throws: `ValidationError` for a time that no file can have.
    package func time(_ style: TextStyle) throws -> FileTime {
        guard let time = FileTime(secondsSince2001: try secondsSince2001(style)) else {
            throw ValidationError("A time has to lie within a few million years.")
        }
        return time
    }

    package init?(argument: String) { self.init(argument, now: FileTime.now.secondsSince2001) }

    /// - Parameter now: the present time in seconds since 2001-01-01 00:00:00 UTC.
    init?(_ text: String, now: Double) {
        self.text = text
        if let days = ["today": 0.0, "yesterday": 1][text.lowercased()] {
            guard let moment = FileTime(secondsSince2001: now),
                let here = WrittenTime(day: now + Double(moment.localOffset), before: days)?.local,
                let day = WrittenTime(day: now, before: days)
            else { return nil }
            utc = day.utc.secondsSince2001
            local = here.secondsSince2001
            return
        }
        if let time = WrittenTime(text) {
            utc = time.utc.secondsSince2001
            local = time.local?.secondsSince2001
            return
        }
        let length = text.lowercased() == "now" ? 0 : DurationArgument(argument: text)?.seconds
        guard let length else { return nil }
        utc = now - Double(length)  // bounded: floating point
        local = utc
    }

    package static var allValueStrings: [String] { [] }
}

/// A date or the beginning of a date, perhaps with a time of day and a zone, as a whole text.
private struct WrittenTime {
    /// The time, in UTC if the text names no zone.
    let utc: FileTime
    private let hasZone: Bool
    private let hasClock: Bool

    init?(_ text: String) {
        let separator = text.firstIndex { $0 == "T" || $0 == " " }
        let date = text[..<(separator ?? text.endIndex)]
        var clock = separator.map { text[$0...].dropFirst() } ?? "00:00:00"
        let zone = Self.zone(&clock)
        hasZone = zone != nil
        hasClock = separator != nil
        guard let day = Self.whole(date), separator == nil || day == date, let second = Self.second(clock),
            let fields = FileTime(iso: "\(day)T\(second)Z")
        else { return nil }
        utc = fields.adding(seconds: 0 -| (zone ?? 0))
    }

    /// The day of a clock time, in seconds since the first moment of 2001, or some days before that day.
    init?(day clock: Double, before days: Double) {
        guard let day = FileTime(secondsSince2001: ((clock / 86_400).rounded(.down) - days) * 86_400) else {
            return nil
        }
        utc = day
        hasZone = false
        hasClock = false
    }

    /// The time in the local zone. Nil if its clocks skip it or show it twice; a day begins with its first moment.
    var local: FileTime? {
        if hasZone { return utc }
        let offsets = [-86_400, 86_400].map { utc.adding(seconds: $0).localOffset }
        let times = Set(offsets).map { (offset: $0, time: utc.adding(seconds: 0 -| $0)) }
            .filter { $0.time.localOffset == $0.offset }.map(\.time).sorted()
        if hasClock { return times.count == 1 ? times[0] : nil }
        return times.first ?? utc.adding(seconds: 0 -| offsets[0])
    }

    /// The text with 0 in place of each digit.
    private static func shape(_ text: Substring) -> String {
        String(decoding: text.utf8.map { (48...57).contains($0) ? 48 : $0 }, as: UTF8.self)
    }

    /// The complete date for its beginning.
    private static func whole(_ date: Substring) -> String? {
        switch shape(date) {
        case "0000": "\(date)-01-01"
        case "0000-00": "\(date)-01"
        case let shape
        where shape.hasSuffix("0000-00-00") && shape.dropLast(6).allSatisfy { $0 == "0" }: String(date)
        default: nil
        }
    }

    /// The time of day to the second.
    private static func second(_ clock: Substring) -> String? {
        let shape = shape(clock)
        if shape == "00:00" { return "\(clock):00" }
        return shape.hasPrefix("00:00:00") ? String(clock) : nil
    }

    /// Removes the zone from the end of a time of day; returns the seconds by which it is ahead of UTC, or nil without
    /// a zone.
    private static func zone(_ clock: inout Substring) -> Int64? {
        if clock.last == "Z" {
            clock.removeLast()
            return 0
        }
        guard let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let digits = clock[sign...].dropFirst()
        guard ["00", "0000", "00:00"].contains(shape(digits)), let hours = Int64(digits.prefix(2)),
            hours < 24,
            let minutes = digits.count == 2 ? 0 : Int64(digits.suffix(2)), minutes < 60
        else { return nil }
        let isBehind = clock[sign] == "-"
        clock = clock[..<sign]
        // bounded: below a day
        return (hours * 3_600 + minutes * 60) * (isBehind ? -1 : 1)
    }
}

/// A size on the command line: a whole number and a unit, as in `800k`, `500M`, `10G` or `1T`; thousands, not 1,024s.
package struct SizeArgument: ExpressibleByArgument, Sendable, Hashable {
    package let bytes: Int64

    package init?(argument: String) {
        guard let unit = argument.last else { return nil }
        let scale = Self.units[unit]
        guard let number = wholeNumber(scale == nil ? argument[...] : argument.dropLast()) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: scale ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    private static let units: [Character: Int64] = [
        "B": 1, "k": 1_000, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000,
    ]

    package static var allValueStrings: [String] { [] }
}

/// The forms of the values of options, by the name that the help gives them.
enum ValueForms {
    private static let forms = [
        "time": """
        A time is a date or the beginning of one (2013, 2013-10), a date with a time of day ("2013-10-05 14:30", \
        2013-10-05T14:30:00Z, 2013-10-05T16:30+02:00), a length of time before now (36h, 30d, 4w), now, today or \
        yesterday. Without an offset it is a local time, or UTC with --utc.
        """,
        "duration": "A duration is a number and a unit: 90s, 10m, 2h, 30d, 4w.",
        "code": "A code is TICDS- and four digits, such as TICDS-0612. ticds-verify explain lists all codes.",
        "size": "A size is a number and a unit: 800k, 500M, 10G, 1T.",
        "tag": """
        A tag has 1 to 64 of the letters a-z and A-Z, digits, '.', '_' and '-'; it begins with no '.', and does not end \
        as an archive does (.zip).
        """,
    ]

    /// The hint for an error of the parser about a value; nil for other errors.
    static func hint(_ problem: String) -> String? {
        guard problem.contains("is invalid for") else { return nil }
        return forms.first { problem.contains(" <\($0.key)>'") || problem.contains("'<\($0.key)>'") }?.value
    }
}

/// The place for the results of a command, which is never in a remote.
package enum OutputTarget {
    /// The argument that means standard output in place of a file to write.
    package static let standardOutput = "-"

    /// The file of a page, a picture or other text; nil for standard output.
    /// - Throws: `ValidationError` for standard output with `--json`; the errors of ``path(_:)``.
    package static func page(_ argument: String, asJSON: Bool) throws -> FilePath? {
        guard argument == standardOutput else { return try path(argument) }
        if asJSON {
            throw ValidationError("--json prints the result on standard output: name a file instead of -.")
        }
        return nil
    }

    /// The file or folder that an argument names.
    /// - Throws: `FileProblem` of kind `refused` for a place in a remote, and for `-`.
    package static func path(_ argument: String) throws(FileProblem) -> FilePath {
        try outside(Environment.file(argument: argument))
    }

    /// A place for files that ticds writes.
    /// - Throws: `FileProblem` of kind `refused` for a place in a remote.
    package static func outside(_ path: FilePath) throws(FileProblem) -> FilePath {
        let folder = try path.parent.resolvedAllowingMissing()
        let place = path.lastComponent.map { folder.appending($0) } ?? folder
        if let remote = try RemoteLocation.remote(around: place) {
            throw FileProblem(
                .refused, path: path, "lies in a remote, where a foreign file blocks the clients",
                found: "the remote \(remote.escaped)", advice: "Choose a place outside it")
        }
        try refuseLog(path)
        return path
    }

    /// Refuses the names of the files beside an SQLite database, which SQLite would take for its changes.
    private static func refuseLog(_ path: FilePath) throws(FileProblem) {
        for suffix in ["-wal", "-shm", "-journal"]
        where path.bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
            let database = FilePath(pathBytes: Array(path.bytes.dropLast(suffix.utf8.count)))
            guard try FileStatus.ifPresent(database) != nil else { continue }
            throw FileProblem(
                .refused, path: path, "is the name of a file that belongs to a database",
                found: database.escaped, advice: "Choose another name")
        }
    }

    /// Writes a page or a picture. It replaces only an earlier one of its kind or an empty file.
    /// - Parameter path: nil for standard output.
    /// - Throws: `FileProblem` of kind `refused` for a file that begins differently; `writeFailed`.
    package static func write(page text: String, to path: FilePath?) throws(FileProblem) {
        guard let path else {
            var out = OutputBuffer(.standardOutput)
            out.append(raw: text)
            return try out.flush()
        }
        let bytes = Array(text.utf8)
        if let status = try FileStatus.ifPresent(path), status.kind == .file, status.size > 0 {
            let start = try FileBytes.head(path, count: startOfPage)
            guard start.array == Array(bytes.prefix(startOfPage)) else {
                throw FileProblem(
                    .refused, path: path, "exists and is no such page or picture, so it was not replaced",
                    advice: "Give the name of a new file, or remove this one first")
            }
        }
        try AtomicFile.write(bytes, to: path)
    }

    /// The number of first bytes that all pages, or all pictures of one kind, have in common.
    private static let startOfPage = 44
}
