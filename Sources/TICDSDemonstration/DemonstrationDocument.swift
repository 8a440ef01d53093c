import Base
import KeyedArchive
import TICDSCore

/// A document while its clients edit it; edits return sync changes (ticds-remote-format(5), 3.3).
struct DemonstrationDocument {
    struct Object {
        var entity: String
        var attributes: [String: ArchivedValue]
        /// Sync IDs of related objects by relationship: the recipe of an ingredient, the recipes of a tag.
        var related: [String: [String]] = [:]
    }

    private(set) var objects: [String: Object] = [:]
    private(set) var recipes: [String] = []
    private(set) var tags: [String] = []
    private var ingredients = SortedIdentifiers()
    /// The ingredients of each recipe.
    private var parts: [String: Set<String>] = [:]
    /// The tags of each recipe that has any.
    private var tagsOfRecipes: [String: Set<String>] = [:]
    /// A number in edited texts, so that each differs.
    private var edits = 0

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
        let id = random.identifier()
        tags.append(id)
        return insert("Tag", id, ["name": .string(name)], at: time)
    }

    private mutating func insertRecipe(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        let id = random.identifier()
        let title = random.element(of: Self.titles) ?? ""
        var attributes: [String: ArchivedValue] = [
            "title": .string(title), "created": .date(time.rounded()), "isFavorite": .integer(0),
            "servings": .integer(Int128(Int.random(in: 1...8, using: &random))), "steps": .string(Self.steps),
        ]
        if Int.random(in: 0..<5, using: &random) == 0 {
            attributes["photo"] = .data((0..<600).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        recipes.append(id)
        var changes = [insert("Recipe", id, attributes, at: time)]
        for name in Self.ingredients.shuffled(using: &random).prefix(3) {
            let ingredient = random.identifier()
            ingredients.insert(ingredient)
            let amount = ArchivedDecimal(
                mantissa: UInt128(Int.random(in: 5...5000, using: &random)), exponent: -1, isNegative: false)
            changes.append(
                insert(
                    "Ingredient", ingredient, ["name": .string(name), "amount": .decimal(amount)],
                    at: time + 1))
            changes.append(setRecipe(of: ingredient, to: id, at: time + 1))
        }
        return changes
    }

    private mutating func insert(
        _ entity: String, _ id: String, _ attributes: [String: ArchivedValue], at time: Double
    ) -> SyncChange {
        var all = attributes
        all["ticdsSyncID"] = .string(id)
        objects[id] = Object(entity: entity, attributes: all)
        let pairs = all.sorted { $0.key < $1.key }.map { ArchivedPair(key: .string($0.key), value: $0.value) }
        return SyncChange(
            type: .insert, entity: entity, objectSyncID: id, changedAttributes: .dictionary(pairs),
            timestamp: time)
    }

    private mutating func setRecipe(of ingredient: String, to recipe: String?, at time: Double) -> SyncChange
    {
        for former in objects[ingredient]?.related["recipe"] ?? [] { parts[former]?.remove(ingredient) }
        if let recipe { parts[recipe, default: []].insert(ingredient) }
        objects[ingredient]?.related["recipe"] = recipe.map { [$0] } ?? []
        return SyncChange(
            type: .toOne, entity: "Ingredient", objectSyncID: ingredient, key: "recipe",
            relatedEntity: "Recipe",
            changedRelationships: recipe.map { .string($0) } ?? .null, timestamp: time)
    }

    private mutating func changeAttribute(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let id = random.element(of: recipes), let old = objects[id]?.attributes["title"]?.stringValue
        else { return [] }
        edits += 1
        let choices: [(String, ArchivedValue)] = [
            ("title", .string(old.prefix { $0 != "(" } + "(\(edits))")),
            ("servings", .integer(Int128(Int.random(in: 1...12, using: &random)))),
            ("isFavorite", .integer(Int128(Int.random(in: 0...1, using: &random)))),
            ("steps", .string(Self.steps + " Taste, and add salt.")), ("photo", .null),
        ]
        guard let (key, value) = random.element(of: choices) else { return [] }
        objects[id]?.attributes[key] = value
        return [
            SyncChange(
                type: .attribute, entity: "Recipe", objectSyncID: id, key: key, changedAttributes: value,
                timestamp: time)
        ]
    }

    /// Adds or removes a tag. Many-to-many relationships are recorded on the side that sorts first: `recipes`.
    private mutating func tag(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let tag = random.element(of: tags), let recipe = random.element(of: recipes) else { return [] }
        let isThere = tagsOfRecipes[recipe]?.remove(tag) != nil
        if isThere {
            objects[tag]?.related["recipes"]?.removeAll { $0 == recipe }
        } else {
            tagsOfRecipes[recipe, default: []].insert(tag)
            objects[tag]?.related["recipes", default: []].append(recipe)
        }
        return [
            SyncChange(
                type: isThere ? .removeFromMany : .addToMany, entity: "Tag", objectSyncID: tag,
                key: "recipes",
                relatedEntity: "Recipe", changedRelationships: .string(recipe), timestamp: time)
        ]
    }

    private mutating func moveIngredient(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let ingredient = random.element(of: ingredients), let recipe = random.element(of: recipes)
        else { return [] }
        return [setRecipe(of: ingredient, to: recipe, at: time)]
    }

    private mutating func deleteRecipe(at time: Double, _ random: inout SeededGenerator) -> [SyncChange] {
        guard let place = random.element(of: recipes.indices) else { return [] }
        let recipe = recipes.remove(at: place)
        let parts = parts.removeValue(forKey: recipe)?.sorted() ?? []
        for ingredient in parts { ingredients.remove(ingredient) }
        for tag in tagsOfRecipes.removeValue(forKey: recipe) ?? [] {
            objects[tag]?.related["recipes"]?.removeAll { $0 == recipe }
        }
        return (parts + [recipe]).compactMap { id in
            objects.removeValue(forKey: id).map { object in
                SyncChange(type: .delete, entity: object.entity, objectSyncID: id, timestamp: time)
            }
        }
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

/// Identifiers in the order of their text, grouped by their first two digits, so that an insertion moves few others.
private struct SortedIdentifiers: RandomAccessCollection {
    private var groups = [[String]](repeating: [], count: 256)
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> String {
        var rest = position
        for group in groups {
            if rest < group.count { return group[rest] }
            rest -= group.count
        }
        preconditionFailure("no identifier at \(position)")
    }

    mutating func insert(_ identifier: String) {
        let group = Self.group(of: identifier)
        groups[group].insert(identifier, at: place(of: identifier, in: group))
        count += 1
    }

    mutating func remove(_ identifier: String) {
        let group = Self.group(of: identifier)
        let place = place(of: identifier, in: group)
        guard place < groups[group].count, groups[group][place] == identifier else { return }
        groups[group].remove(at: place)
        count -= 1
    }

    /// The first place in a group whose identifier is not before this one.
    private func place(of identifier: String, in group: Int) -> Int {
        groups[group].endOfPrefix { $0 < identifier }
    }

    private static func group(of identifier: String) -> Int { Int(identifier.prefix(2), radix: 16) ?? 0 }
}
