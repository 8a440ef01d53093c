import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct CountChanges: SuiteCommand {
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

    @Option(help: ArgumentHelp("The number of largest values to print.", valueName: "count"))
    var largest = 10

    func validate() throws {
        if largest < 0 { throw ValidationError("--largest takes a number from 0.") }
    }

    func execute() throws -> ExitStatus {
        let paths =
            try targets.isEmpty ? [RemoteOptions.path(named: nil)] : targets.map(Environment.path(argument:))
        var statistics = ChangeStatistics(largest: largest)
        var names: [String: String] = [:]
        let status = try selection.forEachRecord(of: paths, output, named: { names = $0 }) {
            statistics.add($0)
        }
        if output.json { try printJSON(statistics) } else { try printText(statistics, names) }
        return status
    }

    private func printJSON(_ statistics: ChangeStatistics) throws(FileProblem) {
        var json = output.document("ticds.changeStatistics/1")
        json.field("changes", statistics.count)
        for (name, counts) in [
            ("byEntity", statistics.byEntity), ("byType", statistics.byType),
            ("byClient", statistics.byClient),
            (
                "byDay",
                Dictionary(uniqueKeysWithValues: statistics.byDay.map { (Self.day($0.key), $0.value) })
            ),
        ] {
            json.beginObject(name)
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) { json.field(key, count) }
            json.endObject()
        }
        json.objects("largestValues", statistics.largest) { json, value in
            json.field("bytes", value.bytes)
            json.field("entity", value.record.change.entity)
            json.field("key", value.key)
            json.field("objectSyncID", value.record.change.objectSyncID)
            json.field("document", value.record.document)
            json.field("client", value.record.client)
            json.field("changeSet", value.record.changeSet)
        }
        try json.finish()
    }

    private func printText(_ statistics: ChangeStatistics, _ names: [String: String]) throws(FileProblem) {
        var text = output.text()
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
        try text.flush()
    }

    private static func byCount(_ counts: [String: Int]) -> [(String, Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// `2013-05-01`
    private static func day(_ number: Int) -> String {
        String((FileTime(secondsSince2001: Double(number) * 86_400)?.iso ?? "").prefix(10))
    }
}
