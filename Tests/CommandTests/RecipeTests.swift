import Foundation
import SystemPackage
import TestSupport
import Testing

/// The commands of ticds-recipes(7) and ticds-tutorial(7) work on demonstration remotes, as the pages describe.
@Suite struct RecipeTests {
    @Test func thereAreRecipes() throws {
        let recipes = try Recipe.all()
        #expect(recipes.count > 12)
        for recipe in recipes { #expect(recipe.steps.count > 1, "\(recipe)") }
    }

    /// All recipes form one session in one folder, from the top of the page to its end.
    @Test func everyRecipeInThePrintedOrder() throws {
        let shell = ReaderShell(scratch: try Scratch())
        // The remote of the table of cron.
        try shell.scratch.shell("mkdir srv && ticds demo srv/sync")
        // Without rclone, `StorageServerTests` reports that tests of storages are skipped.
        let recipes = try Recipe.all().filter { recipe in
            let commands = recipe.steps.map(\.command)
            return (InstalledRclone.path != nil || !commands.contains { $0.contains("rclone:") })
                && (KernelMount.isPermitted || !commands.contains { $0.contains(" mount ") })
        }
        var steps = recipes.flatMap(\.steps)
        for index in steps.indices {
            steps[index].command.replace("/srv/", with: "\(shell.scratch.path)/srv/")
        }
        try expect(steps, in: shell)
    }

    /// The first hour is one session in one folder.
    @Test func theTutorialRunsFromStartToEnd() throws {
        let steps = try Recipe.all(of: "ticds-tutorial.7").flatMap(\.steps)
        #expect(steps.count > 15)
        try expect(steps, in: ReaderShell(scratch: try Scratch()))
    }

    /// Runs the commands in one shell. They succeed, and print what the page shows.
    private func expect(_ steps: [Recipe.Step], in shell: ReaderShell) throws {
        let results = try shell.run(all: steps.map(\.command))
        for (step, result) in zip(steps, results) {
            let finds = step.command.contains(/^ticds[- ](verify|archive diff)\s/)
            let isPartial = step.command.hasPrefix("ticds-changes recover ")
            let expected: [Int32] = finds ? [0, 1] : isPartial ? [0, 5] : [0]
            #expect(expected.contains(result.status), "\(step.command): \(result.errors)")
            let printed = (result.output + result.errors).split(separator: "\n").map(ReaderShell.plain)
            for line in step.output {
                #expect(printed.contains(ReaderShell.plain(line)), "\(step.command): \(line)")
            }
        }
    }

    /// Commands that the text names exist.
    @Test func namesCommandsThatExist() throws {
        let file = ManualPage.package.appending(path: "man").appending(path: "ticds-recipes.7")
        let page = try String(contentsOf: file, encoding: .utf8)
        let named = page.matches(of: /\.Ic (ticds-[a-z]+) (-?-?[a-z]+)/)
        #expect(named.count > 3)
        for words in named {
            let commands = try HelpDump.of(String(words.1)).usableCommands
            let names = commands.map(\.commandName) + commands.flatMap(\.options).flatMap(\.manualNames)
            #expect(names.contains { $0 == words.2 || "-\($0)" == words.2 }, "\(words.0)")
        }
    }
}
