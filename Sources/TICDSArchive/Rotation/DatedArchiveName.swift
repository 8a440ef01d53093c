import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The name of a snapshot of a remote: `com.example.app-0f1e2d3c4b5a6978-20261121T030000Z.tar.zst`, with the identifier
/// of the remote and the time in UTC, and perhaps a tag: `...-20261121T030000Z+before-update.tar.zst`. A name that a
/// user chose has no identifier.
public struct DatedArchiveName: Sendable, Hashable, Comparable {
    /// The name of the remote's folder.
    public let application: RemoteName
    /// The identifier of the remote, 16 lower-case hexadecimal digits; nil in a name that a user chose.
    public let identifier: String?
    /// The time in whole seconds.
    public let time: FileTime
    /// The form of the archive.
    public let form: ArchiveForm
    /// The user's tag; nil for an archive without a tag.
    public let tag: ArchiveTag?

    /// - Parameter time: a time in the years 0 to 9999; the fraction of a second is dropped.
    public init(
        _ application: RemoteName, _ identifier: String?, _ time: FileTime, _ form: ArchiveForm,
        tag: ArchiveTag? = nil
    ) {
        self.application = application
        self.identifier = identifier
        self.time = FileTime(seconds: time.seconds)
        self.form = form
        self.tag = tag
    }

    /// Parses the name of a snapshot of this app; nil for every other name.
    public init?(_ name: RemoteName, of application: RemoteName) {
        let start = application.bytes + [UInt8(ascii: "-")]
        guard name.bytes.starts(with: start) else { return nil }
        var rest = name.bytes.dropFirst(start.count)
        let identifier = RemoteIdentity.identifier(rest.prefix(16))
        if identifier != nil {
            guard rest.dropFirst(16).first == UInt8(ascii: "-") else { return nil }
            rest = rest.dropFirst(17)
        }
        guard rest.count > 16, let time = Self.time(Array(rest.prefix(16))) else { return nil }
        rest = rest.dropFirst(16)
        guard let form = ArchiveForm.allCases.first(where: { rest.hasSuffix($0.ending.utf8) }) else {
            return nil
        }
        rest = rest.dropLast(form.ending.utf8.count)
        var tag: ArchiveTag?
        if !rest.isEmpty {
            guard rest.popFirst() == ArchiveTag.mark, let found = ArchiveTag(bytes: rest) else { return nil }
            tag = found
        }
        self.init(application, identifier, time, form, tag: tag)
    }

