import Base
import CoreDataStore
public import SystemCalls
import SystemPackage
import TICDSCore

extension Journal {
    /// All operations, newest first.
    public func operations() throws(FileProblem) -> [OperationRecord] { try records(where: "1") }

    /// Operations whose changes stand, newest first: done, and not undone, unless that was undone in turn.
    func standingOperations() throws(FileProblem) -> [OperationRecord] {
        var undone: Set<Int64> = []
        return try operations().filter { operation in
            guard operation.state == .done, !undone.contains(operation.number) else { return false }
            if let target = operation.undoes { undone.insert(target) }
            return true
        }
    }

    /// Operations that a process left unfinished when it ended, oldest first.
    func unfinished() throws(FileProblem) -> [OperationRecord] {
        try records(where: "state NOT IN ('done', 'rolledBack', 'left')").reversed()
    }

    /// - Throws: `.unknownName` if the journal has no such operation.
    public func operation(_ number: Int64) throws(FileProblem) -> OperationRecord {
        guard let record = try records(where: "o.number = \(number)").first else {
            throw FileProblem(
                .unknownName, path: state.journal, "there is no operation \(number) of this remote",
                advice: "See ticds-journal list")
        }
        return record
    }

    /// Whether the operation that a lock file names is one of this journal.
    func knows(_ operation: LockNote.Operation) throws(FileProblem) -> Bool {
        try perform { (database) throws(SQLiteError) in
            var statement = try database.prepare("SELECT staging FROM operations WHERE number = ?")
            statement.bind(operation.number, at: 1)
            guard try statement.step(), let staging = statement.blob(0) else { return false }
            return FilePath(pathBytes: staging).lastComponent?.string == operation.staging
        }
    }

    /// Whether an operation is unfinished, or not in this journal.
    package func isUnfinished(_ operation: LockNote.Operation) throws(FileProblem) -> Bool {
        guard try knows(operation) else { return true }
        return try self.operation(operation.number).isUnfinished
    }

    private func records(where condition: String) throws(FileProblem) -> [OperationRecord] {
        try perform { (database) throws(SQLiteError) in
            try database.rows(
                """
                SELECT o.number, state, command, summary, started, finished, process, host, user, undoes, problem,
                    (SELECT count(*) FROM actions a WHERE a.operation = o.number),
                    (SELECT total(trash_files) FROM actions a WHERE a.operation = o.number),
                    (SELECT total(trash_bytes) FROM actions a WHERE a.operation = o.number),
                    (SELECT max(u.number) FROM operations u WHERE u.undoes = o.number AND u.state = 'done')
                FROM operations o WHERE \(condition) ORDER BY o.number DESC
                """
            ) { OperationRecord($0) }
        }
    }

    /// The plan that an operation carried out.
    public func plan(of number: Int64) throws(FileProblem) -> Plan {
        let record = try operation(number)
        var plan = Plan(
            root: state.root, command: record.command, summary: record.summary,
            notes: try column("notes", of: number), actions: try steps(of: number).actions)
        plan.conditions = try conditions(of: number)
        return plan
    }

    /// The facts on which the plan of an operation depended.
    func conditions(of number: Int64) throws(FileProblem) -> [PlanCondition] {
        try column("conditions", of: number)
    }

    private func column<Value: Decodable>(_ name: String, of number: Int64) throws(FileProblem) -> Value {
        let text = try perform { (database) throws(SQLiteError) in
            var statement = try database.prepare("SELECT \(name) FROM operations WHERE number = \(number)")
            return try statement.step() ? statement.text(0) : nil
        }
        guard let value = JournalCoding.value(Value.self, text) else {
            throw FileProblem(
                .damaged, path: state.journal, "the \(name) of operation \(number) cannot be read",
                advice: "Copy the file, then look at it with sqlite3")
        }
        return value
    }

    /// The actions of an operation, with the state of what they made.
    func steps(of number: Int64) throws(FileProblem) -> JournaledSteps {
        let steps = try perform { (database) throws(SQLiteError) -> JournaledSteps? in
            var rows = try database.prepare(
                "SELECT action, made, in_trash FROM actions WHERE operation = \(number) ORDER BY number")
            var steps = JournaledSteps()
            while try rows.step() {
                guard let action = JournalCoding.value(PlanAction.self, rows.text(0)) else { return nil }
                steps.append(
                    JournaledStep(
                        action: action, made: JournalCoding.value(EntryState.self, rows.text(1)),
                        hasTrash: rows.integer(2) == 1))
            }
            return steps
        }
        guard let steps else {
            throw FileProblem(
                .damaged, path: state.journal, "an action of operation \(number) cannot be read",
                advice: "Look at the file with the sqlite3 program")
        }
        return steps
    }

    /// The staging folder of an operation, and how its trash works.
    func places(of number: Int64) throws(FileProblem) -> OperationPaths {
        let row = try perform { (database) throws(SQLiteError) in
            var statement = try database.prepare(
                "SELECT staging, trash_is_near, keeps_trash FROM operations WHERE number = \(number)")
            guard try statement.step() else { return nil as (staging: [UInt8], near: Bool, keeps: Bool)? }
            return (statement.blob(0) ?? [], statement.integer(1) == 1, statement.integer(2) == 1)
        }
        guard let row else {
            throw FileProblem(.damaged, path: state.journal, "operation \(number) is missing")
        }
        return OperationPaths(
            number: number, state: state,
            staging: try StagingLocation.found(FilePath(pathBytes: row.staging), state),
            trashIsNear: row.near, keepsTrash: row.keeps)
    }

    /// The times of folders before an operation changed what is in them.
    func folderTimes(of number: Int64) throws(FileProblem) -> [(path: RemotePath, modified: FileTime)] {
        try perform { (database) throws(SQLiteError) in
            try database.rows("SELECT path, modified FROM folder_times WHERE operation = \(number)") { row in
                guard let time = row.text(1).flatMap(FileTime.init(iso:)) else { return nil }
                let names = (row.blob(0) ?? []).split(separator: UInt8(ascii: "/"))
                return (RemotePath(names.map { RemoteName($0) }), time)
            }
        }
    }
}

extension OperationRecord {
    fileprivate init(_ row: borrowing SQLiteStatement) {
        number = row.integer(0) ?? 0
        state = row.text(1).flatMap(State.init(rawValue:)) ?? .running
        command = row.text(2) ?? ""
        summary = row.text(3) ?? ""
        started = row.text(4).flatMap(FileTime.init(iso:)) ?? FileTime(seconds: 0)
        finished = row.text(5).flatMap(FileTime.init(iso:))
        process = Int32(truncatingIfNeeded: row.integer(6) ?? 0)
        host = row.text(7) ?? ""
        user = row.text(8) ?? ""
        undoes = row.integer(9)
        problem = row.text(10)
        actions = Int(clamping: row.integer(11) ?? 0)
        trash = FileTotals(
            count: Int(saturating: row.real(12) ?? 0), bytes: Int64(saturating: row.real(13) ?? 0))
        undoneBy = row.integer(14)
    }
}
