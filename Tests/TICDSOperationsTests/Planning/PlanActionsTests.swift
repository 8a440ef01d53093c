import FoundationEssentials
import SystemCalls
import TestSupport
import Testing

@testable import TICDSCore
@testable import TICDSOperations

/// Actions that are stored packed are the actions that were added.
@Suite struct PlanActionsTests {
    private static func state(_ random: inout RandomNumbers) -> EntryState {
        let modified = FileTime(
            seconds: Int64.random(in: -9...9_000_000_000, using: &random),
            nanoseconds: Int32.random(in: 0...999_999_999, using: &random))
        let size = Int64.random(in: 0...5_000_000_000, using: &random)
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: EntryState(kind: .folder, size: size, modified: nil, files: 3, listing: "00")
        case 1: EntryState(kind: .symbolicLink, size: size, modified: modified)
        case 2: EntryState(kind: .file, size: size, modified: nil)
        default: EntryState(kind: .file, size: size, modified: modified)
        }
    }

    private static func action(_ random: inout RandomNumbers) -> PlanAction {
        let folders: [RemotePath] = [.root, ["Documents", "a"], ["Documents", "a", "SyncChanges", "b"]]
        let folder = folders[Int.random(in: folders.indices, using: &random)]
        let number = Int.random(in: 0..<50, using: &random)
        let path = folder.appending(RemoteName("0384088233.12345\(number % 10)-ABCDEF0123456789\(number)"))
        let (one, other) = (state(&random), state(&random))
        let reasons = [nil, "one reason", "another reason"]
        let reason = reasons[Int.random(in: reasons.indices, using: &random)]
        let kind: PlanAction.Kind =
            switch Int.random(in: 0..<9, using: &random) {
            case 0: .makeFolder(path: path)
            case 1: .setTime(path: path, modified: FileTime(seconds: 1), seen: one)
            case 2:
                .replaceFile(
                    path: path, content: .recoded(from: path, seen: one), modified: other.modified, seen: one)
            case 3:
                .replaceFile(
                    path: path, content: .recoded(from: path, seen: other), modified: one.modified, seen: one)
            case 4:
                .replaceFile(
                    path: path, content: .recoded(from: .root, seen: one), modified: one.modified, seen: one)
            case 5, 6:
                .replaceFile(
                    path: path, content: .recoded(from: path, seen: one), modified: one.modified, seen: one)
            case 7: .moveToTrash(path: .root, seen: one)
            default: .moveToTrash(path: path, seen: one)
            }
        return PlanAction(kind, reason: reason)
    }

    @Test func packedActionsAreThoseThatWereAdded() throws {
        var random = RandomNumbers(38)
        let array = (0..<2_000).map { _ in Self.action(&random) }
        var actions = PlanActions(array)
        #expect(actions.elementsEqual(array))
        #expect(actions == PlanActions(array.reversed().reversed()))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        #expect(try encoder.encode(actions) == encoder.encode(array))
        #expect(try JSONDecoder().decode(PlanActions.self, from: JSONEncoder().encode(array)) == actions)
        #expect(actions.hashValue == PlanActions(array).hashValue)

        var changed = array
        for _ in 0..<200 {
            let position = Int.random(in: changed.indices, using: &random)
            let new = Self.action(&random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                actions[position] = new
                changed[position] = new
            case 1:
                actions.insert(new, at: position)
                changed.insert(new, at: position)
            case 2:
                actions.remove(at: position)
                changed.remove(at: position)
            default:
                actions.append(contentsOf: [new, new])
                changed.append(contentsOf: [new, new])
            }
        }
        actions.sort { $0.kind.path < $1.kind.path }
        changed.sort { $0.kind.path < $1.kind.path }
        #expect(actions.elementsEqual(changed))
        #expect(actions != PlanActions(array))
    }

    @Test func stepsHaveTheStatesThatWereMade() {
        var random = RandomNumbers(39)
        let steps = (0..<500).map { number in
            JournaledStep(
                action: Self.action(&random), made: number % 3 == 0 ? nil : Self.state(&random),
                hasTrash: number > 100 && number % 2 == 0)
        }
        var packed = JournaledSteps()
        for step in steps { packed.append(step) }
        #expect(packed.count == steps.count)
        for (one, other) in zip(packed, steps) {
            #expect(one.action == other.action && one.made == other.made && one.hasTrash == other.hasTrash)
        }
        var made = MadeStates()
        for (number, step) in steps.enumerated().reversed() { made[number] = step.made }
        var found: [Int: EntryState] = [:]
        made.forEach { found[$0] = $1 }
        #expect(found == steps.enumerated().reduce(into: [:]) { $0[$1.offset] = $1.element.made })
        made[1] = nil
        #expect(made[1] == nil && made[2] == steps[2].made)
    }
}
