import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSFleet

extension FleetValue {
    /// The text; empty for any other value.
    var words: String { if case .text(let text) = self { text } else { "" } }

    /// The integer; 0 for any other value.
    var number: Int64 {
        switch self {
        case .integer(let number): number
        case .real(let number): Int64(saturating: number)
        case .null, .text: 0
        }
    }

    /// The time of a text; nil for any other value.
    var time: FileTime? { FileTime(iso: words) }

    var isNull: Bool { self == .null }
}

/// A page about a whole fleet, from its database. All content of the database may be hostile, and becomes text.
struct FleetPage {
    private let name: String
    private let made: FileTime
    /// The address of the page of a remote; `{id}` stands for its identifier.
    private let link: String?
    /// The largest number of rows of worst, largest and slowest remotes.
    private let shown: Int
    /// The style of times and sizes.
    private let style: TextStyle

    /// The folder that all locations have in common, with a slash at its end; empty for none.
    private let folder: String

    private let totals: [FleetValue]
    private let severities: [String: (findings: Int64, remotes: Int64)]
    private let runs: [[FleetValue]]
    private let codes: [[FleetValue]]
    private let examples: [String: [[FleetValue]]]
    private let worst: [[FleetValue]]
    private let failures: [[FleetValue]]
    private let growth: [[FleetValue]]
    private let lag: [[FleetValue]]
    private let models: [[FleetValue]]
    private let applications: [[FleetValue]]
    private let sizes: [[FleetValue]]
    private let ages: [[FleetValue]]

    private static let examplesOfCode = 5
    private static let mostCodes = 1_000

    init(
        _ database: borrowing FleetDatabase, name: String, link: String?, shown: Int, made: FileTime,
        style: TextStyle
    ) throws(FileProblem) {
        self.name = name
        self.link = link
        self.shown = shown
        self.made = made
        self.style = style
        let one =
            "SELECT count(*), coalesce(sum(files), 0), coalesce(sum(bytes), 0), "
            + "(SELECT count(*) FROM documents), (SELECT count(*) FROM clients), "
            + "(\(FleetDatabase.counting("findings"))), coalesce(sum(bytes IS NULL), 0) FROM remotes"
        totals = try database.rows(one, limit: 1).rows.first ?? []
        let ends = "SELECT min(location), max(location), count(location) FROM remotes"
        folder = Self.commonFolder(try database.rows(ends, limit: 1).rows.first ?? [])
        let bySeverity = "SELECT severity, sum(count), count(DISTINCT id) FROM findings GROUP BY severity"
        severities = try database.rows(bySeverity, limit: 10).rows.reduce(into: [:]) {
            $0[$1[0].words] = ($1[1].number, $1[2].number)
        }
        let history =
            "SELECT runs.run, command, min(started), count(history.id), sum(state <> 'done'), "
            + "coalesce(sum(errors), 0), coalesce(sum(warnings), 0), (SELECT sum(bytes) FROM sizes WHERE sizes.run = runs.run), "
            + "count(history.id) > (SELECT count(bytes) FROM sizes WHERE sizes.run = runs.run) "
            + "FROM runs JOIN history ON history.run = runs.run GROUP BY runs.run ORDER BY min(started), runs.run"
        runs = try database.rows(history, limit: 1_000).rows
        codes = try database.rows(NamedQuery.findings.sql, limit: Self.mostCodes).rows
        let places =
            "SELECT code, id, location, path, found FROM (SELECT examples.code, examples.id, location, path, found, "
            + "row_number() OVER (PARTITION BY examples.code ORDER BY number, examples.id) AS place FROM examples "
            + "JOIN remotes ON remotes.id = examples.id) WHERE place <= \(Self.examplesOfCode)"
        examples = Dictionary(grouping: try database.rows(places, limit: 10_000).rows) { $0[0].words }
        worst = try database.rows(NamedQuery.worst.sql, limit: shown).rows
        failures = try database.rows(NamedQuery.failures.sql, limit: shown).rows
        growth = try database.rows(NamedQuery.growth.sql, limit: shown).rows
        lag = try database.rows(NamedQuery.lag.sql, limit: shown).rows
        models = try database.rows(NamedQuery.models.sql, limit: shown).rows
        applications = try database.rows(NamedQuery.applications.sql, limit: shown).rows
        let bySize =
            "SELECT length(CAST(max(bytes, 1) AS TEXT)) AS digits, count(*), sum(bytes) FROM remotes "
            + "WHERE bytes IS NOT NULL GROUP BY digits ORDER BY digits"
        sizes = try database.rows(bySize, limit: 30).rows
        let byAge =
            "SELECT (SELECT max(last_sync) FROM documents WHERE documents.id = remotes.id) FROM remotes "
            + "WHERE EXISTS (SELECT 1 FROM sources WHERE kind = 'status')"
        ages = try database.rows(byAge, limit: 10_000_000).rows
    }

