import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// Numbers in the text format of Prometheus, for the textfile collector of its node exporter.
struct Metrics: Sendable {
    /// One kind of number. All are gauges: they can rise and fall.
    struct Family: Sendable {
        let name: String
        let help: String
        var samples: [Sample] = []
    }

    /// A number with its labels.
    struct Sample: Sendable {
        let labels: [(name: String, value: String)]
        let value: Int64
    }

    private(set) var families: [Family] = []

    /// Adds a family; later samples belong to it.
    /// - Parameter name: a name of letters and underscores, with the unit at its end.
    mutating func family(_ name: String, _ help: String) { families.append(Family(name: name, help: help)) }

    /// Adds a sample to the last family.
    mutating func add(_ value: Int64, _ labels: (name: String, value: String)...) {
        guard !families.isEmpty else { return }
        families[families.count - 1].samples.append(Sample(labels: labels, value: value))
    }

    /// The lines; a family without samples has none.
    var text: String {
        families.filter { !$0.samples.isEmpty }.map { family in
            let lines = family.samples.map { sample in
                let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(
                    separator: ",")
                return "\(family.name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
            }
            return "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) gauge\n" + lines.joined()
        }.joined()
    }

    /// A value of a label, escaped: names of a remote can contain any characters.
    private static func escaped(_ text: String) -> String {
        escapedText(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    static let schema = JSONSchema<Metrics>(
        "ticds.metrics/1", "Printed by ticds-inspect(1) and ticds-fleet(1) `metrics`."
    ) {
        $0(
            "metrics", "Each kind of number, a gauge of Prometheus.", \.families,
            JSONFields {
                $0("name", "Its name.", \.name)
                $0("help", "What it is.", \.help)
                $0(
                    "samples", "The numbers.", \.samples,
                    JSONFields {
                        $0("labels", "Text by name.") { sample in
                            Dictionary(sample.labels.map { ($0.name, $0.value) }) { one, _ in one }
                        }
                        $0("value", "", as: .integer, \.value)
                    })
            })
    }
}

/// The target of metrics.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "Write the metrics to this file in one step, for the textfile collector. Default: -, standard output."
        ),
        completion: .file(extensions: ["prom"]))
    var to: String?

    func validate() throws {
        if let to, to != OutputTarget.standardOutput, !to.hasSuffix(".prom") {
            throw ValidationError("--to takes a name that ends with .prom: the collector reads no other.")
        }
    }

    /// Writes the metrics to the file, or prints them.
    func write(_ metrics: Metrics, _ context: CommandContext) throws {
        let file = to == OutputTarget.standardOutput ? nil : to
        if let file { try AtomicFile.write(Array(metrics.text.utf8), to: try OutputTarget.path(file)) }
        if context.json { return try context.print(metrics, Metrics.schema) }
        if file != nil { return }
        var text = context.text()
        text.append(raw: metrics.text)
        try text.flush()
    }
}
