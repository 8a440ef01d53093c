import SystemPackage

extension FileProblem: CustomStringConvertible {
    /// `PATH: offset N: problem, CODE (expected X, found Y). Advice.` Safe to print on a terminal.
    public var description: String {
        var text = path.escaped + ": "
        if let offset { text += "offset \(offset): " }
        text += problem
        if let finding { text += ", \(finding)" }
        let details = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        if !details.isEmpty { text += " (" + details.joined(separator: ", ") + ")" }
        text += "."
        if let advice { text += " " + advice + "." }
        return escapedText(text)
    }
}
