import ArgumentParser
import TICDSCommandLine
import TICDSVerification

struct ExplainFindings: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains findings by their codes; without a code, lists them all.",
        discussion: """
            Examples:
              ticds-verify explain TICDS-0201
              ticds-verify explain 0201 0302
              ticds-verify explain
            """)

    @Argument(help: ArgumentHelp("A code, such as TICDS-0201 or 0201.", valueName: "code"))
    var codes: [FindingCode] = []

    @Flag(help: .hidden)
    var manual = false

    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        if manual {
            var text = output.longText()
            FindingsManual.write(to: &text)
            try text.flush()
        } else if output.json {
            var json = output.lines()
            for kind in codes.isEmpty ? Catalogue.all : codes.map(\.kind) { json.document(kind, Self.schema) }
            try json.flush()
        } else {
            var text = output.longText()
            if codes.isEmpty { list(to: &text) } else { explain(to: &text) }
            try text.flush()
        }
        return .success
    }

    private func list(to text: inout OutputBuffer) {
        var table = TextTable(["CODE", "SEVERITY", "LEVEL", "FINDING"], leavesOut: ["LEVEL", "SEVERITY"])
        for kind in Catalogue.all {
            table.add([kind.code, kind.severity.rawValue, kind.level.rawValue, kind.title])
        }
        table.show(to: &text, colour: output.colour())
    }

    private func explain(to text: inout OutputBuffer) {
        let colour = output.colour()
        for (number, kind) in codes.map(\.kind).enumerated() {
            if number > 0 { text.line("") }
            text.line(colour.paint("\(kind.code): \(kind.title)", .bold))
            text.line("\(kind.severity.rawValue), found at level \(kind.level.rawValue)")
            for paragraph in kind.paragraphs {
                text.line("")
                for line in Paragraph.lines(paragraph, width: 78) { text.line("  " + line) }
            }
            text.line("")
            text.line("Effects")
            for effect in kind.effects { text.line("  " + effect.text) }
            if let repair = kind.repair.text {
                text.line("Repair")
                for line in Paragraph.lines(repair, width: 78) { text.line("  " + line) }
            }
            text.line("Remedy")
            for line in kind.generalRemedy {
                text.line("  " + (FindingKind.isCommand(line) ? "$ \(line)" : line))
            }
            text.line("Source")
            text.line("  " + kind.sources)
        }
    }
}

extension ExplainFindings {
    static let schema = JSONSchema<FindingKind>(
        "ticds.findingKind/1", "Printed by ticds-verify(1) `explain`: a line for each kind."
    ) {
        $0("code", "As in `ticds.finding/1`.", as: .code, \.code)
        $0("severity", "As in `ticds.finding/1`.", \.severity)
        $0("level", "The first level that finds it.", \.level)
        $0("title", "As in `ticds.finding/1`.", \.title)
        $0("explanation", "Empty lines separate paragraphs.", \.explanation)
        $0(
            "effects", "What it does to which clients.", \.effects,
            JSONFields {
                $0("consequence", "As in `ticds.finding/1`.", \.consequence)
                $0("reach", "", \.reach)
                $0("variant", "As in `ticds.finding/1`.", \.variant)
            })
        $0("repair", "What ticds-verify(1) `--repair` does about it: `byHand` means nothing.", \.repair)
        $0("remedy", "Words in capitals stand for what a finding fills in.", \.generalRemedy)
        $0(
            "sources", "The pages and sections on which it is based, for example `ticds-protocol(7), 7.1-1`.",
            \.sources)
    }
}
