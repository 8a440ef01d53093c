package import ArgumentParser

/// Finds options that are given twice although they take one value. The parser silently keeps the last value, so that
/// the first would be ignored.
package enum RepeatedOptions {
    /// The message for the first option with one value that is given twice; nil if there is none. Reads the definitions
    /// of options only if some option is given twice.
    package static func problem<Root: ParsableCommand>(_ arguments: [String], of root: Root.Type) -> String? {
        let repeated = repeatedNames(arguments)
        guard !repeated.isEmpty else { return nil }
        guard let single = CommandDefinitions(of: root, arguments)?.singleValued else { return nil }
        return repeated.first(where: single.contains).map {
            "The option \($0) is given twice, but takes one value."
        }
    }

    /// The names that occur twice or more in the arguments, in their order. Values never begin with a dash.
    private static func repeatedNames(_ arguments: [String]) -> [String] {
        var seen: Set<String> = []
        var repeated: [String] = []
        for argument in arguments {
            if argument == "--" { break }
            guard argument.hasPrefix("-"), argument.count > 1 else { continue }
            let name = String(argument.prefix { $0 != "=" })
            if !seen.insert(name).inserted { repeated.append(name) }
        }
        return repeated
    }
}
