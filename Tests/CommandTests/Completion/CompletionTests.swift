import Foundation
import Testing

/// The installed scripts, one for each shell.
@Suite struct CompletionTests {
    private static func script(_ shell: ShellSession.Shell) throws -> String {
        let name =
            switch shell {
            case .bash: "ticds"
            case .zsh: "_ticds"
            case .fish: "ticds.fish"
            }
        let file = ManualPage.package.appending(path: "completions/\(shell)/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: ShellSession.Shell.allCases)
    func everyProgramPrintsTheScript(shell: ShellSession.Shell) throws {
        for program in ["ticds", "ticds-verify"] {
            let printed = try Program.run(program, ["--generate-completion-script", "\(shell)"])
            #expect(printed.status == 0)
            #expect(try printed.output == Self.script(shell))
        }
        let other = try Program.run("ticds", ["--generate-completion-script", "tcsh"])
        #expect(other.status == 64 && other.output.isEmpty)
    }

    @Test(arguments: ShellSession.Shell.installed)
    func scriptServesEveryProgram(shell: ShellSession.Shell) throws {
        let list =
            switch shell {
            case .bash: "source completions/bash/ticds; complete -p | sed 's/.* //'"
            case .zsh: "read -A words <completions/zsh/_ticds; print -l $words[2,-1]"
            case .fish:
                "source completions/fish/ticds.fish; complete | string match -rg -- '--no-files ([^ ]+)'"
            }
        let result = try Program.launch(
            "/usr/bin/env", ["\(shell)", "-c", "cd '\(ManualPage.package.path)'; \(list)"], environment: [:],
            seconds: 20)
        #expect(
            result.output.split(separator: "\n").map(String.init).sorted() == ManualTests.programs.sorted())
    }
}
