import Base
import Cryptography

extension ManagedObjectModel {
    /// The version hash of an entity: 32 bytes, as in the metadata of a store (core-data-sqlite-store(5), 7.5).
    ///
    /// It is nil for an unknown entity, and if it cannot be computed: see `versionHashObstacle(of:)`.
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

    /// The reason why the hash of an entity cannot be computed; nil if it can, or for an unknown entity. The effect of
    /// the expression of a derived attribute on the hash is unknown.
    public func versionHashObstacle(of name: String) -> String? {
        if let unread = ancestry(of: name).flatMap(\.unreadProperties).first {
            return "the property “\(unread.name)” of the model cannot be read"
        }
        let stored = attributes(of: name).filter { !$0.isTransient }
        if let composite = stored.first(where: { $0.type == .composite && !$0.hasHashedElements }) {
            return composite.elements.isEmpty
                ? "the attribute “\(composite.name)” is composite, and the model does not name its elements"
                : "the attribute “\(composite.name)” is composite: how such elements enter the hash is not known"
        }
        guard let derived = stored.first(where: \.isDerived) else { return nil }
        return "the attribute “\(derived.name)” is derived: how its expression enters the hash is not known"
    }

    /// `NSStoreModelVersionChecksumKey` of a store of this model, in base64; nil if a hash cannot be computed.
    public var versionChecksum: String? {
        let hashes = versionHashes
        return hashes.count == entities.count ? CoreDataStore.versionChecksum(of: hashes) : nil
    }

    /// The hashes of all entities whose hash can be computed, including abstract ones.
    public var versionHashes: [String: [UInt8]] {
        entities.reduce(into: [:]) { hashes, entity in hashes[entity.name] = versionHash(of: entity.name) }
    }
}

extension EntityDescription {
    /// The hashes of the properties that the entity declares, except transient and fetched ones.
    fileprivate var propertyHashes: [(name: String, hash: [UInt8])] {
        attributes.filter { !$0.isTransient }.map { ($0.name, $0.versionHash) }
            + relationships.filter { !$0.isTransient }.map { ($0.name, $0.versionHash(declaredBy: name)) }
    }

    fileprivate func versionHash(above: [UInt8]?, properties: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: name)
        bytes.append(isAbstract ? 1 : 0)
        if let above { bytes += above }
        for property in properties { bytes += property }
        bytes.append(text: versionHashModifier ?? "")
        // The names of a constraint in written order, the constraints sorted.
        let constraints = uniquenessConstraints.map { $0.joined(separator: ".") }
        for text in constraints.sorted(by: { $0.precedesInCodePoints($1) }) { bytes.append(text: text) }
        return SHA256.hash(bytes)
    }
}

extension AttributeDescription {
    /// Whether a composite attribute is of the kind whose hash is known: with elements that are stored as they are, and
    /// without a modifier.
    fileprivate var hasHashedElements: Bool {
        !elements.isEmpty && versionHashModifier == nil
            && elements.allSatisfy { !$0.isTransient && !$0.isDerived && $0.type != .composite }
    }

    /// The hash of a composite attribute depends only on its elements, not on its own name and flags.
    fileprivate var versionHash: [UInt8] {
        var bytes: [UInt8] = []
        if type == .composite {
            for element in elements.sorted(by: { $0.name.precedesInCodePoints($1.name) }) {
                bytes += element.versionHash
            }
            return SHA256.hash(bytes)
        }
        bytes += propertyHash(
            name: name, optional: isOptional, transient: isTransient, readOnly: isReadOnly,
            modifier: versionHashModifier)
        bytes.append(number: UInt32(clamping: type.rawValue))
        if allowsExternalStorage { bytes.append(1) }
        if preservesValueInHistory { bytes.append(1) }
        return SHA256.hash(bytes)
    }
}

extension RelationshipDescription {
    /// The hash of a relationship. It omits the inverse if the relationship is its own inverse.
    fileprivate func versionHash(declaredBy entity: String) -> [UInt8] {
        var bytes = propertyHash(
            name: name, optional: isOptional, transient: isTransient, readOnly: isReadOnly,
            modifier: versionHashModifier)
        bytes.append(text: destination)
        if let inverse, (inverse, destination) != (name, entity) { bytes.append(text: inverse) }
        bytes.append(number: UInt32(truncatingIfNeeded: maxCount))
        bytes.append(number: UInt32(clamping: minCount))
        if isOrdered { bytes.append(number: UInt16(1)) }
        return SHA256.hash(bytes)
    }
}

/// The part that attributes and relationships have in common.
private func propertyHash(
    name: String, optional: Bool, transient: Bool, readOnly: Bool, modifier: String?
) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text: name)
    // bounded: constants
    bytes.append(number: UInt16(optional ? 1 : 0) | UInt16(transient ? 2 : 0) | UInt16(readOnly ? 4 : 0))
    bytes.append(text: modifier ?? "")
    return SHA256.hash(bytes)
}

extension [UInt8] {
    fileprivate mutating func append(text: String) { self += text.utf8 }

    fileprivate mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// `NSStoreModelVersionChecksumKey` in the metadata of newer stores: SHA-256 of the version hashes in base64
/// (core-data-sqlite-store(5), 1.1).
func versionChecksum(of hashes: [String: [UInt8]]) -> String {
    var bytes: [UInt8] = []
    for (_, hash) in hashes.sorted(by: { $0.key.precedesInCodePoints($1.key) }) { bytes += hash }
    return Base64.text(SHA256.hash(bytes))
}
