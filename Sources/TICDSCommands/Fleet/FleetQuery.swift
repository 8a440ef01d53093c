import ArgumentParser
import Base
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

struct FleetQuery: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Answers a question about the fleet.",
        discussion: """
            The questions are: \(NamedQuery.allCases.map(\.rawValue).joined(separator: ", ")). With --sql it answers \
            your own; the database cannot be changed. With --show-sql it prints the statement of a question instead.

            Examples:
              ticds-fleet query findings --database fleet.sqlite
              ticds-fleet query worst --limit 100 --json --database fleet.sqlite
              ticds-fleet query --sql 'SELECT count(*) FROM remotes' --database fleet.sqlite
            """)

    @Argument(help: .value("question", "The question."))
    var question: NamedQuery?
    @Option(help: .value("statement", "A SELECT statement of your own. ticds-fleet(7) describes the tables."))
    var sql: String?
    @OptionGroup var database: DatabaseOptions
    @Option(help: .value("count", "Print at most this many rows. 0 prints all."))
    var limit = 20
    @Flag(help: "Print the statement of the question, for another program.")
    var showSql = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (question == nil) == (sql == nil) { throw ValidationError("Name a question, or give --sql.") }
        if showSql, question == nil { throw ValidationError("--show-sql needs a question.") }
        guard limit >= 0 else { throw ValidationError("--limit takes a number of at least 0.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let statement = question?.sql ?? sql ?? ""
        if showSql {
            var text = context.text()
            text.line("\(statement);")
            try text.flush()
            return .success
        }
        let database = try database.open()
        if let source = question?.source { try check(database, source, context) }
        let most = limit == 0 ? 10_000_000 : limit
        let answer = try database.rows(statement, limit: most + 1)
        let rows = Array(answer.rows.prefix(most))
        let isCut = answer.rows.count > most
        if context.json {
            try context.print((question, answer.columns, rows, isCut), Self.schema)
            return .success
        }
        var text = context.longText()
        var table = TextTable(answer.columns, Self.kinds(answer.columns, rows))
        for row in rows {
            table.add(
                row.enumerated().map { Self.text($0.element, answer.columns[$0.offset], context.style) })
        }
        if !answer.columns.isEmpty, !rows.isEmpty { table.show(to: &text, colour: context.colour()) }
        if rows.isEmpty { text.line(EmptyList.sentence("row")) }
        if isCut { text.line("The first \(Quantities.count(rows.count, "row")); --limit 0 prints all.") }
        try text.flush()
        return .success
    }

    /// Prints how many remotes the result leaves out, because they have no result of the command that it needs.
    /// - Throws: `FileProblem` of kind `missing` if no remote has a result.
    private func check(
        _ database: borrowing FleetDatabase, _ source: (command: String, kind: String),
        _ context: CommandContext
    ) throws(FileProblem) {
        let sql = "SELECT count(*), (\(FleetDatabase.counting(source.kind))) FROM remotes"
        let counts = try database.rows(sql, limit: 1).rows.first?.map(\.number) ?? []
        guard counts.count == 2, counts[1] > 0 else {
            throw FileProblem(
                .missing, path: Environment.path(argument: self.database.database),
                "the database has no result of \(source.command), which this question needs",
                advice: "Run: ticds-fleet run \(source.command). Then merge that run into this file")
        }
        let others = counts[0] -| counts[1]
        guard others > 0 else { return }
        let without = "\(Quantities.count(Int(others), "remote")) without a result of \(source.command)"
        context.warn("\(without): the answer leaves them out; ticds-fleet query failures shows why")
    }

    private static func kinds(_ columns: [String], _ rows: [[FleetValue]]) -> [TextTable.Column] {
        columns.indices.map { column in
            if columns[column] == "location" { return .path }
            let hasText = rows.contains { if case .text = $0[column] { true } else { false } }
            return hasText ? .text : .number
        }
    }

    /// A cell: sizes with a unit, times in the style of the process.
    static func text(_ value: FleetValue, _ column: String, _ style: TextStyle) -> String {
        switch value {
        case .null: return ""
        case .text(let text):
            if text.count >= 20, let time = FileTime(iso: text) { return style.minute(time) }
            return text
        case .real(let number): return "\((number * 1000).rounded() / 1000)"
        case .integer(let number):
            let isSize =
                column == "bytes" || column.hasSuffix("_bytes")
                || ["growth", "per_day", "peak_memory", "size"].contains(column)
            return isSize ? style.size(number) : Quantities.count(Int(number))
        }
    }

    static let schema = JSONSchema<
        (question: NamedQuery?, columns: [String], rows: [[FleetValue]], isCut: Bool)
    >("ticds.fleetQuery/1", "Printed by ticds-fleet(1) `query`.") {
        $0(
            "question", "Null for a statement of the user.", as: .orNull(.words(NamedQuery.self)),
            { $0.question?.rawValue })
        $0("columns", "The names of the columns.", { $0.columns })
        $0(
            "rows", "An array of values for each row, in the order of the columns.",
            as: .array(.array(.value)), { $0.rows })
        $0("more", "Whether rows were left out because of `--limit`.", { $0.isCut })
    }
}
