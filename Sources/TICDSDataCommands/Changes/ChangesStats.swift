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
    @OptionGroup var output: OutputOptions

    @Option(help: .value("count", "The number of largest values to print."))
    var largest = 10

    func validate() throws {
        if largest < 0 { throw ValidationError("--largest takes a number of at least 0.") }
    }

    func execute() throws -> ExitStatus {
        let places = try RemoteOptions.addresses(named: targets)
        var statistics = ChangeStatistics(largest: largest)
        var names: [String: String] = [:]
        let status = try selection.forEachRecord(of: places, output, named: { names = $0 }) {
            statistics.add($0)
        }
        try output.print(statistics, Self.schema) { show(statistics, names, to: &$0) }
        return status
    }

    static let schema = JSONSchema<ChangeStatistics>(
        "ticds.changeStatistics/1", "Printed by ticds-changes(1) `stats`."
    ) {
        $0("changes", "The number of all changes.", \.count)
        $0("byEntity", "Numbers of changes by entity.", \.byEntity)
        $0(
            "byType", "Numbers by type as in `ticds.change/1`.", as: .map(.count, of: ChangeLines.types),
            \.byType)
        $0(
            "byClient", "Numbers by identifier of the author; files outside a remote are left out.",
            \.byClient)
        $0(
            "byDay",
            """
            Numbers by day of the time stamp in UTC, such as `2013-05-01`; changes without a time stamp \
            are left out.
            """, { Dictionary(uniqueKeysWithValues: $0.byDay.map { (day($0.key), $0.value) }) })
        $0(
            "largestValues", "Values of attributes that take the most space, the largest first.", \.largest,
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

    private func show(
        _ statistics: ChangeStatistics, _ names: [String: String], to text: inout OutputBuffer
    ) {
        text.line(Quantities.count(statistics.count, "change"))
        let tables: [(String, [(String, Int)])] = [
            ("ENTITY", Self.byCount(statistics.byEntity)), ("TYPE", Self.byCount(statistics.byType)),
            ("CLIENT", Self.byCount(statistics.byClient).map { (names[$0] ?? $0, $1) }),
            ("DAY (UTC)", statistics.byDay.sorted { $0.key < $1.key }.map { (Self.day($0.key), $0.value) }),
        ]
        for (title, counts) in tables where !counts.isEmpty {
            var table = TextTable([title, "CHANGES"], [.text, .number])
            for (name, count) in counts { table.add([name, Quantities.count(count)]) }
            text.line()
            table.show(to: &text, colour: output.colour())
        }
        if !statistics.largest.isEmpty {
            var table = TextTable(
                ["LARGEST VALUES", "SIZE", "OBJECT", "CHANGE SET"],
                [.text, .number, .beginning, .beginning], leavesOut: ["CHANGE SET", "OBJECT"])
            for value in statistics.largest {
                table.add([
                    "\(value.record.change.entity).\(value.key)", Quantities.size(value.bytes),
                    value.record.change.objectSyncID ?? "", value.record.changeSet,
                ])
            }
            text.line()
            table.show(to: &text, colour: output.colour())
        }
    }

    private static func byCount(_ counts: [String: Int]) -> [(String, Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// `2013-05-01`
    private static func day(_ number: Int) -> String {
        String((FileTime(secondsSince2001: Double(number) * 86_400)?.iso ?? "").prefix(10))
    }
}
