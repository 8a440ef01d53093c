import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

extension Journal {
    /// Records an operation before it makes anything; returns its number.
    func begin(
        _ plan: Plan, staging: FilePath, trashIsNear: Bool, keepsTrash: Bool, undoing: Int64?
    ) throws(FileProblem) -> Int64 {
        let taken = try newestTrash()
        return try transaction { (database) throws(SQLiteError) in
            // Above every folder in the trash, also if an older copy of the journal was restored.
            var insert = try database.prepare(
                """
                INSERT INTO operations (number, state, command, summary, notes, started, process, host, user, staging,
                    trash_is_near, keeps_trash, undoes, conditions)
                VALUES (1 + max(\(taken), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'operations'), 0)),
                    'preparing', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
                """)
            let texts = [plan.command, plan.summary, JournalCoding.text(plan.notes), FileTime.now.iso]
            for (position, text) in texts.enumerated() { try insert.bind(text, at: position + 1) }
            insert.bind(Int64(HostIdentity.process), at: 5)
            try insert.bind(HostIdentity.host, at: 6)
            try insert.bind(HostIdentity.user, at: 7)
            try insert.bind(staging.bytes, at: 8)
            insert.bind(trashIsNear ? 1 : 0, at: 9)
            insert.bind(keepsTrash ? 1 : 0, at: 10)
            insert.bind(undoing, at: 11)
            try insert.bind(JournalCoding.text(plan.conditions), at: 12)
            guard try insert.step(), let number = insert.integer(0) else { return 0 }
            _ = try insert.step()
            var rows = try database.prepare("INSERT INTO actions VALUES (?, ?, ?, NULL, 0, 0, 0)")
            for (position, action) in plan.actions.enumerated() {
                rows.bind(number, at: 1)
                rows.bind(Int64(position), at: 2)
                try rows.bind(JournalCoding.text(action), at: 3)
                try rows.run()
            }
            return number
        }
    }

    /// The highest number of a folder in the trash.
    private func newestTrash() throws(FileProblem) -> Int64 {
        let names = try DirectoryReader.names(in: try OwnedDescriptor.folder(state.trash))
        return names.compactMap { Int64($0.string) }.filter { (1..<1 << 53).contains($0) }.max() ?? 0
    }

    /// Records what was staged, and the times of the folders that change. After this the remote changes.
    func prepared(
        _ number: Int64, made: MadeStates, folderTimes: [RemotePath: FileTime]
    ) throws(FileProblem) {
        try transaction { (database) throws(SQLiteError) in
            var update = try database.prepare(
                "UPDATE actions SET made = ? WHERE operation = ? AND number = ?")
            try made.forEach { (position, state) throws(SQLiteError) in
                try update.bind(JournalCoding.text(state), at: 1)
                update.bind(number, at: 2)
                update.bind(Int64(position), at: 3)
                try update.run()
            }
            var insert = try database.prepare("INSERT INTO folder_times VALUES (?, ?, ?)")
            for (path, modified) in folderTimes {
                insert.bind(number, at: 1)
                try insert.bind(path.bytes, at: 2)
                try insert.bind(modified.iso, at: 3)
                try insert.run()
            }
            try database.execute("UPDATE operations SET state = 'running' WHERE number = \(number)")
        }
    }

    /// Records that an operation is being undone, and why.
    func rollingBack(_ number: Int64, because problem: String) throws(FileProblem) {
        try transaction { (database) throws(SQLiteError) in
            try Self.set(database, number, .rollingBack, problem: problem, isFinished: false)
        }
    }

    /// The largest number of characters of an error that are recorded. A full disk may have no room for more.
    private static let longestProblem = 1_000

    /// Records the end of an operation, with the files and bytes in its trash by action.
    func finish(
        _ number: Int64, _ end: OperationRecord.State,
        trash: some Sequence<(Int, FileTotals)> = [(Int, FileTotals)](), problem: String? = nil
    ) throws(FileProblem) {
        try transaction { (database) throws(SQLiteError) in
            var update = try database.prepare(
                """
                UPDATE actions SET in_trash = 1, trash_files = ?, trash_bytes = ?
                WHERE operation = ? AND number = ?
                """)
            for (position, totals) in trash {
                update.bind(Int64(totals.count), at: 1)
                update.bind(totals.bytes, at: 2)
                update.bind(number, at: 3)
                update.bind(Int64(position), at: 4)
                try update.run()
            }
            try Self.set(database, number, end, problem: problem, isFinished: true)
        }
    }

    /// Records that the trash of an operation is empty.
    func emptyTrash(of number: Int64) throws(FileProblem) {
        try transaction { (database) throws(SQLiteError) in
            try database.execute("\(Self.emptying) WHERE operation = \(number)")
        }
    }

    /// Records that places of the trash are empty.
    func emptyTrash(in places: [TrashPlace]) throws(FileProblem) {
        if places.isEmpty { return }
        try transaction { (database) throws(SQLiteError) in
            for place in places {
                try database.execute(
                    "\(Self.emptying) WHERE operation = \(place.operation) AND number = \(place.action)")
            }
        }
    }

    private static let emptying = "UPDATE actions SET in_trash = 0, trash_files = 0, trash_bytes = 0"

    private static func set(
        _ database: borrowing SQLiteConnection, _ number: Int64, _ state: OperationRecord.State,
        problem: String?, isFinished: Bool
    ) throws(SQLiteError) {
        if state == .rollingBack || state == .rolledBack { try release(database) }
        var update = try database.prepare(
            "UPDATE operations SET state = ?, finished = ?, problem = coalesce(?, problem) WHERE number = ?")
        try update.bind(state.rawValue, at: 1)
        if isFinished { try update.bind(FileTime.now.iso, at: 2) }
        if let problem { try update.bind(String(problem.prefix(longestProblem)), at: 3) }
        update.bind(number, at: 4)
        try update.run()
    }
}
