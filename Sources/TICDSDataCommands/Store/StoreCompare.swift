import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct StoreCompare: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Shows which objects of two stores differ.",
        discussion: """
            Identifies objects by sync ID if objects of both stores have one, otherwise by primary key; --by chooses. \
            With --json each difference is one line.

            Examples:
              ticds-store compare before.sqlite after.sqlite --model Notebook.momd
              ticds-store compare Anna/WholeStore.ticdsync Ben/WholeStore.ticdsync --json | jq -r .kind | sort | uniq -c
            """)

    @Argument(
        help: "A store: loose, a WholeStore.ticdsync in any form, or a remote with two clients.",
        completion: .file())
    var first: String

    @Argument(help: "Another store.", completion: .file())
    var second: String?

    @Option(help: .value("attribute", "What identifies objects: the name of an attribute, or primary-key."))
    var by: String?

    @OptionGroup var place: WholeStoreOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let files = try place.files(first, second, options.password, context)
        let stores = try options.open(opened: files, context)
        let key = by.map { $0 == "primary-key" ? StoreComparison.Key.primaryKey : .attribute($0) }
        let comparison = try StoreComparison(
            stores.0.store, stores.1.store, by: key, identifier: StoreChecker.syncIDAttribute,
            json: JSONWriter.text(of:))
        if by == nil, comparison.key == .primaryKey {
            context.warn(
                "some objects have no sync ID: objects are compared by primary key, which only copies of one store share"
            )
        }
        let blind = comparison.notComparedRelationships
        if !blind.isEmpty {
            context.warn(
                "\(Quantities.count(blind.count, "relationship")) not compared, since nothing shows where they lead: "
                    + "\(blind.listed()); name the model with --model")
        }
        var lines = DifferenceLines(context)
        let counts = try comparison.forEachDifference { lines.add($0) }
        try lines.finish(counts, by: comparison.key, isSilent: context.quiet)
        var problems: [FileProblem] = []
        for opened in [stores.0, stores.1] {
            problems += try opened.store.problems(of: nil)
            problems += (opened.store as? SQLiteStore)?.missingTables ?? []
            try opened.store.reportStrayRows { problems.append($0) }
        }
        for problem in problems { context.report(problem) }
        return counts.isEqual ? (problems.isEmpty && blind.isEmpty ? .success : .partial) : .findings
    }
}

/// Prints differences as they come: JSON Lines of the schema "ticds.storeDifference/1", or text.
struct DifferenceLines: ~Copyable {
    private var out: LineOutput

    init(_ context: CommandContext) { out = LineOutput(context) }

    mutating func add(_ difference: StoreComparison.Difference) {
        if out.isJSON { out.json.document(difference, Self.schema) } else { addText(difference) }
    }

    /// Prints a last line with the figures.
    /// - Parameter isSilent: whether to omit the line for equal stores.
    mutating func finish(
        _ counts: StoreComparison.Counts, by key: StoreComparison.Key, isSilent: Bool
    ) throws(FileProblem) {
        let name =
            switch key {
            case .attribute(let name): name
            case .primaryKey: "primary key"
            }
        guard out.isJSON else {
            if isSilent, counts.isEqual { return try out.text.flush() }
            let parts = [
                "\(Quantities.count(counts.same)) the same",
                "\(Quantities.count(counts.different)) different",
                "\(Quantities.count(counts.onlyInFirst)) only in the first",
                "\(Quantities.count(counts.onlyInSecond)) only in the second",
            ]
            let left =
                counts.notCompared == 0
                ? "" : "; \(Quantities.count(counts.notCompared)) without a unique \(name) not compared"
            out.text.line("By \(name): \(parts.joined(separator: ", "))\(left)")
            return try out.text.flush()
        }
        let by = key == .primaryKey ? "primaryKey" : name
        out.json.document((counts, by), Self.comparison)
        try out.json.flush()
    }

    static let comparison = JSONSchema<(counts: StoreComparison.Counts, by: String)>(
        "ticds.storeComparison/1", "Printed by ticds-store(1) `compare`: the last line."
    ) {
        $0("by", "The attribute that identifies objects, or `primaryKey`.", { $0.by })
        $0("same", "Objects.", { $0.counts.same })
        $0("different", "Objects.", { $0.counts.different })
        $0("onlyInFirst", "Objects.", { $0.counts.onlyInFirst })
        $0("onlyInSecond", "Objects.", { $0.counts.onlyInSecond })
        $0(
            "notCompared", "Objects without an identifier, or with the same identifier as another object.",
            { $0.counts.notCompared })
    }

    static let schema = JSONSchema<StoreComparison.Difference>(
        "ticds.storeDifference/1",
        "Printed by ticds-store(1) `compare`: a line for each object that is not the same."
    ) {
        $0("kind", "", \.kind)
        $0("entity", "", \.entity)
        $0("key", "The identifier, or the primary key.", \.key)
        $0("firstPrimaryKey", "", as: .orNull(.shared("integer")), \.firstPrimaryKey)
        $0("secondPrimaryKey", "", as: .orNull(.shared("integer")), \.secondPrimaryKey)
        $0(
            "properties",
            "The properties that differ; for an object that only one store has, all properties with a value.",
            \.properties,
            JSONFields {
                $0("name", "The name of the attribute or relationship.", \.name)
                $0(
                    "first",
                    "Null if there is none; for a relationship, an identifier or an array of identifiers.",
                    { $0.first.map(JSONText.init) })
                $0("second", "The same.", { $0.second.map(JSONText.init) })
            })
    }

    private mutating func addText(_ difference: StoreComparison.Difference) {
        let (mark, meaning): (String, Colour.Meaning) =
            switch difference.kind {
            case .onlyInFirst: ("-", .bad)
            case .onlyInSecond: ("+", .good)
            case .different: ("~", .doubtful)
            }
        out.text.line(out.colour.paint("\(mark) \(difference.entity) \(difference.key)", meaning))
        for property in difference.properties {
            let values = [property.first, property.second].map {
                $0.map { Self.shortened($0, out.style) } ?? "nil"
            }
            let shown =
                switch difference.kind {
                case .onlyInFirst: values[0]
                case .onlyInSecond: values[1]
                case .different: "\(values[0]) → \(values[1])"
                }
            out.text.line("    \(property.name): \(shown)")
        }
    }

    private static func shortened(_ json: String, _ style: TextStyle) -> String {
        json.utf8.count > 120 ? String(json.prefix(100)) + "… (\(style.size(json.utf8.count)))" : json
    }
}
