import Base
package import SystemCalls
package import TICDSCore

/// Times as a storage with coarser times keeps them.
extension FileTime {
    /// The latest multiple of `step` nanoseconds that is not later.
    package func rounded(downTo step: Int64) -> FileTime {
        let second: Int64 = 1_000_000_000
        guard step >= second else {
            let rest = Int64(nanoseconds) % max(step, 1)
            return FileTime(seconds: seconds, nanoseconds: Int32(clamping: Int64(nanoseconds) - rest))
        }
        let length = step / second
        let rest = seconds % length
        return FileTime(seconds: seconds -| (rest < 0 ? rest +| length : rest))
    }

    /// Whether a storage with times of `step` nanoseconds can have rounded `time` to this time.
    package func isRounding(of time: FileTime, to step: Int64) -> Bool {
        let held = time.rounded(downTo: step)
        let next = held.adding(seconds: max(1, step / 1_000_000_000))
        return self == time || self == held || (step >= 1_000_000_000 && self == next)
    }
}

/// The change sets of one document, whose order may change when a storage rounds times.
package struct TimedSets {
    /// The names of the sets, each with its time before and after it is stored.
    private var sets: [(name: RemoteName, time: FileTime, held: FileTime)] = []
    private let step: Int64

    /// - Parameter step: the smallest difference of two times in nanoseconds.
    package init(step: Int64) { self.step = step }

    /// Adds a set that will be stored, or one that is already there and keeps its time.
    package mutating func add(_ name: RemoteName, _ time: FileTime) {
        sets.append((name, time, time.rounded(downTo: step)))
    }

    /// A set whose place in the order changes; nil if all stay in order (ticds-remote-format(5), 3.5): by time, then by
    /// identifier.
    package var misplaced: RemoteName? {
        let exact = sets.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
        // Rounding down never exchanges two times, so only sets that are neighbours afterwards can change places.
        return zip(exact, exact.dropFirst()).first { $0.held == $1.held && $1.name < $0.name }?.1.name
    }
}

extension RemoteTree {
    /// A change set that clients would apply in a different place if all times were rounded down to `step` nanoseconds;
    /// nil if there is none.
    package func setMisplaced(byRoundingTo step: Int64) throws(FileProblem) -> RemotePath? {
        for document in try listing([RemoteLayout.documents]).whole where document.kind == .folder {
            let clients: RemotePath = [RemoteLayout.documents, document.name, RemoteLayout.syncChanges]
            var sets = TimedSets(step: step)
            var places: [RemoteName: RemotePath] = [:]
            for client in try listing(clients).whole where client.kind == .folder {
                let folder = clients.appending(client.name)
                for set in try listing(folder).whole where set.kind == .file {
                    sets.add(set.name, set.modified)
                    places[set.name] = folder.appending(set.name)
                }
            }
            if let name = sets.misplaced { return places[name] ?? clients }
        }
        return nil
    }
}

extension RemotePath {
    /// The document, if this is the path of a change set; nil for any other path.
    package var documentOfSet: RemoteName? {
        names.count == 5 && names[0] == RemoteLayout.documents && names[2] == RemoteLayout.syncChanges
            ? names[1] : nil
    }
}
