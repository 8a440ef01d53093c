import Foundation
import SystemPackage
import TestSupport
import Testing

/// The recipes of ticds-recipes(7) work on the demonstration remote, as the page says.
@Suite struct RecipeTests {
    private static let recipes = (try? Recipe.all()) ?? []

    @Test func thereAreRecipes() {
        #expect(Self.recipes.count > 12)
        for recipe in Self.recipes { #expect(recipe.steps.count > 1, "\(recipe)") }
    }

    @Test(arguments: recipes)
    func everyCommandDoesWhatThePageSays(recipe: Recipe) throws {
        // Without rclone, `StorageServerTests` says that tests of storages are left out.
        let needsRclone = recipe.steps.contains { $0.command.contains("rclone:") }
        if needsRclone, InstalledRclone.path == nil { return }
        let shell = ReaderShell(scratch: try Scratch())
        let remote = "set -e; export TICDS_REMOTE=$PWD/demo"
        let isFirst = recipe.steps.first?.command == "ticds demo demo"
        let preparation = (isFirst ? [] : ["ticds demo demo"]) + recipe.preparation
        let prepared = try shell.run(([remote] + preparation).joined(separator: "\n"))
        #expect(prepared.status == 0, "\(preparation): \(prepared.errors)")
        // A reader has one shell for all lines, where each line here has its own.
        let exports = recipe.preparation.filter { $0.hasPrefix("export ") }
        for step in recipe.steps {
            let result = try shell.run(([remote] + exports + [step.command]).joined(separator: "\n"))
            let finds = step.command.hasPrefix("ticds-verify ")
            let isPartial = step.command.hasPrefix("ticds-changes recover ")
            let expected: [Int32] = finds ? [0, 1] : isPartial ? [0, 5] : [0]
            #expect(expected.contains(result.status), "\(step.command): \(result.errors)")
            let printed = (result.output + result.errors).split(separator: "\n").map(ReaderShell.plain)
            for line in step.output {
                #expect(printed.contains(ReaderShell.plain(line)), "\(step.command): \(line)")
            }
        }
    }

    /// The first hour is one session in one folder.
    @Test func theTutorialRunsFromStartToEnd() throws {
        let shell = ReaderShell(scratch: try Scratch())
        let steps = try Recipe.all(of: "ticds-tutorial.7").flatMap(\.steps)
        #expect(steps.count > 15)
        for step in steps {
            let result = try shell.run(step.command)
            let finds = step.command.contains("verify ")
            #expect(result.status == 0 || finds && result.status == 1, "\(step.command): \(result.errors)")
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