    /// - Parameter ends: the first and the last location, and their number.
    private static func commonFolder(_ ends: [FleetValue]) -> String {
        guard ends.count == 3, ends[2].number > 1 else { return "" }
        let common = zip(ends[0].words.unicodeScalars, ends[1].words.unicodeScalars).prefix { $0 == $1 }.map(
            \.0)
        guard let slash = common.lastIndex(of: "/"), slash > 0 else { return "" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: common[...slash])
        return String(text)
    }

    /// A location without the common folder.
    private func short(_ location: String) -> String {
        location.hasPrefix(folder) && location.utf8.count > folder.utf8.count
            ? String(location.unicodeScalars.dropFirst(folder.unicodeScalars.count)) : location
    }

    var html: String {
        let title = MarkupText.escaped(name)
        let parts = [
            ("findings", "Findings", findings), ("worst", "Worst remotes", worstRemotes),
            ("failures", "Remotes without a result", failedRemotes), ("runs", "Runs", runTable),
            ("sizes", "Sizes and ages", distributions), ("growth", "Growth", growthTable),
            ("lag", "Lag", lagTable), ("applications", "Applications and models", applicationTables),
        ]
        let sections =
            [header(title, PageFrame.contents(parts.map { ($0.0, $0.1) }))]
            + parts.map { PageFrame.section($0.0, $0.1, $0.2) }
        return PageFrame.html(
            title: "\(title): report of a fleet",
            styles: [ReportPage.style + "\na { color: var(--bar); overflow-wrap: anywhere; }\n"],
            sections: sections,
            footer:
                "Written by ticds-fleet \(SuiteVersion.current). \(PageFrame.conventions(style)) "
                + "The page shows the newest result of each remote in the database; it is not updated.")
    }

    private func header(_ title: String, _ contents: String) -> String {
        // Some remotes could not be listed.
        let mark = total(6) == 0 ? "" : "+"
        let files =
            total(6) == 0
            ? Quantities.count(Int(total(1)), "file") : "\(Quantities.count(Int(total(1))))+ files"
        let figures = [
            PageFrame.figure(Quantities.count(Int(total(0))), "remotes"),
            PageFrame.figure(Quantities.count(Int(total(3))) + mark, "documents"),
            PageFrame.figure(Quantities.count(Int(total(4))) + mark, "clients"),
            PageFrame.figure(style.size(total(2)) + mark, "in \(files)"),
        ]
        let unlisted = Quantities.count(Int(total(6)), "remote")
        let gap = total(6) == 0 ? "" : "<p>Without what is in \(unlisted) that could not be listed whole.</p>"
        return """
            <header>
            <p class="kind">Report of a fleet of TICoreDataSync remotes</p>
            <h1><bdi>\(title)</bdi></h1>
            <p>As of \(PageFrame.time(made, style)); verified: \
            \(Quantities.count(Int(total(5)))) of \(Quantities.count(Int(total(0)), "remote"))</p>
            \(verdict)
            \(folder.isEmpty ? "" : "<p class=\"place\">All below <bdi>\(MarkupText.escaped(folder))</bdi></p>")
            \(gap)
            <ul class="figures">\(figures.joined())</ul>
            \(contents)
            </header>
            """
    }

    private func total(_ column: Int) -> Int64 { totals.indices.contains(column) ? totals[column].number : 0 }

