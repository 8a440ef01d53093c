public import SystemCalls
public import SystemPackage

/// The question before something is changed.
public enum Confirmation {
    /// Asks on the terminal, and returns where the answer is yes.
    /// - Parameters:
    ///   - preface: whole lines that have to be read first and have not been shown on the terminal yet.
    ///   - path: what is about to be changed.
    /// - Throws: `.refused` after a no, and where nobody can be asked.
    public static func ask(_ question: ScreenText, preface: ScreenText, about path: FilePath)
        throws(FileProblem)
    {
        switch TerminalQuestion.ask(question, preface: preface) {
        case true?: return
        case false?: throw FileProblem(.refused, path: path, "not confirmed, so nothing was changed")
        case nil:
            throw FileProblem(
                .refused, path: path, "there is no terminal to ask on, so nothing was changed",
                advice:
                    "Look at the plan with --dry-run first; to carry it out without a question, give --yes")
        }
    }
}
