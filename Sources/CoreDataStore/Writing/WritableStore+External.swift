public import SystemCalls

extension WritableStore {
    /// The names of the files of external data that the store refers to (core-data-sqlite-store(5), 2.4). What this
    /// object writes lies in the store itself.
    public func externalFiles() throws(FileProblem) -> Set<String> {
        var names: Set<String> = []
        for entity in entities.all where model[entity.name]?.isAbstract == false {
            let writable = try writable(entity.name)
            for attribute in writable.attributes where attribute.description.allowsExternalStorage {
                let column = SQLiteName.quoted(attribute.column)
                try run { () throws(SQLiteError) in
                    var rows = try connection.prepare(
                        "SELECT CAST(substr(\(column), 2, 36) AS TEXT) FROM \(SQLiteName.quoted(writable.table.name)) "
                            + "WHERE Z_ENT = ?1 AND length(\(column)) = 38 AND substr(\(column), 1, 1) = x'02'"
                    )
                    rows.bind(Int64(entity.number), at: 1)
                    while try rows.step() {
                        guard let name = rows.text(0), !name.contains("/"), !name.hasPrefix(".") else {
                            continue
                        }
                        names.insert(name)
                    }
                }
            }
        }
        return names
    }
}
