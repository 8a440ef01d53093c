import Base
public import ArgumentParser
import KeyedArchive
package import SystemCalls
public import TICDSCore

/// The largest number of entries that a command lists.
package struct LimitOptions: ParsableArguments {
    @Option(help: .value("count", "Show at most this many entries, the first ones."))
    package var limit: Int?

    package init() {}

    package func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number of at least 1.") }
    }

    /// Counts entries up to the limit.
    package var counter: LimitedCount { LimitedCount(limit) }

    /// The first entries, up to the limit.
    package func first<Entry>(of entries: [Entry]) -> LimitedList<Entry> {
        LimitedList(
            entries: Array(entries.prefix(limit ?? .max)), following: max(0, entries.count -| (limit ?? .max))
        )
    }
}

/// Counts the entries that a command lists one by one, up to a limit.
package struct LimitedCount {
    private let limit: Int
    private var count = 0
    /// The number of admitted entries for which it is unknown whether they are in the span of the options.
    private var unknown = 0

    fileprivate init(_ limit: Int?) { self.limit = limit ?? .max }

    /// Counts another entry. Returns false if it is after the last one that the limit allows.
    /// - Parameter isUnknown: whether it is unknown if the entry is in the span of the options.
    package mutating func admits(isUnknown: Bool = false) -> Bool {
        count +|= 1
        guard count <= limit else { return false }
        if isUnknown { unknown +|= 1 }
        return true
    }

    /// Whether there was no entry.
    package var isEmpty: Bool { count == 0 }

    /// Whether there were more entries than the limit allows.
    package var isExceeded: Bool { count > limit }

    /// The line below a list that the limit shortens, or that has entries with unknown times; nil for other lists.
    /// - Parameters:
    ///   - countsAll: whether every entry was counted.
    ///   - gap: the reason why there may be more entries than could be read.
    package func note(countsAll: Bool = true, besides gap: FileProblem? = nil) -> String? {
        let rest = isExceeded ? count -| limit : 0
        return LimitedList<Void>.note(rest, unknown: unknown, countsAll: countsAll, gap)
    }
}

/// The entries that a command lists.
package struct LimitedList<Entry> {
    package let entries: [Entry]
    /// The number of entries that the limit leaves out.
    package let following: Int
    /// The number of ``entries`` for which it is unknown whether they are in the span of the options.
    fileprivate(set) var unknown = 0

    /// The line below a list that the limit shortens, or that has entries with unknown times; nil for other lists.
    /// - Parameter gap: the reason why there may be more entries than could be read.
    package func note(besides gap: FileProblem? = nil) -> String? {
        Self.note(following, unknown: unknown, gap)
    }

    fileprivate static func note(
        _ following: Int, unknown: Int, countsAll: Bool = true, _ gap: FileProblem?
    ) -> String? {
        let number = countsAll ? "\(gap == nil ? "" : "at least ")\(Quantities.count(following)) " : ""
        let notes = [
            following > 0 ? "and \(number)more, which --limit leaves out" : nil,
            unknown > 0 ? "listed although the time is unknown: \(Quantities.count(unknown))" : nil,
        ]
        let lines = notes.compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }
}

/// The sentence in place of a list without entries.
package enum EmptyList {
    /// - Parameters:
    ///   - noun: the noun for an entry, in the singular: "document".
    ///   - isNarrowed: whether the options choose among the entries.
    ///   - gap: the reason why there may be entries that could not be read.
    package static func sentence(
        _ noun: String, isNarrowed: Bool = false, besides gap: FileProblem? = nil
    ) -> String {
        if let gap { return gap.doubt }
        return isNarrowed ? "No \(noun) matches the options." : "There is no \(noun)."
    }
}

/// The entries that a command lists, by their times, and their order.
package struct ListOptions: ParsableArguments {
    @OptionGroup package var span: TimeSpanOptions
    @OptionGroup package var order: OrderOptions
    @OptionGroup package var limit: LimitOptions

    package init() {}

    /// Whether the options leave entries out, apart from the limit.
    package var isNarrowed: Bool { span.isNarrowed }

    /// The wanted entries, in their order. An unknown time may be in the span; the note below the list counts the
    /// entries that are listed for that reason.
    /// - Parameter isAtLeast: whether the time of an entry may be later than what could be read of it.
    package func chosen<Entry>(
        _ entries: [Entry], _ style: TextStyle, isAtLeast: (Entry) -> Bool = { _ in false },
        _ value: (Entry) -> (size: Int64, modified: FileTime?)
    ) throws -> LimitedList<Entry> {
        let range = try span.range(style)
        let wanted = entries.filter {
            range.contains(value($0).modified?.secondsSince2001, isAtLeast: isAtLeast($0))
        }
        var list = limit.first(of: order.sorted(wanted, value))
        if span.isNarrowed {
            list.unknown = list.entries.count { value($0).modified == nil || isAtLeast($0) }
        }
        return list
    }
}

/// The files and folders that a command lists, and their order.
package struct EntryOptions: ParsableArguments {
    @Option(
        name: .customLong("type"),
        help: .value(
            "kind",
            "Show only entries of this kind, such as changeSet, wholeStore or folder. May be given several times."
        ))
    package var kinds: [FileRole] = []
    @OptionGroup package var list: ListOptions

    package init() {}

    /// Whether the options leave entries out, apart from the limit.
    package var isNarrowed: Bool { !kinds.isEmpty || list.isNarrowed }

    /// The wanted entries, in their order.
    package func chosen<Entry>(
        _ entries: [Entry], kind: (Entry) -> String, path: (Entry) -> RemotePath,
        _ value: (Entry) -> (size: Int64, modified: FileTime?), of documents: Set<RemoteName>?,
        _ clients: Set<RemoteName>?, _ style: TextStyle
    ) throws -> LimitedList<Entry> {
        let kinds = Set(kinds.map(\.rawValue))
        let wanted = entries.filter { entry in
            let place = path(entry)
            return (kinds.isEmpty || kinds.contains(kind(entry)))
                && (documents.map { names in place.document.map(names.contains) ?? false } ?? true)
                && (clients.map { names in place.client.map(names.contains) ?? false } ?? true)
        }
        return try list.chosen(wanted, style, value)
    }
}

extension FileRole: ExpressibleByArgument {
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// The order of the entries that a command lists.
package struct OrderOptions: ParsableArguments {
    /// The key for sorting a list of files.
    package enum Key: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// The largest first.
        case size
        /// The latest first.
        case modified
    }

    @Option(help: "Sort by size, the largest first, or by modification time, the latest first.")
    package var sort: Key?

    package init() {}

    /// The entries in the wanted order; without one, as they are. Equal entries keep their order.
    package func sorted<Entry>(
        _ entries: [Entry], _ value: (Entry) -> (size: Int64, modified: FileTime?)
    ) -> [Entry] {
        let never = FileTime(seconds: .min)
        return switch sort {
        case nil: entries
        case .size: entries.sorted { value($0).size > value($1).size }
        case .modified: entries.sorted { value($0).modified ?? never > value($1).modified ?? never }
        }
    }
}
