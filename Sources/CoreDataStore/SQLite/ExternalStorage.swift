import KeyedArchive
import SystemCalls
import SystemPackage

/// Values of binary attributes that may lie in files of their own beside the store (core-data-sqlite-store(5), 2.4).
struct ExternalStorage: Sendable {
    let store: FilePath

    /// The class of the object that stands for a value whose file is missing.
    static let className = "ExternalData"

    /// The value of a column of such an attribute. One whose file is missing becomes an object of the class
    /// "ExternalData" with the file's name in the field `uuid`. Nil for bytes that are neither form.
    func value(_ column: [UInt8]) throws(FileProblem) -> ArchivedValue? {
        switch column.first {
        case 1: return .data(Array(column.dropFirst()))
        case 2:
            guard column.count == 38, column[37] == 0,
                let uuid = ArchivedUUID(text: String(decoding: column[1..<37], as: UTF8.self))
            else { return nil }
            do throws(FileProblem) {
                return .data(try bytes(uuid).array)
            } catch {
                guard error.kind == .missing else { throw error }
                return .object(
                    ArchivedObject(
                        className: Self.className, fields: [ArchivedField("uuid", .string(uuid.description))])
                )
            }
        default: return nil
        }
    }

    /// The bytes of `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`; no part of that may be a link to elsewhere.
    private func bytes(_ uuid: ArchivedUUID) throws(FileProblem) -> SharedBytes {
        let data = try OwnedDescriptor.folder(store.parent).folder(support).folder("_EXTERNAL_DATA")
        return try data.file(FilePath(uuid.description)).bytes(limit: .externalData)
    }

    private var support: FilePath { FilePath(".\(store.stem ?? "")_SUPPORT") }

    /// Whether a path is that of the file of a value, or of a folder of such files.
    func holds(_ path: FilePath) -> Bool { path.starts(with: store.parent.pushing(support)) }
}
