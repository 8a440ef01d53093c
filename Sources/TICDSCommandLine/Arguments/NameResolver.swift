public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A document or client that people may name on the command line.
public struct NamedItem: Hashable, Sendable {
    /// The name of its folder.
    public let identifier: RemoteName
    /// The name that people gave it, if known.
    public let description: String?

    public init(_ identifier: RemoteName, _ description: String? = nil) {
        self.identifier = identifier
        self.description = description
    }
}

/// Finds the item that a name on the command line means.
public struct NameResolver: Sendable {
    private let noun: String
    private let option: String?
    private let remote: FilePath
    private let items: [NamedItem]

    /// - Parameters:
    ///   - noun: what the items are, in the singular: "document".
    ///   - option: the option that names an item, for the advice; nil if an argument names it.
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
            { $0.identifier == RemoteName(name) },
            { $0.identifier.text.lowercased() == small },
            { $0.description == name },
            { $0.description?.lowercased() == small },
            { !small.isEmpty && $0.identifier.text.lowercased().hasPrefix(small) },
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

    /// The identifiers of the items that `names` mean.
    /// - Throws: as ``item(_:)``.
    public func identifiers(_ names: [String]) throws(FileProblem) -> Set<RemoteName> {
        Set(try names.map { (name) throws(FileProblem) in try item(name).identifier })
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
            return escapedText(item.identifier.text) + description
        }
        let more = items.count > 10 ? ", and \(items.count - 10) more" : ""
        return names.joined(separator: ", ") + more
    }
}
