import KeyedArchive
import SystemCalls
import TestSupport
import Testing

@testable import TICDSCore

/// Differences that are found for one part of the objects after another.
@Suite struct DifferenceInPartsTests {
    private static let names = ["a", "b", "c"]

    private func changes(_ numbers: inout RandomNumbers) -> [SyncChange] {
        (0..<200).map { number in
            let type = [ChangeType.insert, .attribute, .toOne, .addToMany, .removeFromMany, .delete]
                .randomElement(using: &numbers)
            let object = Int.random(in: 0..<60, using: &numbers)
            let value = ArchivedValue.string(Self.names.randomElement(using: &numbers) ?? "")
            return SyncChange(
                type: type ?? .insert, entity: object % 2 == 0 ? "Note" : "Tag",
                objectSyncID: object == 0 ? nil : "\(object)",
                key: Self.names.randomElement(using: &numbers), relatedEntity: "Tag",
                changedAttributes: type == .insert ? .dictionary(["a": value, "b": .integer(1)]) : value,
                changedRelationships: value, timestamp: Double(number))
        }
    }

    @Test(arguments: [1, 2, 7, 100]) func partsGiveTheDifferencesOfTheWhole(_ parts: Int) throws {
        var numbers = RandomNumbers(UInt64(parts))
        for _ in 0..<20 {
            let (first, second) = (changes(&numbers), changes(&numbers))
            func effects(_ changes: [SyncChange], _ empty: ChangeEffects) -> ChangeEffects {
                var effects = empty
                for change in changes { effects.apply(change) }
                return effects
            }
            let whole = ChangeDifference.between(
                effects(first, ChangeEffects()), effects(second, ChangeEffects()))
            var calls = 0
            let found = try ChangeDifference.between(parts: parts) { (isFirst, empty) throws(FileProblem) in
                calls += 1
                return effects(isFirst ? first : second, empty)
            }
            #expect(found == whole)
            #expect(!whole.isEmpty && calls == 2 * parts)
        }
    }
}
