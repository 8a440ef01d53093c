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

    static let schema = JSONSchema<[CheckedStoreReport]>(
        "ticds.storeCheck/1", "Printed by ticds-store(1) `check`."
    ) {
        $0(
            "stores", "The stores that were checked.", \.self,
            JSONFields {
                $0("path", "", \.path)
                $0("document", "Null for a loose store.", \.document)
                $0("client", "Null for a loose store.", \.client)
                $0("objects", "Objects that were read; null if the store cannot be read.", \.check?.objects)
                $0("hasSyncIDs", "Whether any entity has the attribute of the sync ID.", \.check?.hasSyncIDs)
                $0(
                    "findings", "The problems; all of one kind in one property are combined.",
                    { $0.check?.findings ?? [] }, finding)
                $0("unchecked", "What could not be checked, and why.", { $0.check?.unchecked ?? [] })
                $0("notes", "What a reader of the store must know.", { $0.notes.map(\.text) })
                $0(
                    "problem", "Why the store, or a file of external data beside it, cannot be read.",
                    \.problems.first)
            })
    }

    private static let finding = JSONFields<StoreFinding> {
        $0("kind", "As listed in ticds-store(1).", as: .text, \.kind.rawValue)
        $0("entity", "The entity concerned.", \.entity)
        $0("property", "The property concerned.", \.property)
        $0("count", "The number of rows or objects.", \.count)
        $0(
            "examples", "Primary keys of the first five at most.", as: .array(.shared("integer"), most: 5),
            \.examples)
        $0("detail", "A description of the first one.", \.detail)
    }
}
