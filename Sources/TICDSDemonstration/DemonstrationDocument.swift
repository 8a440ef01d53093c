import Base
import KeyedArchive
import TICDSCore

/// A document while its clients edit it; edits return sync changes (ticds-remote-format(5), 3.3).
///
/// A large one has millions of objects. What the generator of random numbers makes again, an object does not contain: an
/// ingredient takes 24 bytes, a recipe 56.
struct DemonstrationDocument {
    struct Recipe {
        let id: DemonstrationIdentifier
        fileprivate let created: Double
        /// The state of the generator before the photo; nil without one.
        fileprivate var photo: SeededGenerator?
        /// A number in an edited title; 0 in others.
        fileprivate var edit: UInt32 = 0
        fileprivate let title: UInt8
        fileprivate var servings: UInt8
        fileprivate var isFavorite = false
        fileprivate var isSalted = false
        /// A bit for each tag.
        fileprivate var tags: UInt8 = 0
        /// The first of its ingredients.
        fileprivate var firstPart = DemonstrationDocument.none

        func has(tag number: Int) -> Bool { tags & DemonstrationDocument.mark(ofTag: number) != 0 }
    }

    struct Ingredient {
        let id: DemonstrationIdentifier
        fileprivate(set) var recipe: UInt32
        /// The next ingredient of the recipe.
        fileprivate var nextPart = DemonstrationDocument.none
        fileprivate let name: UInt8
        fileprivate let amount: UInt16
    }

    struct Tag {
        let id: DemonstrationIdentifier
        let name: String
        /// The recipes, in the order in which they got the tag.
        fileprivate(set) var recipes: [UInt32] = []
    }

    /// All recipes that were ever inserted, by their numbers.
    private var allRecipes: [Recipe] = []
    /// All ingredients that were ever inserted, by their numbers.
    private var allIngredients: [Ingredient] = []
    /// The numbers of the recipes that exist.
    private(set) var recipes: [UInt32] = []
    private(set) var tags: [Tag] = []
    private(set) var ingredients = SortedIngredients()
    /// A number in edited texts, so that each differs.
    private var edits: UInt32 = 0

    /// In place of the number of an ingredient.
    private static let none = UInt32.max

    private static func mark(ofTag number: Int) -> UInt8 { 1 << UInt8(clamping: number) }

    func recipe(_ number: UInt32) -> Recipe { allRecipes[Int(number)] }
    func ingredient(_ number: UInt32) -> Ingredient { allIngredients[Int(number)] }
    /// The size of a table of all recipes by their numbers.
    var recipeLimit: Int { allRecipes.count }
    /// The size of a table of all ingredients by their numbers.
    var ingredientLimit: Int { allIngredients.count }