    private var verdict: String {
        func line(_ kind: String, _ sign: String, _ words: String) -> String {
            "<p class=\"verdict \(kind)\"><span aria-hidden=\"true\">\(sign)</span> \(words)</p>"
        }
        func words(_ severity: String) -> String? {
            severities[severity].map { count in
                "\(Quantities.count(Int(count.findings), severity)) on \(Quantities.count(Int(count.remotes), "remote"))"
            }
        }
        if let text = words("error") { return line("error", "!", text) }
        if let text = words("warning") { return line("warning", "!", text) }
        if total(5) == 0 { return line("unknown", "?", "No remote was verified") }
        if total(5) < total(0) {
            let (verified, all) = (Quantities.count(Int(total(5))), Quantities.count(Int(total(0)), "remote"))
            return line("unknown", "?", "No errors and no warnings on \(verified) of \(all)")
        }
        return line("good", "\u{2713}", "No errors and no warnings")
    }

    private var findings: String {
        if codes.isEmpty {
            return "<p>\(total(5) == 0 ? "No remote was verified." : "There are no findings.")</p>\n"
        }
        return codes.map { row in
            let (code, severity) = (row[0].words, row[1].words)
            // A class of the style sheet, which must not contain any other text from the database.
            let kind = ["error", "warning", "note"].contains(severity) ? severity : "note"
            let shownExamples = examples[code] ?? []
            let items = shownExamples.map { example in
                let found =
                    example[4].words.isEmpty ? "" : ": <bdi>\(MarkupText.escaped(example[4].words))</bdi>"
                return "<li>\(anchor(example[1].words, example[2].words)) "
                    + "<bdi class=\"path\">\(MarkupText.escaped(example[3].words))</bdi>\(found)</li>"
            }
            let rest = row[2].number -| Int64(shownExamples.count)
            let more = rest > 0 ? "<li>and \(Quantities.count(Int(rest))) more</li>" : ""
            return """
                <article class="finding \(kind)">
                <h3><span class="severity \(kind)">\(kind)</span> \(MarkupText.escaped(row[5].words))</h3>
                <p class="code"><code>\(MarkupText.escaped(code))</code>, found \
                \(Quantities.count(Int(row[2].number), "time")) on \(Quantities.count(Int(row[3].number), "remote"))</p>
                <ul class="places">\(items.joined())\(more)</ul>
                </article>

                """
        }.joined()
    }

    /// The location of a remote, as a link to its own page if there is one.
    private func anchor(_ identifier: String, _ location: String) -> String {
        let text = MarkupText.escaped(location.isEmpty ? identifier : short(location))
        guard let address = address(identifier) else { return "<bdi>\(text)</bdi>" }
        return "<a href=\"\(MarkupText.escaped(address))\"><bdi>\(text)</bdi></a>"
    }

    private func address(_ identifier: String) -> String? {
        guard let link, FleetRemote.isIdentifier(identifier) else { return nil }
        return link.replacing("{id}", with: identifier)
    }

    private func cell(_ identifier: FleetValue, _ location: FleetValue) -> MarkupTable.Cell {
        let text = location.words.isEmpty ? identifier.words : short(location.words)
        return address(identifier.words).map { .link(text, address: $0) } ?? .text(text)
    }

    private var worstRemotes: String {
        var table = MarkupTable(
            "The remotes with the most errors, then warnings",
            ["Remote", "Application", "Errors", "Warnings", "Notes", "Kinds"], style)
        for row in worst {
            table.add(
                [cell(row[0], row[2]), .text(row[1].words)] + (3...6).map { .count(Int(row[$0].number)) })
        }
        return table.markup(
            empty: total(5) == 0 ? "No remote was verified." : "No verified remote has errors or warnings.")
    }

    private var failedRemotes: String {
        var table = MarkupTable(
            "By run and reason, with an example", ["Run", "Reason", "Remotes", "Example", "Problem"], style)
        for row in failures {
            table.add([
                .text(row[0].words), .text(row[1].words), .count(Int(row[2].number)), cell(row[3], row[4]),
                row[5].isNull ? .unknown("none") : .text(row[5].words),
            ])
        }
        return table.markup(empty: "Every remote has a result in every run.")
    }

    private var runTable: String {
        let largest = runs.map { $0[7].number }.max() ?? 0
        var table = MarkupTable(
            "The runs in the order of time",
            ["Run", "Command", "Began", "Remotes", "Failed", "Errors", "Warnings", "Size", "Size of all"],
            style)
        for row in runs {
            table.add([
                .text(row[0].words), .text(row[1].words), .time(row[2].time), .count(Int(row[3].number)),
                .count(Int(row[4].number)), .count(Int(row[5].number)), .count(Int(row[6].number)),
                .size(row[7].number, isLess: row[8].number > 0),
                .share(Double(row[7].number) / Double(max(largest, 1))),
            ])
        }
        return table.markup(empty: "There are no runs.")
    }

