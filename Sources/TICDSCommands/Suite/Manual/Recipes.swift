import Base

/// The recipes of ticds-recipes(7): its subsections.
struct Recipes {
    /// The source of each recipe, with its title in the first line.
    private var recipes: [(title: String, source: String)] = []
    /// The sentences of the page on what people see, each with the title of the recipe that it names.
    private var symptoms: [(text: String, title: String)] = []

    /// - Parameter source: the page.
    init(_ source: String) {
        var isInside = false
        var symptom = ""
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let macro = MdocLine(line)
            if let macro, macro.macro == "Ss" {
                recipes.append((macro.rest, ""))
                isInside = true
            } else if macro?.macro == "Sh" {
                isInside = false
            }
            if !isInside, macro?.macro == "It" { symptom = macro?.rest ?? "" }
            if !isInside, let macro, macro.macro == "Sx" { symptoms.append((symptom, macro.rest)) }
            if isInside, !recipes.isEmpty { recipes[recipes.count - 1].source += line + "\n" }
        }
    }

    /// The titles, in the order of the page.
    var titles: [String] { recipes.map(\.title) }

    /// The source of the recipes whose titles contain all the words, in upper or lower case, otherwise all their letters
    /// in a row: `backup` is in "Back up". Nil without any.
    /// - Parameter isMeant: whether the user asked for a recipe: then also that of the recipes for what people see, and at
    ///   last that of those whose text contains the words.
    func source(about words: [String], isMeant: Bool = false) -> String? {
        let wanted = words.flatMap(Self.words)
        guard !wanted.isEmpty else { return nil }
        func contain(_ text: String) -> Bool { Set(Self.words(text)).isSuperset(of: wanted) }
        let isForSymptom = Set(symptoms.filter { contain($0.text) }.map(\.title))
        let ways: [((title: String, source: String)) -> Bool] = [
            { contain($0.title) },
            { recipe in wanted.allSatisfy { Self.words(recipe.title).joined().contains($0) } },
            { isForSymptom.contains($0.title) }, { contain($0.source) },
        ]
        for way in ways.prefix(isMeant ? ways.count : 2) {
            let found = recipes.filter(way)
            if !found.isEmpty { return found.map(\.source).joined() }
        }
        return nil
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
