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
            for kind in codes.isEmpty ? Catalogue.all : codes.map(\.kind) { json.line(kind) }
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

extension JSONWriter {
    /// One line of the schema `ticds.findingKind/1`.
    fileprivate mutating func line(_ kind: FindingKind) {
        begin("ticds.findingKind/1")
        field("code", kind.code)
        field("severity", kind.severity.rawValue)
        field("level", kind.level.rawValue)
        field("title", kind.title)
        field("explanation", kind.explanation)
        objects("effects", kind.effects) { json, effect in
            json.field("consequence", effect.consequence.rawValue)
            json.field("reach", effect.reach.rawValue)
            json.field("variant", effect.variant?.rawValue)
        }
        field("repair", kind.repair.rawValue)
        field("remedy", kind.generalRemedy)
        field("sources", kind.sources)
        end()
    }
}
