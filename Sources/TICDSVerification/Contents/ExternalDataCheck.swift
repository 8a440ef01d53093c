import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Finds large values of an SQLite store whose files are missing (core-data-sqlite-store(5), 2.4). The store contains a
/// reference of 38 bytes in place of such a value, which is recognised without a model.
enum ExternalDataCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        do throws(FileProblem) {
            guard try WholeStoreKind(ofPlain: place) == .sqlite else { return [] }
            return try missing(checked, place)
        } catch { return StoreContentsCheck.unopened(checked, error) }
    }

    private static func missing(_ checked: CheckedFile, _ place: FilePath) throws(FileProblem) -> [Finding] {
        let file = try SQLiteStoreFile(place)
        let connection = try file.connect()
        var missing = 0
        var first: String?
        do throws(SQLiteError) {
            for (table, column) in try columns(connection) {
                var rows = try connection.prepare(
                    """
                    SELECT substr(\(column), 2, 36) FROM \(table) NOT INDEXED WHERE typeof(\(column)) = 'blob'
                    AND length(\(column)) = 38 AND substr(\(column), 1, 1) = x'02'
                    AND substr(\(column), 38, 1) = x'00'
                    """)
                while try rows.step() {
                    let name = String(decoding: rows.blob(0) ?? [], as: UTF8.self)
                    if isThere(name, checked) { continue }
                    missing += 1
                    first = first ?? "\(name) in \(table)"
                }
            }
        } catch { throw file.problem(error) }
        guard missing > 0, let first else { return [] }
        let found = "\(counted(missing, "value")) without a file, first: \(first)"
        return [checked.finding(.externalDataMissing, expected: "the files of all values", found: found)]
    }

    /// The BLOB columns in the tables of entities; the names are quoted for SQL.
    private static func columns(
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [(table: String, column: String)] {
        try connection.rows(
            """
            SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND m.name GLOB 'Z*' AND m.name NOT GLOB 'Z[_]*' AND c.type = 'BLOB'
            """
        ) { row in
            guard let table = row.text(0), let column = row.text(1) else { return nil }
            return (SQLiteName.quoted(table), SQLiteName.quoted(column))
        }
    }

    /// Whether a value's file is beside the store or in the shared folder, or such a folder could not be listed.
    private static func isThere(_ name: String, _ checked: CheckedFile) -> Bool {
        guard ArchivedUUID(text: name) != nil else { return false }
        let snapshot = checked.context.snapshot
        return folders(of: checked.file.path).contains { folder in
            !snapshot.tree[folder.appending(RemoteName(name))].isMissing
        }
    }

    private static func folders(of store: RemotePath) -> [RemotePath] {
        let beside = [WholeStoreFolder.externalData(of: store)].compactMap(\.self)
        // Only a store in a folder shares its files; the path has document, WholeStore, client, folder and store.
        guard store.names.count > 5 else { return beside }
        return beside + [RemotePath(Array(store.names.prefix(3))).appending(RemoteLayout.sharedExternalData)]
    }
}
