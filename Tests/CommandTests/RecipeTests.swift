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
        let scratch = try Scratch()
        let isFirst = recipe.steps.first?.command == "ticds demo demo"
        let preparation = (isFirst ? [] : ["ticds demo demo"]) + recipe.preparation
        try scratch.shell(
            "export XDG_STATE_HOME='\(scratch.path)/state'\n" + preparation.joined(separator: "\n"))
        for step in recipe.steps {
            let result = try run(step.command, in: scratch)
            let finds = step.command.hasPrefix("ticds-verify ")
            let isPartial = step.command.hasPrefix("ticds-changes recover ")
            let expected: [Int32] = finds ? [0, 1] : isPartial ? [0, 5] : [0]
            #expect(expected.contains(result.status), "\(step.command): \(result.errors)")
            let printed = (result.output + result.errors).split(separator: "\n").map(Self.plain)
            for line in step.output {
                #expect(printed.contains(Self.plain(line)), "\(step.command): \(line)")
            }
        }
    }

    /// Runs a command; where it asks before it changes something, the answer is yes.
    private func run(_ command: String, in scratch: Scratch) throws -> Program.Result {
        let environment = [
            "HOME": scratch.path.string, "XDG_STATE_HOME": "\(scratch.path)/state", "TZ": "UTC",
            "TICDS_REMOTE": "\(scratch.path)/demo", "TICDS_RCLONE": InstalledRclone.path?.string ?? "",
        ]
        let place = "cd '\(scratch.path)'; "
        let result = try Program.shell(place + command, environment: environment)
        guard result.status == 3, result.errors.contains("--yes") else { return result }
        return try Program.shell(place + command + " --yes", environment: environment)
    }

    /// With one space for each gap, as a page that is filled has them.
    private static func plain(_ line: some StringProtocol) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
