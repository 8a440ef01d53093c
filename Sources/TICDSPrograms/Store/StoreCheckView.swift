import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// What checks of stores found, for people and for programs.
enum StoreCheckView {
    static func printText(_ reports: [CheckedStoreReport], _ output: OutputOptions) throws(FileProblem) {
        var text = output.text()
        let colour = output.colour()
        for report in reports {
            let title = colour.paint(report.title, .bold)
            guard let check = report.check else {
                text.line("\(title): \(colour.paint("cannot be read", .bad))")
                continue
            }
            let count = check.findings.count
            let verdict =
                count == 0
                ? colour.paint("nothing found", .good)
                : colour.paint(Quantities.count(count, "finding"), .bad)
            text.line("\(title): \(Quantities.count(check.objects, "object")), \(verdict)")
            for finding in check.findings { show(finding, &text) }
            for unchecked in check.unchecked where !output.quiet {
                text.line("    not checked: \(unchecked)")
            }
        }
        try text.flush()
    }

    private static func show(_ finding: StoreFinding, _ text: inout OutputBuffer) {
        let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
        let times = finding.count > 1 ? " (\(Quantities.count(finding.count)) times)" : ""
        text.line(
            "    \(finding.kind.rawValue)\(place.isEmpty ? "" : " \(place)"): "
                + "\(finding.kind.title)\(times)")
        text.line("        \(finding.detail)")
        if finding.count > 1, !finding.examples.isEmpty {
            let more = finding.count > finding.examples.count ? ", …" : ""
            text.line("        keys \(finding.examples.map(String.init).joined(separator: ", "))\(more)")
        }
    }

    static func printJSON(_ reports: [CheckedStoreReport], _ output: OutputOptions) throws(FileProblem) {
        var json = output.document("ticds.storeCheck/1")
        json.objects("stores", reports) { json, report in
            json.field("path", report.path)
            json.field("document", orNull: report.document)
            json.field("client", orNull: report.client)
            json.field("objects", report.check?.objects)
            json.field("hasSyncIDs", report.check?.hasSyncIDs)
            json.array("findings", report.check?.findings ?? []) { json, finding in value(finding, &json) }
            json.field("unchecked", report.check?.unchecked ?? [])
            json.field("notes", report.notes.map(\.text))
            json.field("problem", report.problems.first)
        }
        try json.finish()
    }

    private static func value(_ finding: StoreFinding, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", finding.kind.rawValue)
        json.field("entity", finding.entity)
        json.field("property", finding.property)
        json.field("count", finding.count)
        json.array("examples", finding.examples) { $0.value($1) }
        json.field("detail", finding.detail)
        json.endObject()
    }
}
