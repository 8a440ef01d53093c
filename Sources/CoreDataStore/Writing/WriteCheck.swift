import KeyedArchive
import SystemCalls
import SystemPackage

/// Checks whether a program other than Core Data may write to a store (core-data-sqlite-store(5), 4.3 and 4.4).
enum WriteCheck {
    /// Throws `.refused` with the reason.
    /// - Parameter pages: whether to check all pages of the database.
    /// - Returns: the model.
    static func check(
        _ opening: StoreOpening, _ model: ManagedObjectModel?, _ connection: borrowing SQLiteConnection,
        _ path: FilePath, pages: Bool
    ) throws(FileProblem) -> ManagedObjectModel {
        func refused(_ found: String, _ advice: String? = nil) -> FileProblem {
            FileProblem(.refused, path: path, "this store cannot be written to", found: found, advice: advice)
        }
        guard let model else {
            throw refused(
                "no model, neither in the store nor given",
                "Give the model of the app that the store was saved with")
        }
        guard opening.metadata.all != .none else { throw refused("no metadata, and so no version hashes") }
        if let problem = model.problemOfWriting { throw refused(problem) }
        let hashes = opening.metadata.versionHashes
        if let entity = opening.entities.named(by: model, hashes, opening.schema).renamed.first {
            throw refused("the former name “\(entity.storedName)” of the entity “\(entity.name)”")
        }
        do throws(SQLiteError) {
            if let found = try unsupportedPart(connection) { throw SQLiteError(code: -1, message: found) }
            guard pages, let complaint = try connection.quickCheck(limit: 1).first else { return model }
            throw SQLiteError(code: 11, message: complaint)
        } catch {
            throw error.code == -1 ? refused(error.message) : error.problem(with: path)
        }
    }

    /// A part of the database that only Core Data can keep consistent; nil if there is none.
    private static func unsupportedPart(
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> String? {
        var rows = try connection.prepare(
            "SELECT type, name FROM sqlite_master WHERE type = 'trigger' OR name IN "
                + "('ACHANGE', 'ATRANSACTION') OR name LIKE 'ANSCK%' OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1")
        guard try rows.step() else { return nil }
        let name = rows.text(1) ?? ""
        if rows.text(0) == "trigger" { return "the trigger “\(name)”, which needs Core Data itself" }
        if name == "ACHANGE" || name == "ATRANSACTION" {
            return "a persistent history, which would miss the changes"
        }
        return "the table “\(name)”, whose meaning is not known"
    }
}
