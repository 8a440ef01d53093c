import Base
import KeyedArchive

/// Equality by what is stored: numbers by their bits, text by its code units.
func isSame(_ one: ArchivedValue, _ other: ArchivedValue) -> Bool {
    switch (one, other) {
    case (.real(let one), .real(let other)), (.date(let one), .date(let other)):
        one.bitPattern == other.bitPattern || one.isNaN && other.isNaN
    case (.string(let one), .string(let other)), (.url(let one), .url(let other)):
        one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)), (.set(let one), .set(let other)),
        (.orderedSet(let one), .orderedSet(let other)):
        areSame(one, other)
    case (.dictionary(let one), .dictionary(let other)):
        areSame(one.map(\.key), other.map(\.key)) && areSame(one.map(\.value), other.map(\.value))
    case (.attributedString(let one), .attributedString(let other)):
        isSame(.string(one.string), .string(other.string)) && areSame(one.attributes, other.attributes)
            && one.runs == other.runs
    default: one == other
    }
}

private func areSame(_ one: [ArchivedValue], _ other: [ArchivedValue]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
}

/// True where an object of an unknown class is in the value: its fields need not be such as an archiver writes.
func holdsObject(_ value: ArchivedValue) -> Bool {
    switch value {
    case .object: true
    case .array(let members), .set(let members), .orderedSet(let members):
        members.contains(where: holdsObject)
    case .dictionary(let pairs): pairs.contains { holdsObject($0.key) || holdsObject($0.value) }
    case .attributedString(let text): text.attributes.contains(where: holdsObject)
    default: false
    }
}