    /// Makes a few edits of one client, and returns the changes of one set. The first call inserts the tags.
    mutating func edit(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        if tags.isEmpty { return Self.tagNames.map { insertTag($0, at: time, &random) } }
        var changes: [SyncChange] = []
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let moment = time - Double(60 * (4 - number)) + Double.random(in: 0..<1, using: &random)
            switch recipes.isEmpty ? 0 : Int.random(in: 0..<20, using: &random) {
            case 0..<6: changes += insertRecipe(at: moment, &random)
            case 6..<14: changes += changeAttribute(at: moment, &random)
            case 14..<17: changes += tag(at: moment, &random)
            case 17..<19: changes += moveIngredient(at: moment, &random)
            default: changes += recipes.count > 8 ? deleteRecipe(at: moment, &random) : []
            }
        }
        return changes.isEmpty ? insertRecipe(at: time, &random) : changes
    }

    private mutating func insertTag(_ name: String, at time: Double, _ random: inout SeededGenerator)
        -> SyncChange
    {
        let tag = Tag(id: random.identifier(), name: name)
        tags.append(tag)
        return insert("Tag", tag.id, ["name": .string(name)], at: time)
    }

    private mutating func insertRecipe(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        let id = random.identifier()
        let title = random.element(of: Self.titles.indices) ?? 0
        var recipe = Recipe(
            id: id, created: time.rounded(), title: UInt8(clamping: title),
            servings: UInt8(clamping: Int.random(in: 1...8, using: &random)))
        if Int.random(in: 0..<5, using: &random) == 0 {
            recipe.photo = random
            _ = Self.photo(&random)
        }
        let number = UInt32(clamping: allRecipes.count)
        allRecipes.append(recipe)
        recipes.append(number)
        var inserted = attributes(ofRecipe: number)
        if recipe.photo == nil { inserted["photo"] = nil }
        var changes = [insert("Recipe", id, inserted, at: time)]
        for name in Self.ingredients.indices.shuffled(using: &random).prefix(3) {
            let ingredient = random.identifier()
            let amount = Int.random(in: 5...5000, using: &random)
            let part = UInt32(clamping: allIngredients.count)
            allIngredients.append(
                Ingredient(
                    id: ingredient, recipe: number, name: UInt8(clamping: name),
                    amount: UInt16(clamping: amount)))
            ingredients.insert(part, of: allIngredients)
            changes.append(insert("Ingredient", ingredient, attributes(ofIngredient: part), at: time + 1))
            changes.append(add(part, to: number, at: time + 1))
        }
        return changes
    }

    private func insert(
        _ entity: String, _ id: DemonstrationIdentifier, _ attributes: [String: ArchivedValue],
        at time: Double
    ) -> SyncChange {
        var all = attributes
        let text = id.text
        all["ticdsSyncID"] = .string(text)
        let pairs = all.sorted { $0.key < $1.key }.map { ArchivedPair(key: .string($0.key), value: $0.value) }
        return SyncChange(
            type: .insert, entity: entity, objectSyncID: text, changedAttributes: .dictionary(pairs),
            timestamp: time)
    }

    /// Adds an ingredient that no recipe has.
    private mutating func add(_ part: UInt32, to recipe: UInt32, at time: Double) -> SyncChange {
        allIngredients[Int(part)].recipe = recipe
        allIngredients[Int(part)].nextPart = allRecipes[Int(recipe)].firstPart
        allRecipes[Int(recipe)].firstPart = part
        return SyncChange(
            type: .toOne, entity: "Ingredient", objectSyncID: ingredient(part).id.text, key: "recipe",
            relatedEntity: "Recipe",
            changedRelationships: .string(self.recipe(recipe).id.text), timestamp: time)
    }

    private mutating func remove(_ part: UInt32) {
        let (recipe, next) = (ingredient(part).recipe, ingredient(part).nextPart)
        if let before = parts(of: recipe).first(where: { ingredient($0).nextPart == part }) {
            allIngredients[Int(before)].nextPart = next
        } else {
            allRecipes[Int(recipe)].firstPart = next
        }
    }

    /// The ingredients of a recipe, in no order.
    func parts(of recipe: UInt32) -> [UInt32] {
        var parts: [UInt32] = []
        var next = allRecipes[Int(recipe)].firstPart
        while next != Self.none {
            parts.append(next)
            next = allIngredients[Int(next)].nextPart
        }
        return parts
    }

    private mutating func changeAttribute(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let number = random.element(of: recipes) else { return [] }
        edits += 1
        var changed = allRecipes[Int(number)]
        let servings = Int.random(in: 1...12, using: &random)
        let isFavorite = Int.random(in: 0...1, using: &random) == 1
        let keys = ["title", "servings", "isFavorite", "steps", "photo"]
        guard let key = random.element(of: keys) else { return [] }
        switch key {
        case "title": changed.edit = edits
        case "servings": changed.servings = UInt8(clamping: servings)
        case "isFavorite": changed.isFavorite = isFavorite
        case "steps": changed.isSalted = true
        default: changed.photo = nil
        }
        allRecipes[Int(number)] = changed
        return [
            SyncChange(
                type: .attribute, entity: "Recipe", objectSyncID: changed.id.text, key: key,
                changedAttributes: attributes(ofRecipe: number)[key] ?? .null, timestamp: time)
        ]
    }

    /// Adds or removes a tag. Many-to-many relationships are recorded on the side that sorts first: `recipes`.
    private mutating func tag(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let tag = random.element(of: tags.indices), let recipe = random.element(of: recipes) else {
            return []
        }
        let isThere = self.recipe(recipe).has(tag: tag)
        allRecipes[Int(recipe)].tags ^= Self.mark(ofTag: tag)
        if isThere { removeTag(tag, from: recipe) } else { tags[tag].recipes.append(recipe) }
        return [
            SyncChange(
                type: isThere ? .removeFromMany : .addToMany, entity: "Tag", objectSyncID: tags[tag].id.text,
                key: "recipes",
                relatedEntity: "Recipe", changedRelationships: .string(self.recipe(recipe).id.text),
                timestamp: time)
        ]
    }

    private mutating func removeTag(_ tag: Int, from recipe: UInt32) {
        guard let place = tags[tag].recipes.firstIndex(of: recipe) else { return }
        tags[tag].recipes.remove(at: place)
    }

    private mutating func moveIngredient(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let ingredient = random.element(of: ingredients), let recipe = random.element(of: recipes)
        else { return [] }
        remove(ingredient)
        return [add(ingredient, to: recipe, at: time)]
    }

    private mutating func deleteRecipe(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let place = random.element(of: recipes.indices) else { return [] }
        let number = recipes.remove(at: place)
        let recipe = recipe(number)
        let parts = parts(of: number).sorted { ingredient($0).id < ingredient($1).id }
        for part in parts { ingredients.remove(part, of: allIngredients) }
        for tag in tags.indices where recipe.has(tag: tag) { removeTag(tag, from: number) }
        let deleted = parts.map { ("Ingredient", ingredient($0).id) } + [("Recipe", recipe.id)]
        return deleted.map { entity, id in
            SyncChange(type: .delete, entity: entity, objectSyncID: id.text, timestamp: time)
        }
    }
}