    private var distributions: String {
        let remotes = max(sizes.reduce(0) { $0 +| $1[1].number }, 1)
        var bySize = MarkupTable(
            "Remotes by size", ["Size", "Remotes", "Together", "Share of the remotes"], style)
        for row in sizes {
            let least = Self.power(of: Int(row[0].number) - 1)
            let label =
                least <= 1 ? "below 10 B" : "\(style.size(least)) to \(style.size(least *| 10))"
            bySize.add([
                .text(label), .count(Int(row[1].number)), .size(row[2].number),
                .share(Double(row[1].number) / Double(remotes)),
            ])
        }
        let limits: [(name: String, seconds: Int64)] = [
            ("in the last day", 86_400), ("in the last week", 7 * 86_400),
            ("in the last 30 days", 30 * 86_400),
            ("in the last 90 days", 90 * 86_400), ("in the last year", 365 * 86_400), ("earlier", .max),
        ]
        var counts = [Int](repeating: 0, count: limits.count + 1)
        for row in ages {
            guard let time = row[0].time else {
                counts[limits.count] += 1
                continue
            }
            let age = made.seconds(since: time)
            counts[limits.firstIndex { age <= $0.seconds } ?? limits.count] += 1
        }
        var byAge = MarkupTable(
            "Remotes by their last synchronisation",
            ["Last synchronised", "Remotes", "Share of the remotes"], style)
        for (number, name) in (limits.map(\.name) + ["unknown"]).enumerated() where !ages.isEmpty {
            byAge.add([
                .text(name), .count(counts[number]),
                .share(Double(counts[number]) / Double(max(ages.count, 1))),
            ])
        }
        return bySize.markup(empty: "No remote was listed whole.")
            + byAge.markup(empty: "Nothing is known of synchronisations: there is no result of status.")
    }

    private static func power(of digits: Int) -> Int64 {
        (0..<min(max(digits, 0), 18)).reduce(1) { power, _ in power *| 10 }
    }

    private var growthTable: String {
        var table = MarkupTable(
            "From the first to the last result of a remote",
            ["Remote", "Then", "Now", "Growth", "In a day", "From", "To"], style)
        for row in growth where row[3].number != 0 {
            table.add([
                cell(row[0], .null), .size(row[1].number), .size(row[2].number), .size(row[3].number),
                .size(row[4].number), .time(row[5].time), .time(row[6].time),
            ])
        }
        return table.markup(empty: "No remote has changed its size between two runs.")
    }

    private var lagTable: String {
        var table = MarkupTable(
            "Change sets of others that a client had not applied",
            ["Client", "Remote", "Application", "Not applied", "As of"], style)
        for row in lag {
            table.add([
                .name(row[4].isNull ? nil : row[4].words, identifier: row[3].words), cell(row[0], row[2]),
                .text(row[1].words), .count(Int(row[5].number)), .time(row[6].time),
            ])
        }
        return table.markup(empty: "No client is known to be behind.")
    }

    private var applicationTables: String {
        let most = max(applications.map { $0[1].number }.max() ?? 0, 1)
        var table = MarkupTable(
            "Applications",
            ["Application", "Remotes", "Files", "Size", "Encrypted", "With errors or warnings", "Share"],
            style)
        for row in applications {
            table.add([
                .text(row[0].words), .count(Int(row[1].number)),
                .count(Int(row[2].number), isLess: row[6].number > 0),
                .size(row[3].number, isLess: row[6].number > 0),
                .count(Int(row[4].number)), .count(Int(row[5].number)),
                .share(Double(row[1].number) / Double(most)),
            ])
        }
        var versions = MarkupTable(
            "Versions of models in whole stores",
            ["Application", "Model", "Entities", "Whole stores", "Remotes", "Newest store"], style)
        for row in models {
            versions.add([
                .text(row[0].words), row[1].isNull ? .unknown("unknown") : .text(row[1].words),
                .count(Int(row[2].number)), .count(Int(row[3].number)), .count(Int(row[4].number)),
                .time(row[5].time),
            ])
        }
        return table.markup(empty: "There are no remotes.")
            + versions.markup(empty: "Nothing is known of models: there is no result of store list.")
    }
}
