/// Turns the macros inside a line into words.
struct MdocPhrase {
    /// The name of the page's command, for `.Nm` alone.
    var name = ""

    private static let strong: Set<String> = ["Nm", "Fl", "Cm", "Ic", "Sy"]
    private static let underlined: Set<String> = ["Ar", "Em", "Sx"]
    private static let plain: Set<String> = ["Li", "Pa", "Ev", "Dv", "No", "Lk", "Er", "Va", "Vt"]
    /// The signs around the rest of a line.
    private static let enclosures = [
        "Op": ("[", "]"), "Pq": ("(", ")"), "Bq": ("[", "]"), "Ql": ("‘", "’"), "Dq": ("“", "”"),
        "Sq": ("‘", "’"), "Aq": ("<", ">"),
    ]
    private static let openings = ["Oo": "[", "Po": "("]
    private static let closings = ["Oc": "]", "Pc": ")"]

    static func isMacro(_ name: String) -> Bool {
        strong.contains(name) || underlined.contains(name) || plain.contains(name) || enclosures[name] != nil
            || openings[name] != nil || closings[name] != nil || name == "Xr" || name == "Ns"
    }

    /// Adds the words that the macro produces from its arguments.
    func add(_ macro: String, _ arguments: ArraySlice<MdocLine.Argument>, to words: inout ManualWords) {
        if let (start, end) = Self.enclosures[macro] {
            let tail = arguments.reversed().prefix { $0.closes }.count
            words.open(start)
            add(arguments.dropLast(tail), to: &words)
            words.close(end)
            return add(arguments.suffix(tail), to: &words)
        }
        if let sign = Self.openings[macro] {
            words.open(sign)
            return add(arguments, to: &words)
        }
        if let sign = Self.closings[macro] {
            words.close(sign)
            return add(arguments, to: &words)
        }
        switch macro {
        case "Xr": addReference(arguments, to: &words)
        case "Ns":
            words.joinNext()
            add(arguments, to: &words)
        default: addStyled(macro, arguments, to: &words)
        }
    }

    /// Adds words, which may include macros.
    func add(_ arguments: ArraySlice<MdocLine.Argument>, to words: inout ManualWords) {
        for index in arguments.indices {
            let argument = arguments[index]
            if !argument.isText, Self.isMacro(argument.text) {
                return add(argument.text, arguments[(index + 1)...], to: &words)
            }
            addPlain(argument, .plain, to: &words)
        }
    }

    private func addStyled(
        _ macro: String, _ arguments: ArraySlice<MdocLine.Argument>, to words: inout ManualWords
    ) {
        let look: ManualWord.Look =
            Self.strong.contains(macro) ? .strong : Self.underlined.contains(macro) ? .underlined : .plain
        let sign = macro == "Fl" ? "-" : ""
        let isBare = arguments.first.map { $0.closes || $0.divides || isMacro($0) } ?? true
        if isBare {
            switch macro {
            case "Nm": words.add(name, look)
            case "Fl": words.add("-", look)
            case "Ar":
                words.add("file", look)
                words.add("...", look)
            default: break
            }
        }
        for index in arguments.indices {
            let argument = arguments[index]
            if isMacro(argument) {
                return add(argument.text, arguments[(index + 1)...], to: &words)
            }
            let isSign = argument.closes || argument.opens || argument.divides
            addPlain(
                isSign ? argument : MdocLine.Argument(text: sign + argument.text, isText: argument.isText),
                isSign ? .plain : look, to: &words)
        }
    }

    private func isMacro(_ argument: MdocLine.Argument) -> Bool {
        !argument.isText && Self.isMacro(argument.text)
    }

    private func addPlain(
        _ argument: MdocLine.Argument, _ look: ManualWord.Look, to words: inout ManualWords
    ) {
        if argument.closes { return words.close(argument.text) }
        if argument.opens { return words.open(argument.text) }
        let parts = argument.text.split(separator: " ").map(String.init)
        for part in parts.isEmpty ? [argument.text] : parts { words.add(part, look) }
    }

    /// Adds a reference such as `ticds-inspect(1)`.
    private func addReference(_ arguments: ArraySlice<MdocLine.Argument>, to words: inout ManualWords) {
        guard let page = arguments.first else { return }
        let rest = arguments.dropFirst()
        if let section = rest.first, section.text.count == 1, section.text.first?.isNumber == true {
            words.add("\(page.text)(\(section.text))", .plain)
            return add(rest.dropFirst(), to: &words)
        }
        words.add(page.text, .plain)
        add(rest, to: &words)
    }
}
