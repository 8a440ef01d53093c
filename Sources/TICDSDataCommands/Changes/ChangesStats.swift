import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ChangesStats: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Counts changes by entity, type, client and day, and names the largest values.",
        discussion: """
            Examples:
              ticds-changes stats ~/Dropbox/com.example.app
              ticds-changes stats ~/Dropbox/com.example.app --client "Anna's iPhone" --since 2013-05-01
            """)

    @Argument(
        help: "Change set files, or one remote. Default: the environment variable TICDS_REMOTE.",
        completion: .file())
    var targets: [String] = []
    @OptionGroup var selection: ChangeSelection
    @OptionGroup var limit: LimitOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help:
            "Sort each table by name, or by number of changes, the largest first. Default: count, and days by name."
    )
    var sort: StatisticsOrder?

    @Option(help: .value("count", "The number of largest values to print."))
    var largest = 10

    func validate() throws {
        if largest < 0 { throw ValidationError("--largest takes a number of at least 0.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let places = try RemoteOptions.addresses(named: targets)
        var statistics = ChangeStatistics(largest: largest)
        var names: [String: String] = [:]
        var hidden = HiddenClients()
        let status = try selection.forEachRecord(
            of: places, context, named: { names = $0 }, hiding: { hidden.add($0) }
        ) { statistics.add($0) }
        let days = statistics.byDay.map { (Self.day($0.key), $0.value) }
        let tables = Tables(
            statistics: statistics, hidden: hidden, byEntity: rows(statistics.byEntity, .count),
            byType: rows(statistics.byType, .count), byClient: rows(statistics.byClient, .count),
            byDay: rows(Dictionary(days) { $0 +| $1 }, .name), largest: limit.first(of: statistics.largest))
        try context.print(tables, Self.schema) { show(tables, names, to: &$0, context) }
        return status
    }

    typealias Rows = LimitedList<(name: String, count: Int)>

    /// The rows of the tables, in their order.
    struct Tables {
        let statistics: ChangeStatistics
        let hidden: HiddenClients
        let byEntity: Rows
        let byType: Rows
        let byClient: Rows
        let byDay: Rows
        let largest: LimitedList<ChangeStatistics.LargeValue>

        /// Whether every change could be read.
        var isWhole: Bool { hidden.gap == nil }
        /// The clients without a readable change.
        var unreadClients: [String] {
            hidden.named.subtracting(statistics.byClient.keys).sorted()
        }
        /// The clients with unreadable changes.
        var incompleteClients: [String] {
            statistics.byClient.keys.filter(hidden.mayHave).sorted() + unreadClients
        }
    }

    private func rows(_ counts: [String: Int], _ usual: StatisticsOrder) -> Rows {
        let byName = counts.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
        return limit.first(of: sort ?? usual == .name ? byName : byName.sorted { $0.count > $1.count })
    }

    static let schema = JSONSchema<Tables>(
        "ticds.changeStatistics/1",
        "Printed by ticds-changes(1) `stats`; `--limit` cuts each of the maps and lists."
    ) {
        $0(
            "complete", "Whether every change could be read: if not, there may be more than the numbers say.",
            \.isWhole)
        $0(
            "changes", "The number of all changes; null if not every change could be read.",
            { $0.isWhole ? $0.statistics.count : nil })
        $0("byEntity", "Numbers of changes by entity.", { map($0.byEntity) })
        $0(
            "byType", "Numbers by type as in `ticds.change/1`.", as: .map(.count, of: ChangeLines.types),
            { map($0.byType) })
        $0(
            "byClient", "Numbers by identifier of the author; files outside a remote are left out.",
            { map($0.byClient) })
        $0(
            "incompleteClients",
            "Clients of which not every change could be read; the numbers of the others are exact.",
            \.incompleteClients)
        $0(
            "byDay",
            """
            Numbers by day of the timestamp in UTC, such as `2013-05-01`; changes without a timestamp \
            are left out.
            """, { map($0.byDay) })
        $0(
            "largestValues", "Values of attributes that take the most space, the largest first.",
            \.largest.entries,
            JSONFields {
                $0("bytes", "The size of their text in UTF-8 and their data.", \.bytes)
                $0("entity", "", \.record.change.entity)
                $0("key", "", \.key)
                $0("objectSyncID", "", \.record.change.objectSyncID)
                $0("document", "", \.record.document)
                $0("client", "", \.record.client)
                $0("changeSet", "", \.record.changeSet)
            })
    }

    private static func map(_ rows: Rows) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: rows.entries.map { ($0.name, $0.count) })
    }

    private func show(
        _ tables: Tables, _ names: [String: String], to text: inout OutputBuffer, _ context: CommandContext
    ) {
        let gap = tables.hidden.gap
        func counted(_ number: Int, _ isWhole: Bool) -> String {
            Quantities.count(number) + (isWhole ? "" : "+")
        }
        text.line(Quantities.count(Seen(tables.statistics.count, gap), "change"))
        let titled = [
            ("ENTITY", tables.byEntity), ("TYPE", tables.byType), ("CLIENT", tables.byClient),
            ("DAY (UTC)", tables.byDay),
        ]
        for (title, rows) in titled {
            let unread = title == "CLIENT" ? tables.unreadClients : []
            if rows.entries.isEmpty, unread.isEmpty { continue }
            var table = TextTable([title, "CHANGES"], [.text, .number])
            for (name, count) in rows.entries {
                table.add(
                    title == "CLIENT"
                        ? [names[name] ?? name, counted(count, !tables.hidden.mayHave(name))]
                        : [name, counted(count, tables.isWhole)])
            }
            for name in unread { table.add([names[name] ?? name, "unknown"]) }
            text.line()
            table.show(to: &text, colour: context.colour())
            if let note = rows.note(besides: gap) { text.line(note) }
        }
        if !tables.largest.entries.isEmpty {
            var table = TextTable(
                ["LARGEST VALUES", "SIZE", "OBJECT", "CHANGE SET"],
                [.text, .number, .beginning, .beginning], leavesOut: ["CHANGE SET", "OBJECT"])
            for value in tables.largest.entries {
                table.add([
                    "\(value.record.change.entity).\(value.key)", context.style.size(value.bytes),
                    value.record.change.objectSyncID ?? "", value.record.changeSet,
                ])
            }
            text.line()
            table.show(to: &text, colour: context.colour())
            if let note = tables.largest.note(besides: gap) { text.line(note) }
        }
    }

    /// `2013-05-01`
    private static func day(_ number: Int) -> String {
        String((FileTime(secondsSince2001: Double(number) * 86_400)?.iso ?? "").prefix(10))
    }
}

/// The order of the tables of ``ChangesStats``.
enum StatisticsOrder: String, ExpressibleByArgument, CaseIterable {
    case name, count
}