    /// Parses the name of a snapshot of any app; nil for every other name. If its parts can be divided in several ways,
    /// one with the identifier of a remote counts.
    public init?(_ name: RemoteName) {
        guard ArchiveForm.ending(of: name) != nil else { return nil }
        let bytes = name.bytes
        let found = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "-") && $0 > 0 }
            .compactMap { DatedArchiveName(name, of: RemoteName(bytes[..<$0])) }
        guard let one = found.first(where: { $0.identifier != nil }) ?? found.first else { return nil }
        self = one
    }

    /// Whether a folder contains a snapshot with the identifier of its remote, of any app.
    public static func areIn(_ folder: FilePath) throws(FileProblem) -> Bool {
        let entries = try unlessMissing { () throws(FileProblem) in
            try DirectoryReader.entries(of: try OwnedDescriptor.folder(folder))
        }
        return (entries ?? []).contains { DatedArchiveName(RemoteName($0.name))?.identifier != nil }
    }

    /// The name with a different tag, or without a tag.
    public func tagged(_ tag: ArchiveTag?) -> DatedArchiveName {
        DatedArchiveName(application, identifier, time, form, tag: tag)
    }

    /// The name of the file.
    public var name: RemoteName {
        let days = time.seconds.floorDivided(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        // Wrapping operators: the product may overflow, the difference never does.
        let second = time.seconds &- days &* 86_400
        let clock = [second / 3_600, second / 60 % 60, second % 60]
        let day = Self.digits(date.year, 4) + Self.digits(date.month, 2) + Self.digits(date.day, 2)
        let stamp = "\(day)T\(clock.map { Self.digits($0, 2) }.joined())Z"
        let remote = identifier.map { "-\($0)" } ?? ""
        return application.appending(suffix: "\(remote)-\(stamp)\(tag.map { "+\($0)" } ?? "")\(form.ending)")
    }

    public static func < (one: DatedArchiveName, other: DatedArchiveName) -> Bool {
        (one.time, one.name) < (other.time, other.name)
    }

    /// Parses `20261121T030000Z`; nil for an impossible date or time.
    private static func time(_ stamp: [UInt8]) -> FileTime? {
        func number(_ range: Range<Int>) -> Int? {
            let digits = stamp[range]
            guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        guard stamp[8] == UInt8(ascii: "T"), stamp[15] == UInt8(ascii: "Z"),
            let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
            hour < 24, minute < 60, second < 60, let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return FileTime(seconds: date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second))
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

extension Collection<UInt8> {
    fileprivate func hasSuffix(_ suffix: some Collection<UInt8>) -> Bool {
        self.suffix(suffix.count).elementsEqual(suffix)
    }
}

/// The user's name for a snapshot: 1 to 64 of the letters a-z and A-Z, digits, `.`, `_` and `-`, not beginning with
/// `.`.
public struct ArchiveTag: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text of the tag.
    public let description: String

    /// The character between the time and the tag in the name of an archive. No tag contains it.
    static let mark = UInt8(ascii: "+")

    /// The tag with this text; nil if it is not a valid tag.
    public init?(_ text: String) { self.init(bytes: text.utf8) }

    /// The tag with these bytes; nil if they are not a valid tag. A text that ends like an archive is not valid, since
    /// users would take it for the form.
    init?(bytes: some Collection<UInt8>) {
        guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: "."), bytes.allSatisfy(Self.allows)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        if ArchiveForm.allCases.contains(where: { text.lowercased().hasSuffix($0.ending) }) { return nil }
        description = text
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    public static func < (one: ArchiveTag, other: ArchiveTag) -> Bool { one.description < other.description }
}

/// The rules for keeping snapshots: the newest of each of the last days (UTC), ISO weeks and months that have any,
/// snapshots that are not much older than the newest, and snapshots with some tags.
public struct RetentionPolicy: Sendable, Hashable {
    /// The reason why a snapshot is kept.
    public enum Reason: String, Sendable, CaseIterable {
        /// The snapshot is the newest of all, or of its hour, day, week, month or year.
        case newest, hourly, daily, weekly, monthly, yearly
        /// The snapshot is one of the last, or not much older than the newest.
        case last, within
        /// The snapshot has one of the tags.
        case tag
        /// An archive that stays depends on the snapshot.
        case base
    }

    /// The number of newest archives that are kept; nil for no rule.
    public var last: Int?
    /// The number of hours for which an archive is kept; nil for no rule.
    public var hourly: Int?
    /// The number of days for which an archive is kept; nil for no rule.
    public var daily: Int?
    /// The number of weeks for which an archive is kept; nil for no rule.
    public var weekly: Int?
    /// The number of months for which an archive is kept; nil for no rule.
    public var monthly: Int?
    /// The number of years for which an archive is kept; nil for no rule.
    public var yearly: Int?
    /// The number of seconds by which an archive may be older than the newest; nil for no rule.
    public var within: Int64?
    /// The tags of archives that are kept.
    public var tags: Set<ArchiveTag> = []

    /// A policy without any rule, which keeps every archive.
    public init() {}

    /// Whether the policy has no rule and keeps every archive.
    public var keepsAll: Bool { within == nil && tags.isEmpty && counts.allSatisfy { $0.count == nil } }

    private typealias Rule = (reason: Reason, count: Int?, period: (FileTime) -> Int64)

    /// The rules that keep the newest archive of each of a number of periods.
    private var counts: [Rule] {
        [
            (.last, last, \.seconds), (.hourly, hourly, { $0.seconds.floorDivided(by: 3_600) }),
            (.daily, daily, Self.day), (.weekly, weekly, Self.week), (.monthly, monthly, Self.month),
            (.yearly, yearly, { CivilDate(daysSince1970: Self.day($0)).year }),
        ]
    }

    /// The snapshots to keep, each with its reasons; the others may be removed. The newest archive is always kept.
    public func kept(_ archives: [DatedArchiveName]) -> [DatedArchiveName: [Reason]] {
        let newestFirst = archives.sorted(by: >)
        guard let newest = newestFirst.first else { return [:] }
        var kept: [DatedArchiveName: [Reason]] = [newest: [.newest]]
        if keepsAll {
            for archive in newestFirst.dropFirst() { kept[archive] = [] }
            return kept
        }
        for (reason, count, period) in counts {
            guard let count else { continue }
            var periods: Set<Int64> = []
            for archive in newestFirst where periods.count < count {
                if periods.insert(period(archive.time)).inserted { kept[archive, default: []].append(reason) }
            }
        }
        if let within {
            for archive in newestFirst where archive.time.seconds >= newest.time.seconds -| within {
                kept[archive, default: []].append(.within)
            }
        }
        for archive in newestFirst where archive.tag.map(tags.contains) == true {
            kept[archive, default: []].append(.tag)
        }
        return kept
    }

    private static func day(_ time: FileTime) -> Int64 { time.seconds.floorDivided(by: 86_400) }

    /// The number of an ISO week. 1970-01-01 was a Thursday.
    private static func week(_ time: FileTime) -> Int64 { (day(time) + 3).floorDivided(by: 7) }

    private static func month(_ time: FileTime) -> Int64 {
        let date = CivilDate(daysSince1970: day(time))
        return date.year * 12 + date.month
    }
}
