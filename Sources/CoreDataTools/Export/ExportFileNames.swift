/// The names of the CSV files of entities in the folder of an export.
public struct ExportFileNames {
    private var taken: Set<String> = []

    /// No names.
    public init() {}

    /// The name of the file of a further entity.
    public mutating func next(_ entity: String) -> String {
        let safe = String(entity.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        let stem = safe.hasPrefix(".") || safe.isEmpty ? "_" + safe : safe
        var name = stem + ".csv"
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(stem)_\(number).csv"
        }
        return name
    }
}
