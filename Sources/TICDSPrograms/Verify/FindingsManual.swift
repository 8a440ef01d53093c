import TICDSCommandLine
import TICDSVerification

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
        text.line(".It Sy \(kind.code) , \(escaped(kind.title))")
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
        for line in kind.generalRemedy {
            if FindingKind.isCommand(line) {
                text.line(".Dl " + escaped(line))
            } else {
                let end = line.hasSuffix(".") || line.hasSuffix(":") ? "" : "."
                for sentence in sentences(line + end) { text.line(escaped(sentence)) }
            }
        }
    }

    /// Each sentence on a line of its own, as mdoc wants it.
    private static func sentences(_ paragraph: String) -> [String] {
        paragraph.replacing(". ", with: ".\n").replacing(": ", with: ":\n").split(separator: "\n").flatMap {
            Paragraph.lines(String($0), width: 110)
        }
    }

    /// Characters that roff takes for its own; a line must not begin with a point or an apostrophe.
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
        ".Dd November 21, 2026", ".Dt TICDS-FINDINGS 7", ".Os", ".Sh NAME", ".Nm ticds-findings",
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
