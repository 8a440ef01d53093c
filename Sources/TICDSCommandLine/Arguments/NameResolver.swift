public import SystemCalls
public import SystemPackage

/// A document or client as people may name it.
public struct NamedItem: Hashable, Sendable {
    /// The identifier: the name of its folder.
    public let identifier: String
    /// What its owner calls it, where that is known.
    public let description: String?

    public init(identifier: String, description: String?) {
        self.identifier = identifier
        self.description = description
    }

    public static func == (one: NamedItem, other: NamedItem) -> Bool {
        one.identifier.utf8.elementsEqual(other.identifier.utf8)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(Array(identifier.utf8)) }
}

/// Finds the one item that a name on the command line means.
public struct NameResolver: Sendable {
    private let noun: String
    private let option: String?
    private let remote: FilePath
    private let items: [NamedItem]

    /// - Parameters:
    ///   - noun: what the items are, in the singular: "document".
    ///   - option: the option that names one, for the advice; nil where an argument does.
    public init(noun: String, option: String?, remote: FilePath, items: [NamedItem]) {
        self.noun = noun
        self.option = option
        self.remote = remote
        self.items = items
    }

    /// The item that `name` means. The first of these rules that fits any item decides: the identifier itself, the
    /// identifier in other capitals, the description, the description in other capitals, the beginning of the
    /// identifier in any capitals.
    /// - Throws: `FileProblem`: `unknownName` when none fits, `ambiguous` when a rule fits several.
    public func item(_ name: String) throws(FileProblem) -> NamedItem {
        let small = name.lowercased()
        let rules: [(NamedItem) -> Bool] = [
            { $0.identifier.utf8.elementsEqual(name.utf8) },
            { $0.identifier.lowercased() == small },
            { $0.description == name },
            { $0.description?.lowercased() == small },
            { !small.isEmpty && $0.identifier.lowercased().hasPrefix(small) },
        ]
        for rule in rules {
            let fitting = items.filter(rule)
            if fitting.count == 1 { return fitting[0] }
            if fitting.count > 1 {
                let what = [option, shown(name)].compactMap(\.self).joined(separator: " ")
                throw ambiguous("\(what) matches several \(noun)s", fitting)
            }
        }
        throw FileProblem(
            .unknownName, path: remote, "there is no \(noun) \(shown(name))", found: list(items),
            advice: "Name one of these by its identifier, the beginning of its identifier, or its description"
        )
    }

    /// The only item there is.
    /// - Throws: `FileProblem`: `unknownName` when there is none, `ambiguous` when there are several.
    public func only() throws(FileProblem) -> NamedItem {
        if items.count == 1 { return items[0] }
        if items.isEmpty { throw FileProblem(.unknownName, path: remote, "there is no \(noun) here") }
        throw ambiguous("there are several \(noun)s", items)
    }

    private func ambiguous(_ problem: String, _ fitting: [NamedItem]) -> FileProblem {
        FileProblem(
            .ambiguous, path: remote, problem, found: list(fitting),
            advice: "Choose one \(option.map { "with \($0) IDENTIFIER" } ?? "by identifier")")
    }

    private func shown(_ name: String) -> String { "\"\(escapedText(name))\"" }

    /// Up to ten items, and how many more there are.
    private func list(_ items: [NamedItem]) -> String {
        if items.isEmpty { return "no \(noun)s" }
        let names = items.prefix(10).map { item in
            let description = item.description.map { " \(shown($0))" } ?? ""
            return escapedText(item.identifier) + description
        }
        let more = items.count > 10 ? ", and \(items.count - 10) more" : ""
        return names.joined(separator: ", ") + more
    }
}
