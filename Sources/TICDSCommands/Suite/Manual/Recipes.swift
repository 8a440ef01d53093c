import Base

/// The recipes of ticds-recipes(7): its subsections.
struct Recipes {
    /// The source of each recipe, with its title in the first line.
    private var recipes: [(title: String, source: String)] = []

    /// - Parameter source: the page.
    init(_ source: String) {
        var isInside = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let macro = MdocLine(line)
            if let macro, macro.macro == "Ss" {
                recipes.append((macro.rest, ""))
                isInside = true
            } else if macro?.macro == "Sh" {
                isInside = false
            }
            if isInside, !recipes.isEmpty { recipes[recipes.count - 1].source += line + "\n" }
        }
    }

    /// The titles, in the order of the page.
    var titles: [String] { recipes.map(\.title) }

    /// The source of the recipes whose titles contain all the words, in upper or lower case, otherwise all their letters
    /// in a row: `backup` is in "Back up". Nil without any.
    func source(about words: [String]) -> String? {
        let wanted = words.flatMap(Self.words)
        guard !wanted.isEmpty else { return nil }
        let exact = recipes.filter { Set(Self.words($0.title)).isSuperset(of: wanted) }
        let found =
            exact.isEmpty
            ? recipes.filter { recipe in wanted.allSatisfy(Self.words(recipe.title).joined().contains) }
            : exact
        return found.isEmpty ? nil : found.map(\.source).joined()
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
