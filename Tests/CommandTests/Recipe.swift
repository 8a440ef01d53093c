import Foundation

/// A task of ticds-recipes(7): its commands, and their stated output.
struct Recipe: CustomStringConvertible {
    /// One command of a shell; `output` contains lines that it prints among others.
    struct Step {
        var command: String
        var output: [String] = []
    }

    var title: String
    var steps: [Step] = []
    /// The variables of the cron table, each with the character before its name where it is used.
    private var variables: [String: String] = [:]

    var description: String { title }

    /// The recipes of a page; the first one includes the commands before all of them.
    static func all(of page: String = "ticds-recipes.7") throws -> [Recipe] {
        let file = ManualPage.package.appending(path: "man").appending(path: page)
        var recipes = [Recipe(title: "DESCRIPTION")]
        var isDisplay = false
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix(".Ss ") {
                recipes.append(Recipe(title: String(line.dropFirst(4))))
            } else if line.hasPrefix(".Bd ") || line == ".Ed" {
                isDisplay = line != ".Ed"
            } else if isDisplay {
                recipes[recipes.count - 1].add(line.replacingOccurrences(of: "\\e", with: "\\"))
            }
        }
        return recipes
    }

    /// The commands of a display.
    static func steps(of display: [String]) -> [Step] {
        var recipe = Recipe(title: "")
        for line in display {
            recipe.add(line.replacingOccurrences(of: "\\e", with: "\\").replacing(/^\\&/, with: ""))
        }
        return recipe.steps
    }

    /// Adds a line of a display: a command after a prompt or the times of cron, the rest of a command, a variable in
    /// the cron table, or output of a command.
    private mutating func add(_ line: String) {
        if let step = steps.last, step.output.isEmpty, step.command.hasSuffix("\\") {
            steps[steps.count - 1].command += "\n" + line
        } else if line.hasPrefix("$ ") {
            steps.append(Step(command: String(line.dropFirst(2))))
        } else if let variable = line.wholeMatch(of: /([A-Z]+)=(.+)/) {
            variables["$\(variable.1)"] = String(variable.2)
        } else if let times = line.prefixMatch(of: /\d+ ([\d*]+ ){2}\* [\d*]+\s/) {
            let command = String(line[times.range.upperBound...])
            steps.append(Step(command: variables.reduce(command) { $0.replacing($1.key, with: $1.value) }))
        } else if !steps.isEmpty {
            steps[steps.count - 1].output.append(line)
        }
    }
}
