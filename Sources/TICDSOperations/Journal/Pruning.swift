import Base
public import SystemCalls
import SystemPackage
import TICDSCore

/// Empties the trash of old operations. They can then no longer be undone.
public enum Pruning {
    /// - Parameters:
    ///   - olderThan: seconds; the trash of operations that ended at least this long ago is removed.
    ///   - largerThan: bytes for the whole trash; the trash of the oldest operations beyond is removed.
    /// - Returns: the operations whose trash was removed, or with `isDryRun` would be, oldest first.
    public static func prune(
        _ state: RemoteState, olderThan: Int64?, largerThan: Int64?, isDryRun: Bool, lockWait: Int64 = 0
    ) throws(FileProblem) -> [OperationRecord] {
        guard try PrivateDirectory.exists(state.journal) else { return [] }
        let lock = try StateLock(
            state, command: "ticds-journal prune", until: Deadline(seconds: lockWait))
        let journal = try Journal.open(state)
        let chosen = choose(try journal.operations(), olderThan, largerThan, now: .now)
        if !isDryRun, !chosen.isEmpty {
            try state.makeInnerTrash()
            for operation in chosen {
                try journal.emptyTrash(of: operation.number)
                let folder = state.trash(of: operation.number)
                guard try FileStatus.ifPresent(folder) != nil else { continue }
                try PrivateDirectory.remove(
                    FilePath("\(operation.number)"), in: OwnedDescriptor.folder(state.trash))
            }
        }
        _ = consume lock
        return chosen
    }

    /// - Parameter operations: newest first.
    static func choose(
        _ operations: [OperationRecord], _ olderThan: Int64?, _ largerThan: Int64?, now: FileTime
    ) -> [OperationRecord] {
        var total: Int64 = 0
        var chosen: [OperationRecord] = []
        for operation in operations where operation.trash.count > 0 && !operation.isUnfinished {
            total +|= operation.trash.bytes
            let age = now.seconds(since: operation.finished ?? operation.started)
            let isOld = olderThan.map { age >= $0 } ?? false
            let isTooMuch = largerThan.map { total > $0 } ?? false
            if isOld || isTooMuch { chosen.append(operation) }
        }
        return chosen.reversed()
    }
}
