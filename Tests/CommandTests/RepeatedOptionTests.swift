import TestSupport
import Testing

/// Every command of every program refuses an option with one value that is given twice; the parser would silently keep
/// the last one. `make test` tries some of the options, `make check` all.
@Suite struct RepeatedOptionTests {
    @Test(arguments: ManualTests.programs) func everyOptionWithOneValue(_ program: String) throws {
        let dump = try HelpDump.of(program)
        var tried = 0
        var number = Int(RandomNumbers.seed % 5)
        for command in dump.usableCommands {
            let start = dump.hasSubcommands ? [command.commandName] : []
            for option in command.options where option.kind == "option" {
                guard let name = option.names?.map(\.name).first(where: { $0.count > 1 }) else { continue }
                number += 1
                guard LongTests.areWanted || number.isMultiple(of: 5) else { continue }
                let value = option.allValues?.first ?? "1"
                let words =
                    tried.isMultiple(of: 2)
                    ? ["--\(name)", value, "--\(name)", value] : ["--\(name)=\(value)", "--\(name)=\(value)"]
                let result = try Program.run(program, start + words)
                let isRefused = result.errors.contains("The option --\(name) is given twice")
                #expect(isRefused != option.isRepeating, "\(program) \(start + words): \(result.errors)")
                if isRefused { #expect(result.status == 64) }
                tried += 1
            }
        }
        #expect(tried > 0 || program == "ticds")
    }

    @Test func evenWhereTheSubcommandIsLeftOut() throws {
        for words in [
            ["/nowhere", "--level", "deep", "--level", "names"],
            ["--password-file=a", "/nowhere", "--password-file", "b"],
            ["/nowhere", "--json", "--level", "deep", "--level", "deep"],
        ] {
            let result = try Program.run("ticds-verify", words)
            #expect(result.status == 64 && result.errors.contains("is given twice"), "\(result.errors)")
        }
        let json = try Program.run("ticds-verify", ["--json", "--level", "deep", "--level", "deep"])
        #expect(json.errors.contains(#""kind":"usage""#), "\(json.errors)")
    }

    /// Flags, options that collect values, and words after two dashes.
    @Test func whatMayBeRepeated() throws {
        for words in [
            ["/nowhere", "--json", "--json"], ["/nowhere", "--only", "0201", "--only", "0202"],
            ["--level", "deep", "--", "--level"],
        ] {
            let result = try Program.run("ticds-verify", words)
            #expect(result.status == 2, "\(words): \(result.errors)")
        }
    }
}
