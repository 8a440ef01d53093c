import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A document or client that users may name on the command line.
package struct NamedItem: Hashable, Sendable {
    /// The name of its folder.
    package let identifier: RemoteName
    /// The people's name for it, if known.
    package let description: String?
    /// The reason why the description is unknown, if only the password is missing or wrong, or a service has not
    /// delivered the file.
    package let locked: FileProblem?

    package init(_ identifier: RemoteName, _ description: String? = nil, locked: FileProblem? = nil) {
        self.identifier = identifier
        self.description = description
        self.locked = locked
    }
}

/// Finds the item that a name on the command line means.
package struct NameResolver: Sendable {
    private let noun: String
    private let option: String?
    private let remote: FilePath
    private let items: Seen<[NamedItem]>

    /// - Parameters:
    ///   - noun: the noun for an item, in the singular: "document".
    ///   - option: the option that names an item, for the advice; nil if an argument names it.
    ///   - items: the items, with the reason why an item, or its description, may be missing.
    package init(noun: String, option: String?, remote: FilePath, items: Seen<[NamedItem]>) {
        self.noun = noun
        self.option = option
        self.remote = remote
        self.items = items
    }

    /// The item that `name` means. The first of these rules that matches an item decides: the identifier; the
    /// identifier folded; the description; the description folded; the beginning of the identifier, and of the
    /// description, folded; a part of the description, folded. Folded texts have no capitals, accents and apostrophes,
    /// and straight quotation marks.
    /// - Throws: `FileProblem`: `unknownName` if none matches, `ambiguous` if a rule matches several; the reason why
    ///   items are missing if no known item matches.
    package func item(_ name: String) throws(FileProblem) -> NamedItem {
        let folded = Self.folded(name)
        let known = items.part.map {
            ($0, Self.folded($0.identifier.text), Self.folded($0.description ?? ""))
        }
        let rules: [(NamedItem, _ identifier: String, _ description: String) -> Bool] = [
            { item, _, _ in item.identifier == RemoteName(name) },
            { _, identifier, _ in identifier == folded },
            { item, _, _ in item.description == name },
            { _, _, description in description == folded },
            { _, identifier, _ in identifier.hasPrefix(folded) },
            { _, _, description in description.hasPrefix(folded) },
            { _, _, description in description.contains(folded) },
        ]
        if folded.isEmpty { throw unknown(name) }
        for rule in rules {
            let fitting = known.filter { rule($0, $1, $2) }.map(\.0)
            if fitting.count == 1 { return fitting[0] }
            if fitting.count > 1 {
                let what = [option, shown(name)].compactMap(\.self).joined(separator: " ")
                throw ambiguous("\(what) matches several \(noun)s", fitting)
            }
        }
        throw unknown(name)
    }

    private func unknown(_ name: String) -> FileProblem {
        if let unread = items.problem { return unread }
        if let locked = items.part.lazy.compactMap(\.locked).first {
            guard locked.kind == .encrypted else { return locked }
            return FileProblem(
                .encrypted, path: remote,
                "no \(noun) has the identifier \(shown(name)), and their names are encrypted",
                advice: "Give the password with --password-file, or name the \(noun) by its identifier")
        }
        let folded = Self.folded(name)
        let near = items.part.compactMap { item in
            [item.description, item.identifier.text].compactMap(\.self).first {
                let known = Self.folded($0)
                return !known.isEmpty
                    && EditDistance.between(folded, known) <= max(1, min(folded.count, known.count) / 3)
            }
        }
        return FileProblem(
            .unknownName, path: remote, "there is no \(noun) \(shown(name))", found: list(items.part),
            advice: near.isEmpty
                ? "Name one of these by its identifier, its description, or the beginning of either"
                : "Did you mean \(near.prefix(3).map(shown).joined(separator: " or "))?"
        )
    }

    /// A text without capitals, accents and apostrophes, which users omit when they type a name, and with straight
    /// quotation marks.
    package static func folded(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.lowercased().scalarsWithoutAccents {
            switch scalar {
            case "'", "\u{2018}", "\u{2019}", "\u{02BC}", "\u{00B4}", "`": break
            case "\u{201C}", "\u{201D}", "\u{201E}": scalars.append("\"")
            case "\u{00F8}": scalars.append("o")
            case "\u{00E6}": scalars.append(contentsOf: "ae".unicodeScalars)
            case "\u{00DF}": scalars.append(contentsOf: "ss".unicodeScalars)
            case "\u{0142}": scalars.append("l")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The identifiers of the items that `names` mean.
    /// - Throws: the errors of ``item(_:)``.
    package func identifiers(_ names: [String]) throws(FileProblem) -> Set<RemoteName> {
        Set(try names.map { (name) throws(FileProblem) in try item(name).identifier })
    }

    /// The only existing item.
    /// - Throws: `FileProblem`: `unknownName` if there is none, `ambiguous` if there are several; the reason why items
    ///   are missing if their number is unknown.
    package func only() throws(FileProblem) -> NamedItem {
        if items.part.count < 2, let unread = items.problem { throw unread }
        if items.part.count == 1 { return items.part[0] }
        if items.part.isEmpty { throw FileProblem(.unknownName, path: remote, "there is no \(noun) here") }
        throw ambiguous("there are several \(noun)s", items.part)
    }

    private func ambiguous(_ problem: String, _ fitting: [NamedItem]) -> FileProblem {
        func name(_ item: NamedItem) -> String { Self.folded(item.description ?? item.identifier.text) }
        let names = Dictionary(grouping: items.part, by: name)
        // The whole description decides, unless another item has the same one.
        let haveNames = fitting.allSatisfy { names[name($0)]?.count == 1 }
        let value = haveNames ? "NAME" : "IDENTIFIER"
        return FileProblem(
            .ambiguous, path: remote, problem, found: list(fitting),
            advice: option.map { "Choose one with \($0) \(value)" }
                ?? "Choose one by its \(haveNames ? "whole name" : "identifier")")
    }

    private func shown(_ name: String) -> String { "\"\(escapedText(name))\"" }

    /// Up to ten items, and the number of further ones.
    private func list(_ items: [NamedItem]) -> String {
        if items.isEmpty { return "no \(noun)s" }
        return items.map { item in
            let identifier = escapedText(item.identifier.text)
            return item.description.map { "\(shown($0)) \(identifier)" } ?? identifier
        }.listed(10)
    }
}
