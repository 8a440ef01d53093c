package import ArgumentParser
package import SystemCalls
package import TICDSCore

/// How many entries a command lists.
package struct LimitOptions: ParsableArguments {
    @Option(help: .value("count", "Show at most this many entries, the first ones."))
    package var limit: Int?

    package init() {}

    package func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number of at least 1.") }
    }

    /// Whether `count` entries are as many as the limit allows.
    package func isReached(_ count: Int) -> Bool { limit.map { count >= $0 } ?? false }

    /// Counts another entry, if the limit allows it.
    package func admits(_ count: inout Int) -> Bool {
        if isReached(count) { return false }
        count += 1
        return true
    }
}

/// Which files and folders a command lists, and in which order.
package struct EntryOptions: ParsableArguments {
    @Option(help: .value("kind", "Show only entries of this kind, such as changeSet, wholeStore or folder."))
    package var type: String?
    @OptionGroup package var span: TimeSpanOptions
    @OptionGroup package var order: OrderOptions
    @OptionGroup package var limit: LimitOptions

    package init() {}

    package func validate() throws {
        let kinds = FileRole.allCases.map(\.rawValue)
        if let type, !kinds.contains(type) {
            throw ValidationError(
                "There is no kind '\(type)' of entries; there are \(kinds.joined(separator: ", ")).")
        }
    }

    /// The entries that are wanted, in their order.
    package func chosen<Entry>(
        _ entries: [Entry], kind: (Entry) -> String, path: (Entry) -> RemotePath,
        _ value: (Entry) -> (size: Int64, modified: FileTime), of documents: Set<RemoteName>?,
        _ clients: Set<RemoteName>?, _ style: TextStyle
    ) throws -> [Entry] {
        let span = try span.range(style)
        let wanted = entries.filter { entry in
            let place = path(entry)
            return (type.map { $0 == kind(entry) } ?? true)
                && (documents.map { names in place.document.map(names.contains) ?? false } ?? true)
                && (clients.map { names in place.client.map(names.contains) ?? false } ?? true)
                && span.contains(value(entry).modified.secondsSince2001)
        }
        return Array(order.sorted(wanted, value).prefix(limit.limit ?? .max))
    }
}

/// The order of what a command lists.
package struct OrderOptions: ParsableArguments {
    /// By what a list of files is sorted.
    package enum Key: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// The largest first.
        case size
        /// The latest first.
        case modified
    }

    @Option(help: "Sort by size, the largest first, or by modification time, the latest first.")
    package var sort: Key?

    package init() {}

    /// The entries in the wanted order; without one, as they are. Equal ones keep their order.
    package func sorted<Entry>(
        _ entries: [Entry], _ value: (Entry) -> (size: Int64, modified: FileTime)
    ) -> [Entry] {
        switch sort {
        case nil: entries
        case .size: entries.sorted { value($0).size > value($1).size }
        case .modified: entries.sorted { value($0).modified > value($1).modified }
        }
    }
}
