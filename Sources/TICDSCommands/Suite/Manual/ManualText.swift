import TICDSCommandLine

/// A page of the manual as text, for machines without man(1). It supports the part of mdoc(7) that the pages of ticds
/// use. Unknown macros leave their words in the text.
struct ManualText {
    /// Columns of a line.
    private let width: Int
    private let colour: Colour
    private let bullet: String

    private(set) var lines: [TerminalText] = []
    private var phrase = MdocPhrase()
    private var words = ManualWords()
    private var lists: [ManualList] = []
    private var tag: [ManualWord]?
    private var title = ""
    private var date = ""
    private var section = ""
    private var wantsSpace = false
    private var isBehindHeading = false
    /// Columns by which the lines of a paragraph behind its first are indented further.
    private var hanging = 0
    private var literalIndent: Int?
    private var reference: [String]?

    private static let margin = 4
    private static let displayMargin = 4

    /// - Parameters:
    ///   - source: the page.
    ///   - showsUnicode: whether the terminal shows more than ASCII.
    init(_ source: String, width: Int, colour: Colour = .never, showsUnicode: Bool = true) {
        self.width = max(20, width)
        self.colour = colour
        bullet = showsUnicode ? "•" : "*"
        let text = showsUnicode ? source : Self.asciiQuotes(source)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { add(line) }
        flush()
        if !date.isEmpty {
            lines.append("")
            lines.append(TerminalText(date))
        }
    }

    private static func asciiQuotes(_ text: String) -> String {
        String(text.map { $0 == "’" || $0 == "‘" ? "'" : $0 })
    }

    private var indent: Int { min(Self.margin + lists.reduce(0) { $0 + $1.indent }, width / 2) }

    private mutating func add(_ line: Substring) {
        if line.hasPrefix(".\\\"") || line == "." { return }
        if literalIndent != nil, !line.hasPrefix(".Ed") { return addLiteral(line) }
        guard let macro = MdocLine(line) else {
            for word in MdocLine.unescaped(line).split(separator: " ") { words.add(String(word), .plain) }
            return
        }
        if !addBlock(macro) { addPhrase(macro) }
    }

    /// Handles macros that begin or end a paragraph, a list or a section; returns false for others.
    private mutating func addBlock(_ line: MdocLine) -> Bool {
        switch line.macro {
        case "Dd": date = line.rest
        case "Dt": setTitle(line)
        case "Os": break
        case "Sh", "Ss": addHeading(line)
        case "Pp":
            flush()
            wantsSpace = true
        case "Bl": beginList(line)
        case "El":
            flush()
            _ = lists.popLast()
            hanging = 0
        case "It": beginItem(line)
        case "Bd":
            flush()
            if !line.rest.contains("-compact") { wantsSpace = true }
            literalIndent = indent + (line.rest.contains("-offset") ? Self.displayMargin : 0)
        case "Ed":
            literalIndent = nil
            wantsSpace = true
        case "Dl":
            flush()
            emit(TerminalText(line.rest), at: indent + Self.displayMargin)
        case "D1":
            flush()
            phrase.add(line.arguments[...], to: &words)
            emitWrapped(words.take(), at: indent + Self.displayMargin)
        case "Rs": reference = []
        case "Re":
            for word in ((reference ?? []).joined(separator: ", ") + ".").split(separator: " ") {
                words.add(String(word), .plain)
            }
            reference = nil
        default:
            guard line.macro.hasPrefix("%"), reference != nil else { return false }
            reference?.append(line.rest)
        }
        return true
    }

    private mutating func addPhrase(_ line: MdocLine) {
        switch line.macro {
        case "Nm" where section == "SYNOPSIS":
            flush()
            phrase.add("Nm", line.arguments[...], to: &words)
            hanging = min(phrase.name.count + 1, 20)
        case "Nm" where section == "NAME":
            if phrase.name.isEmpty { phrase.name = line.arguments.first?.text ?? "" }
            phrase.add("Nm", line.arguments[...], to: &words)
        case "Nd":
            words.add("-", .plain)
            phrase.add(line.arguments[...], to: &words)
        case "Op", "Ar": section == "SYNOPSIS" ? addWhole(line) : addInline(line)
        default: addInline(line)
        }
    }

    private mutating func addInline(_ line: MdocLine) {
        if MdocPhrase.isMacro(line.macro) {
            phrase.add(line.macro, line.arguments[...], to: &words)
        } else {
            phrase.add(line.arguments[...], to: &words)
        }
    }

    /// Adds an option of the synopsis, which stays on one line if that is possible.
    private mutating func addWhole(_ line: MdocLine) {
        var option = ManualWords()
        phrase.add(line.macro, line.arguments[...], to: &option)
        let whole = ManualWord(joining: option.words)
        words.add(whole.width <= width - indent - hanging ? [whole] : option.words)
    }

