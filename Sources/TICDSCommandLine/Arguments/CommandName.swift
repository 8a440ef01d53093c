package import ArgumentParser
import Base
package import SystemCalls
package import SystemPackage

/// Names of commands and subcommands, which users may abbreviate to a unique beginning.
package enum CommandName {
    /// The only name that the word is, or begins.
    /// - Parameter kind: the noun for the names, such as "command".
    /// - Throws: `ValidationError` that lists the possible meanings of the word.
    package static func whole(
        _ word: String, among names: [String], kind: String
    ) throws(ValidationError) -> String {
        if names.contains(word) { return word }
        let fitting = names.filter { $0.hasPrefix(word) }
        if let only = fitting.first, fitting.count == 1 { return only }
        let found = escapedText(word)
        if !fitting.isEmpty {
            throw ValidationError("the \(kind) '\(found)' can mean \(fitting.joined(separator: ", "))")
        }
        let near = names.filter { EditDistance.isNear(word, to: $0) }
        let advice =
            near.isEmpty
            ? "The \(kind.replacing(" or ", with: "s and "))s are: \(names.joined(separator: ", "))."
            : "Did you mean \(near.joined(separator: " or "))?"
        throw ValidationError("there is no \(kind) '\(found)'. \(advice)")
    }

    /// The arguments, with the complete name of the subcommand that the first of them begins. If a program has a
    /// default subcommand, the first argument may be an argument of it, and stays.
    static func completed(
        _ arguments: [String], of root: any ParsableCommand.Type
    ) throws(ValidationError) -> [String] {
        let configuration = root.configuration
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.isEmpty, configuration.defaultSubcommand == nil, let word = arguments.first,
            !word.hasPrefix("-"), !word.isEmpty
        else { return arguments }
        let name = try whole(word, among: names + ["help"], kind: "subcommand")
        let others = Array(arguments.dropFirst())
        return [name] + (name == "help" ? try completed(others, of: root) : others)
    }
}

extension FileProblem {
    /// The error for an entity that a store or a model does not have, with the nearest names.
    package static func unknownEntity(_ entity: String, at path: FilePath, among known: [String])
        -> FileProblem
    {
        let names = known.sorted()
        let near = names.filter { EditDistance.isNear(entity.lowercased(), to: $0.lowercased()) }
        let more = names.count > 30 ? ", and \(names.count - 30) more" : ""
        return FileProblem(
            .unknownName, path: path, "there is no entity \(escapedText(entity))",
            found: names.isEmpty
                ? "no objects at all"
                : names.prefix(30).map { escapedText($0) }.joined(separator: ", ") + more,
            advice: near.isEmpty
                ? "Name one of these"
                : "Did you mean \(near.prefix(3).map { escapedText($0) }.joined(separator: " or "))?")
    }
}