/// The values of the attributes, except the sync ID.
extension DemonstrationDocument {
    func attributes(ofRecipe number: UInt32) -> [String: ArchivedValue] {
        let recipe = recipe(number)
        let title = Self.titles[Int(recipe.title)] + (recipe.edit == 0 ? "" : "(\(recipe.edit))")
        let photo = recipe.photo.map { photo in
            var random = photo
            return ArchivedValue.data(Self.photo(&random))
        }
        return [
            "title": .string(title), "created": .date(recipe.created),
            "isFavorite": .integer(recipe.isFavorite ? 1 : 0), "servings": .integer(Int128(recipe.servings)),
            "steps": .string(Self.steps + (recipe.isSalted ? " Taste, and add salt." : "")),
            "photo": photo ?? .null,
        ]
    }

    func attributes(ofIngredient number: UInt32) -> [String: ArchivedValue] {
        let ingredient = ingredient(number)
        let amount = ArchivedDecimal(mantissa: UInt128(ingredient.amount), exponent: -1, isNegative: false)
        return ["name": .string(Self.ingredients[Int(ingredient.name)]), "amount": .decimal(amount)]
    }

    private static func photo(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static let tagNames = ["quick", "vegetarian", "Süßes", "日本", "for guests"]
    private static let titles = [
        "Bread soup", "Käsespätzle", "Miso ramen", "Lentil stew", "Crème brûlée", "Apple pie", "Ćevapi",
        "Okonomiyaki",
    ]
    private static let ingredients = [
        "flour", "butter", "eggs", "salt", "lentils", "miso", "Zwiebeln", "apples", "cream",
    ]
    private static let steps = "Mix everything, let it rest for half an hour, then bake until golden."
}

/// Numbers of ingredients in the order of their identifiers, grouped by the first two digits of these, so that an
/// insertion moves few others.
struct SortedIngredients: RandomAccessCollection {
    private var groups = [[UInt32]](repeating: [], count: 256)
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> UInt32 {
        var (group, rest) = (0, position)
        while rest >= groups[group].count {
            rest -= groups[group].count
            group += 1
        }
        return groups[group][rest]
    }

    /// - Parameter all: the ingredients by their numbers.
    mutating func insert(_ ingredient: UInt32, of all: [DemonstrationDocument.Ingredient]) {
        let (group, place) = place(of: ingredient, of: all)
        groups[group].insert(ingredient, at: place)
        count += 1
    }

    /// - Parameter all: the ingredients by their numbers.
    mutating func remove(_ ingredient: UInt32, of all: [DemonstrationDocument.Ingredient]) {
        let (group, place) = place(of: ingredient, of: all)
        guard place < groups[group].count, groups[group][place] == ingredient else { return }
        groups[group].remove(at: place)
        count -= 1
    }

    /// The group of an ingredient, and the first place in it whose identifier is not before its own.
    private func place(
        of ingredient: UInt32, of all: [DemonstrationDocument.Ingredient]
    ) -> (group: Int, place: Int) {
        let wanted = all[Int(ingredient)].id
        let group = Int(wanted.start)
        return (group, groups[group].endOfPrefix { all[Int($0)].id < wanted })
    }
}