    private mutating func setTitle(_ line: MdocLine) {
        let words = line.arguments.map(\.text)
        title = "\(words.first ?? "")(\(words.dropFirst().first ?? ""))"
        let heading = "ticds manual"
        let gap = width - 2 * DisplayWidth.of(title) - heading.count
        let space = String(repeating: " ", count: max(1, gap / 2))
        lines.append(
            gap < 2
                ? TerminalText(title)
                : "\(title)\(space)\(heading)\(String(repeating: " ", count: max(1, gap - gap / 2)))\(title)")
        wantsSpace = true
    }

    private mutating func addHeading(_ line: MdocLine) {
        flush()
        lists = []
        hanging = 0
        wantsSpace = true
        isBehindHeading = false
        if line.macro == "Sh" { section = line.rest }
        var heading = ManualWords()
        phrase.add(line.arguments[...], to: &heading)
        let text = heading.words.map(\.text).joined(separator: " ")
        emit(colour.paint(text, .bold), at: line.macro == "Sh" ? 0 : Self.margin / 2)
        isBehindHeading = true
    }

    private mutating func beginList(_ line: MdocLine) {
        flush()
        lists.append(ManualList(line))
        if lists.last?.isCompact == true { return }
        wantsSpace = true
    }

    private mutating func beginItem(_ line: MdocLine) {
        flush()
        guard let list = lists.last else { return phrase.add(line.arguments[...], to: &words) }
        if !list.isCompact { wantsSpace = true }
        lists[lists.count - 1].number += 1
        switch list.kind {
        case .bullet: tag = [ManualWord(bullet, .plain)]
        case .numbers: tag = [ManualWord("\(list.number + 1).", .plain)]
        case .tag:
            var head = ManualWords()
            phrase.add(line.arguments[...], to: &head)
            tag = head.words
        case .diagnostic:
            var head = ManualWords()
            phrase.add("Sy", line.arguments[...], to: &head)
            tag = head.words
        case .columns:
            let cells = line.arguments.split { $0.text == "Ta" && !$0.isText }.map { cell in
                var content = ManualWords()
                phrase.add(cell, to: &content)
                return content.words
            }
            words.add(list.row(cells, within: width - indent))
            hanging = 2
        }
    }

    private mutating func addLiteral(_ line: Substring) {
        let margin = literalIndent ?? 0
        guard let macro = MdocLine(line), macro.macro != "" else {
            return emit(TerminalText(MdocLine.unescaped(line)), at: margin)
        }
        var content = ManualWords()
        if MdocPhrase.isMacro(macro.macro) {
            phrase.add(macro.macro, macro.arguments[...], to: &content)
        } else {
            phrase.add(macro.arguments[...], to: &content)
        }
        emit(ManualWord(joining: content.words).shown(colour), at: margin)
    }

    /// Prints the paragraph so far, after the tag of its item if it is the first one there.
    private mutating func flush() {
        let paragraph = words.take()
        defer { hanging = section == "SYNOPSIS" ? hanging : 0 }
        guard let head = tag, let list = lists.last else {
            if !paragraph.isEmpty { emitWrapped(paragraph, at: indent) }
            return
        }
        tag = nil
        let start = max(0, indent - list.indent)
        let whole = ManualWord(joining: head)
        if list.kind != .diagnostic, whole.width < list.indent, let first = paragraph.first {
            let gap = String(repeating: " ", count: list.indent - whole.width)
            let joined = ManualWord(joining: [whole]).followed(by: gap, first)
            emitWrapped([joined] + paragraph.dropFirst(), at: start, hanging: list.indent)
        } else {
            emitWrapped(head, at: start, hanging: 2)
            if !paragraph.isEmpty { emitWrapped(paragraph, at: indent) }
        }
    }

    private mutating func emitWrapped(_ words: [ManualWord], at margin: Int, hanging: Int? = nil) {
        let hanging = hanging ?? self.hanging
        var line: TerminalText = ""
        var used = 0
        var start = margin
        for word in words {
            if used > 0, start + used + 1 + word.width > width {
                emit(line, at: start)
                line = ""
                used = 0
                start = margin + hanging
            }
            if used > 0 {
                line += " "
                used += 1
            }
            line += word.shown(colour)
            used += word.width
        }
        if used > 0 { emit(line, at: start) }
    }

    private mutating func emit(_ line: TerminalText, at margin: Int) {
        if wantsSpace, !isBehindHeading, !lines.isEmpty { lines.append("") }
        wantsSpace = false
        isBehindHeading = false
        let shown: TerminalText = "\(String(repeating: " ", count: margin))\(line)"
        lines.append(shown.withoutBlanksAtEnd)
    }
}
