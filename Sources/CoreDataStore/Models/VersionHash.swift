import Cryptography

extension ManagedObjectModel {
    /// The version hash of an entity, 32 bytes, as the metadata of a store has it
    /// (core-data-sqlite-store(5), 7.5).
    ///
    /// nil for an unknown name, and where the hash cannot be computed: see `versionHashObstacle(of:)`.
    /// The order in which several uniqueness constraints of one entity enter the hash is not proved.
    public func versionHash(of name: String) -> [UInt8]? {
        guard versionHashObstacle(of: name) == nil else { return nil }
        var above: [UInt8]?
        var properties: [(name: String, hash: [UInt8])] = []
        for entity in ancestry(of: name) {
            properties += entity.propertyHashes
            properties.sort { $0.name.precedesInCodePoints($1.name) }
            above = entity.versionHash(above: above, properties: properties.map(\.hash))
        }
        return above
    }

    /// Why an entity's hash cannot be computed; nil if it can, or if there is no such entity.
    ///
    /// The expression of a derived attribute enters the hash in an unknown way.
    public func versionHashObstacle(of name: String) -> String? {
        guard let derived = attributes(of: name).first(where: { $0.isDerived && !$0.isTransient }) else {
            return nil
        }
        return "the attribute “\(derived.name)” is derived: how its expression enters the hash is not known"
    }

    /// The hashes of all entities whose hash can be computed, abstract ones too.
    public var versionHashes: [String: [UInt8]] {
        entities.reduce(into: [:]) { hashes, entity in hashes[entity.name] = versionHash(of: entity.name) }
    }
}

extension EntityDescription {
    /// Hashes of the own properties that enter the entity's: transient and fetched ones do not.
    fileprivate var propertyHashes: [(name: String, hash: [UInt8])] {
        attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
            + relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash(declaredBy: name)) }
    }

    fileprivate func versionHash(above: [UInt8]?, properties: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        hash.update(text: name)
        hash.update([isAbstract ? 1 : 0])
        if let above { hash.update(above) }
        for property in properties { hash.update(property) }
        hash.update(text: versionHashModifier ?? "")
        for constraint in uniquenessConstraints { hash.update(text: constraint.joined(separator: ".")) }
        return hash.finalize()
    }
}

extension AttributeDescription {
    fileprivate var versionHash: [UInt8] {
        var hash = SHA256()
        hash.update(
            propertyHash(
                name: name, optional: isOptional, transient: isTransient, readOnly: isReadOnly,
                modifier: versionHashModifier))
        hash.update(number: UInt32(clamping: type.rawValue))
        if allowsExternalStorage { hash.update([1]) }
        if preservesValueInHistory { hash.update([1]) }
        return hash.finalize()
    }
}

extension RelationshipDescription {
    /// The name of the inverse is left out where the relationship is its own inverse.
    fileprivate func versionHash(declaredBy entity: String) -> [UInt8] {
        var hash = SHA256()
        hash.update(
            propertyHash(
                name: name, optional: isOptional, transient: isTransient, readOnly: isReadOnly,
                modifier: versionHashModifier))
        hash.update(text: destination)
        if let inverse, (inverse, destination) != (name, entity) { hash.update(text: inverse) }
        hash.update(number: UInt32(clamping: maxCount))
        hash.update(number: UInt32(clamping: minCount))
        if isOrdered { hash.update(number: UInt16(1)) }
        return hash.finalize()
    }
}

/// The part that attributes and relationships share.
private func propertyHash(
    name: String, optional: Bool, transient: Bool, readOnly: Bool, modifier: String?
) -> [UInt8] {
    var hash = SHA256()
    hash.update(text: name)
    // bounded: constants
    hash.update(number: UInt16(optional ? 1 : 0) | UInt16(transient ? 2 : 0) | UInt16(readOnly ? 4 : 0))
    hash.update(text: modifier ?? "")
    return hash.finalize()
}

extension SHA256 {
    fileprivate mutating func update(text: String) { update(Array(text.utf8)) }

    fileprivate mutating func update<Number: FixedWidthInteger>(number: Number) {
        withUnsafeBytes(of: number.littleEndian) { update($0) }
    }
}
