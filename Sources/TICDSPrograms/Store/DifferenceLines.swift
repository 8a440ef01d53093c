import CoreDataStore
import SystemCalls
import TICDSCommandLine

/// Prints differences as they come: JSON Lines of the schema "ticds.storeDifference/1", or text.
struct DifferenceLines: ~Copyable {
    private var out: LineOutput

    init(_ output: OutputOptions) { out = LineOutput(output) }

    mutating func add(_ difference: StoreComparison.Difference) {
        if out.isJSON { addJSON(difference) } else { addText(difference) }
    }

    /// A last line with the figures.
    mutating func finish(_ counts: StoreComparison.Counts, by key: StoreComparison.Key) throws(FileProblem) {
        let name =
            switch key {
            case .attribute(let name): name
            case .primaryKey: "primary key"
            }
        guard out.isJSON else {
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
        out.json.begin("ticds.storeComparison/1")
        out.json.field("by", key == .primaryKey ? "primaryKey" : name)
        out.json.field("same", counts.same)
        out.json.field("different", counts.different)
        out.json.field("onlyInFirst", counts.onlyInFirst)
        out.json.field("onlyInSecond", counts.onlyInSecond)
        out.json.field("notCompared", counts.notCompared)
        try out.json.finish()
    }

    private mutating func addJSON(_ difference: StoreComparison.Difference) {
        out.json.begin("ticds.storeDifference/1")
        out.json.field("kind", difference.kind.rawValue)
        out.json.field("entity", difference.entity)
        out.json.field("key", difference.key)
        out.json.field("firstPrimaryKey", difference.firstPrimaryKey)
        out.json.field("secondPrimaryKey", difference.secondPrimaryKey)
        out.json.objects("properties", difference.properties) { json, property in
            json.field("name", property.name)
            json.field("first", json: property.first)
            json.field("second", json: property.second)
        }
        out.json.end()
    }

    private mutating func addText(_ difference: StoreComparison.Difference) {
        let (mark, meaning): (String, Colour.Meaning) =
            switch difference.kind {
            case .onlyInFirst: ("-", .bad)
            case .onlyInSecond: ("+", .good)
            case .different: ("~", .doubtful)
            }
        out.text.line(
            out.colour.paint("\(mark) \(difference.entity) \(difference.key)", meaning)
        )
        for property in difference.properties {
            let values = [property.first, property.second].map { $0.map(Self.shortened) ?? "nil" }
            let shown =
                switch difference.kind {
                case .onlyInFirst: values[0]
                case .onlyInSecond: values[1]
                case .different: "\(values[0]) → \(values[1])"
                }
            out.text.line("    \(property.name): \(shown)")
        }
    }

    private static func shortened(_ json: String) -> String {
        json.utf8.count > 120 ? String(json.prefix(100)) + "… (\(Quantities.size(json.utf8.count)))" : json
    }
}
