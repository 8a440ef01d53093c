import Base
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// What a mount makes of the files of a remote and keeps on disk: states, histories and copies of stores. The oldest go
/// when there are too many.
final class StateCache: Sendable {
    /// The name of a kept thing.
    struct Key: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case objects, history, store, raw
        }

        let kind: Kind
        let path: RemotePath
        /// A number that changes with everything that the thing was made of.
        let fingerprint: Int
        /// The time before which a state is; nil for the newest.
        var until: FileTime?
    }

    /// The bytes on disk that are kept at most.
    private static let limit: Int64 = 2 << 30
    /// The bytes of memory that the kept things take at most, beside the one that was made last.
    private static let memoryLimit: Int64 = 24 << 20
    /// The number of things that are kept at most: each has two open files.
    private let mostThings = min(96, max(2, (DescriptorLimit.current - 40) / 4))

    private final class Slot: Sendable {
        let made = Mutex<Result<any KeptOnDisk, FileProblem>?>(nil)
        let lastUse = Atomic<Int>(0)
    }

    private let slots = Mutex<[Key: Slot]>([:])
    private let clock = Atomic<Int>(0)

    init() throws(FileProblem) {
        // The folder for temporary files must be usable before anybody looks.
        _ = try UnnamedFile()
    }

    /// The thing of a key, which `make` makes if it is not kept. Other things can be made at the same time.
    func get<Thing: KeptOnDisk>(
        _ key: Key, _ make: () throws(FileProblem) -> Thing
    ) throws(FileProblem) -> Thing {
        let slot = slots.withLock { slots in
            if let slot = slots[key] { return slot }
            let slot = Slot()
            slots[key] = slot
            return slot
        }
        slot.lastUse.store(clock.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
        let (result, isNew) = slot.made.withLock { made -> (Result<any KeptOnDisk, FileProblem>, Bool) in
            if let made { return (made, false) }
            let result = Result { () throws(FileProblem) -> any KeptOnDisk in try make() }
            // What cannot be read now may be readable later.
            if case .failure(var problem) = result, problem.isUnread || problem.kind == .missing {
                // It was listed: a part that is gone does not make the whole an absent file.
                if problem.kind == .missing { problem.kind = .unreadable }
                return (.failure(problem), false)
            }
            made = result
            return (result, true)
        }
        if isNew {
            removeOldest(but: key)
            // What made the thing has left pieces of memory between those that stay.
            FreedMemory.release()
        }
        if case .failure = result { removeUnmade(slot, key) }
        guard let thing = try result.get() as? Thing else {
            throw FileProblem(.unreadable, path: "cache", "was made for something else")
        }
        return thing
    }

    /// Removes a slot without a thing, which the next call makes again.
    private func removeUnmade(_ slot: Slot, _ key: Key) {
        let isEmpty = slot.made.withLockIfAvailable { made in made == nil }
        guard isEmpty == true else { return }
        slots.withLock { if $0[key] === slot { $0[key] = nil } }
    }

    private func removeOldest(but key: Key) {
        slots.withLock { slots in
            var made: [(key: Key, use: Int, size: Int64, memory: Int64)] = []
            for (key, slot) in slots {
                // A thing that is being made is not counted yet.
                let sizes = slot.made.withLockIfAvailable { made -> (size: Int64, memory: Int64)? in
                    switch made {
                    case .success(let thing): (thing.size, thing.memory)
                    case .failure: (0, 0)
                    case nil: nil
                    }
                }
                guard case let sizes?? = sizes else { continue }
                made.append((key, slot.lastUse.load(ordering: .relaxed), sizes.size, sizes.memory))
            }
            var total = made.reduce(0) { $0 +| $1.size }
            var memory = made.reduce(0) { $0 +| ($1.key == key ? 0 : $1.memory) }
            var count = made.count
            for old in made.sorted(by: { $0.use < $1.use })
            where old.key != key && (total > Self.limit || memory > Self.memoryLimit || count > mostThings) {
                slots[old.key] = nil
                total = total -| old.size
                memory = memory -| old.memory
                count -= 1
            }
        }
    }

    /// Removes everything.
    func removeAll() { slots.withLock { $0 = [:] } }
}

/// A thing in files without names, or in a private folder, that are removed with it.
protocol KeptOnDisk: Sendable {
    /// The bytes on disk.
    var size: Int64 { get }
    /// The bytes of memory that it takes, roughly.
    var memory: Int64 { get }
}

extension KeptOnDisk {
    /// Next to nothing.
    var memory: Int64 { 0 }
}

extension ObjectIndex: KeptOnDisk {}
