import CoreDataStore

/// Differences between two versions of an attribute or relationship, each with its effect on a lightweight migration.
struct PropertyChanges {
    /// A difference, and whether the objects of a store decide on it.
    typealias Change = (effect: ModelDifference.Effect, text: String, isDecidedByObjects: Bool)

    private(set) var found: [Change] = []

    private mutating func note(
        _ effect: ModelDifference.Effect, _ text: @autoclosure () -> String, if differs: Bool,
        isDecidedByObjects: Bool = false
    ) {
        if differs { found.append((effect, text(), isDecidedByObjects)) }
    }

    init(_ before: AttributeDescription, _ after: AttributeDescription) {
        note(
            .impossible, "\(before.type.title) becomes \(after.type.title): values are not converted",
            if: before.type != after.type)
        let isNewlyRequired = before.isOptional && !after.isOptional
        note(
            .impossible, "becomes required and has no default value for objects without a value",
            if: isNewlyRequired && after.defaultValue == nil, isDecidedByObjects: true)
        note(
            .inferred, "becomes required: objects without a value get the default value",
            if: isNewlyRequired && after.defaultValue != nil)
        note(.inferred, "becomes optional", if: !before.isOptional && after.isOptional)
        note(
            .inferred, "external storage is \(after.allowsExternalStorage ? "allowed" : "not allowed")",
            if: before.allowsExternalStorage != after.allowsExternalStorage)
        note(
            .inferred, after.isDerived ? "becomes derived" : "is no longer derived",
            if: before.isDerived != after.isDerived)
        note(
            .inferred, "another version hash: values are copied as they are",
            if: before.preservesValueInHistory != after.preservesValueInHistory
                || before.isReadOnly != after.isReadOnly
                || before.versionHashModifier ?? "" != after.versionHashModifier ?? "")
        note(
            .conditional, "other elements: values of those that are gone are lost",
            if: before.elements.map(\.hashed) != after.elements.map(\.hashed))
        note(
            .none, "another value transformer, which must read what the former wrote",
            if: before.valueTransformerName != after.valueTransformerName)
        note(.none, "another default value", if: before.defaultValue != after.defaultValue)
    }

    /// - Parameters:
    ///   - later: the names that entities of the old model have in the new one.
    ///   - formerInverse: the identifier of the inverse in the old model; `inverse` is the one in the new model.
    init(
        _ before: RelationshipDescription, _ after: RelationshipDescription, later: [String: String],
        _ formerInverse: String?, _ inverse: String?
    ) {
        note(
            .impossible, "leads to \(after.destination) instead of \(before.destination)",
            if: later[before.destination] != after.destination)
        note(.inferred, "becomes to-many", if: !before.isToMany && after.isToMany)
        note(
            .impossible, "becomes to-one: which object remains is not known",
            if: before.isToMany && !after.isToMany, isDecidedByObjects: true)
        let isToMany = before.isToMany && after.isToMany
        note(
            .inferred, after.isOrdered ? "becomes ordered" : "is no longer ordered",
            if: isToMany && before.isOrdered != after.isOrdered)
        note(
            .conditional, "becomes required: each object must have one",
            if: before.isOptional && !after.isOptional)
        note(.inferred, "becomes optional", if: !before.isOptional && after.isOptional)
        let isCounted = isToMany && (before.minCount, before.maxCount) != (after.minCount, after.maxCount)
        let isTighter =
            after.minCount > before.minCount
            || (after.maxCount > 0 && (before.maxCount <= 0 || after.maxCount < before.maxCount))
        note(
            .conditional, "another count, which each object must have", if: isCounted && isTighter)
        note(.inferred, "another count", if: isCounted && !isTighter)
        note(
            .inferred, "the inverse is \(after.inverse ?? "none") instead of \(before.inverse ?? "none")",
            if: formerInverse != inverse)
        note(
            .inferred, "another version hash: links are copied as they are",
            if: before.isReadOnly != after.isReadOnly
                || before.versionHashModifier ?? "" != after.versionHashModifier ?? "")
        note(
            .none, "the delete rule is \(after.deleteRule.sourceName)",
            if: before.deleteRule != after.deleteRule)
    }
}
