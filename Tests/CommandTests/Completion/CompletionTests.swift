import Foundation
import Testing

/// The completions that are installed are those of the programs as they are; `make completions` renews them.
@Suite struct CompletionTests {
    @Test(arguments: ManualTests.programs, ["bash", "zsh", "fish"])
    func isWhatTheProgramGenerates(program: String, shell: String) throws {
        let name = ["bash": program, "zsh": "_\(program)", "fish": "\(program).fish"][shell] ?? ""
        let file = ManualPage.package.appending(path: "completions/\(shell)/\(name)")
        let generated = try Program.run(program, ["--generate-completion-script", shell])
        #expect(generated.status == 0)
        #expect(!generated.output.isEmpty)
        #expect(try String(contentsOf: file, encoding: .utf8) == generated.output)
    }
}
