import ArgumentParser
import Base
import TICDSCommandLine
import TICDSVerification

struct VerifyExplain: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains findings by their codes; without a code, lists them all.",
        discussion: """
            Examples:
              ticds-verify explain TICDS-0201
              ticds-verify explain 0201 0302
              ticds-verify explain
            """)

    @Argument(help: .value("code", "A code, such as TICDS-0201 or 0201."))
    var codes: [FindingCode] = []

    @Flag(help: .hidden)
    var manual = false

    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        if manual {
            var text = context.longText()
            FindingsManual.write(to: &text)
            try text.flush()
        } else if context.json {
            var json = context.lines()
            for kind in codes.isEmpty ? Catalogue.all : codes.map(\.kind) { json.document(kind, Self.schema) }
            try json.flush()
        } else {
            var text = context.longText()
            if codes.isEmpty { list(to: &text, context) } else { explain(to: &text, context) }
            try text.flush()
        }
        return .success
    }

    private func list(to text: inout OutputBuffer, _ context: CommandContext) {
        let longest = Catalogue.all.map { $0.code.count + 2 + $0.title.count }.max() ?? 0
        if let width = Terminal.width, width < longest {
            for kind in Catalogue.all {
                text.line("\(kind.code)  \(kind.title)", hanging: kind.code.count + 2)
            }
            return
        }
        var table = TextTable(["CODE", "SEVERITY", "LEVEL", "FINDING"], leavesOut: ["LEVEL", "SEVERITY"])
        for kind in Catalogue.all {
            table.add([kind.code, kind.severity.rawValue, kind.level.rawValue, kind.title])
        }
        table.show(to: &text, colour: context.colour())
    }

    /// The columns of sentences, where the terminal is wider or there is none.
    private static let most = 80

    private func explain(to text: inout OutputBuffer, _ context: CommandContext) {
        let colour = context.colour()
        for (number, kind) in codes.map(\.kind).enumerated() {
            if number > 0 { text.line("") }
            text.line(colour.paint("\(kind.code): \(kind.title)", .bold))
            text.line("\(kind.severity.rawValue), found at level \(kind.level.rawValue)")
            for paragraph in kind.paragraphs {
                text.line("")
                text.line("  " + paragraph, hanging: 0, most: Self.most)
            }
            text.line("")
            text.line("Effects")
            for effect in kind.effects { text.line("  " + effect.text) }
            if let repair = kind.repair.text {
                text.line("Repair")
                text.line("  " + repair, hanging: 0, most: Self.most)
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

extension VerifyExplain {
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
        $0(
            "remedy", "As in `ticds.finding/1`. Words in capitals stand for what a finding fills in.",
            \.generalRemedy, FindingKind.remedyStep)
        $0(
            "sources", "The pages and sections on which it is based, for example `ticds-protocol(7), 4.1-1`.",
            \.sources)
    }
}

/// The manual page ticds-findings(7), written from the catalogue.
enum FindingsManual {
    static func write(to text: inout OutputBuffer) {
        for line in head { text.line(line) }
        for area in Catalogue.areas {
            text.line(".Sh \(escaped(area.title.uppercased()))")
            text.line(".Bl -tag -width Ds")
            for kind in area.kinds { write(kind, to: &text) }
            text.line(".El")
        }
        for line in end { text.line(line) }
    }

    private static func write(_ kind: FindingKind, to text: inout OutputBuffer) {
        // A word of the line can be the name of a macro: "An".
        let words = escaped(kind.title).split(separator: " ").map {
            $0.count == 2 && $0.first?.isUppercase == true ? "\\&\($0)" : "\($0)"
        }
        text.line(".It Sy \(kind.code) , \(words.joined(separator: " "))")
        text.line(".Em \(kind.severity.rawValue) ,")
        text.line("level")
        text.line(".Cm \(kind.level.rawValue)")
        for paragraph in kind.paragraphs {
            text.line(".Pp")
            for line in sentences(paragraph) { text.line(escaped(line)) }
        }
        text.line(".Pp")
        text.line("Effects:")
        text.line(escaped(kind.effects.map(\.text).joined(separator: "; ") + "."))
        if let repair = kind.repair.text {
            text.line(".Pp")
            text.line("Repair:")
            for line in Paragraph.lines(repair, width: 110) { text.line(escaped(line)) }
        }
        text.line(".Pp")
        text.line("Remedy:")
        var isDisplay = false
        for line in kind.generalRemedy {
            let isCommand = FindingKind.isCommand(line)
            if isCommand != isDisplay {
                text.line(isCommand ? ".Bd -literal -offset 2n -compact" : ".Ed")
                isDisplay = isCommand
            }
            if isCommand {
                for part in broken(line) { text.line(escaped(part)) }
            } else {
                let end = line.hasSuffix(".") || line.hasSuffix(":") ? "" : "."
                for sentence in sentences(line + end) { text.line(escaped(sentence)) }
            }
        }
        if isDisplay { text.line(".Ed") }
    }

    /// The command in lines that fit a terminal of 80 columns, and that a shell reads as the same command.
    private static func broken(_ command: String) -> [String] {
        let width = 65
        guard command.count > width else { return [command] }
        let pieces = pieces(of: command)
        var lines: [String] = []
        var line = pieces[0].text
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            let longer = line + piece.gap + next.text
            if longer.count <= width - " \\".count {
                line = longer
            } else {
                lines.append(piece.isQuoted ? line : line + " \\")
                line = (piece.isQuoted ? "" : "  ") + next.text
            }
        }
        return lines + [line]
    }

    /// Parts of a command between which a line may end: words; in single quotes, parts that end with a semicolon, and
    /// elements of XML.
    private static func pieces(of command: String) -> [(text: String, gap: String, isQuoted: Bool)] {
        var pieces = [(text: "", gap: "", isQuoted: false)]
        var quote: Character?
        var previous: Character = " "
        for letter in command {
            if letter == quote {
                quote = nil
            } else if quote == nil, letter == "'" || letter == "\"" {
                quote = letter
            }
            let last = pieces.count - 1
            // An option stays with its value, and a command with the words before it.
            let word = pieces[last].text.split(separator: " ").last ?? ""
            let isBound = word == "&&" || word == ">" || word.hasPrefix("-")
            if letter == " ", quote == nil && !isBound || quote == "'" && previous == ";" {
                pieces[last].gap = " "
                pieces[last].isQuoted = quote != nil
                pieces.append(("", "", false))
            } else if letter == "<", quote == "'", previous == ">" {
                pieces[last].isQuoted = true
                pieces.append(("<", "", false))
            } else {
                pieces[last].text.append(letter)
            }
            previous = letter
        }
        return pieces
    }

    /// Each sentence on a separate line, as mdoc requires.
    private static func sentences(_ paragraph: String) -> [String] {
        paragraph.replacing(". ", with: ".\n").replacing(": ", with: ":\n").split(separator: "\n").flatMap {
            Paragraph.lines(String($0), width: 110)
        }
    }

    /// The line with characters that are special in roff escaped; a line must not begin with a point or an apostrophe.
    private static func escaped(_ line: String) -> String {
        let text = line.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq").replacing(
            "~", with: "\\(ti"
        )
        .replacing("^", with: "\\(ha").replacing("`", with: "\\(ga").replacing("'", with: "\\(aq")
        .replacing("--", with: "\\-\\-")
        return text.hasPrefix(".") ? "\\&" + text : text
    }

    private static let head = [
        ".\\\" Written by ticds-verify explain --manual; change the catalogue and not this page.",
        ".Dd November 21, 2026", ".Dt TICDS-FINDINGS 7", ".Os ticds", ".Sh NAME", ".Nm ticds-findings",
        ".Nd what ticds-verify finds in a remote, which clients are affected and what to do",
        ".Sh DESCRIPTION",
        ".Xr ticds-verify 1", "identifies each finding by a code that never changes.",
        "The first two digits are those of its area.", ".Pp", "An", ".Em error",
        "means that data are lost or clients fail, now or at their next synchronisation; a", ".Em warning",
        "that this may happen; a", ".Em note", "harms nobody.", ".Pp",
        "In a remedy, words in capitals stand for what", ".Xr ticds-verify 1", "fills in with each finding:",
        ".Ar FILE", "is the file with its full path,", ".Ar REMOTE", "the application folder.",
        "Remove files from a remote by moving them, never by deleting them, and only while no client is running.",
    ]

    private static let end = [
        ".Sh SEE ALSO", ".Xr ticds 1 ,", ".Xr ticds-verify 1 ,", ".Xr ticds-json 5 ,",
        ".Xr ticds-field-notes 7 ,", ".Xr ticds-protocol 7",
    ]
}

extension FindingKind {
    /// The explanation by paragraphs, each on one line.
    var paragraphs: [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in explanation.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    }
}
