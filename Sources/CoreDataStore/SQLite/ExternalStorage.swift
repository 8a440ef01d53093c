import KeyedArchive
import SystemCalls
import SystemPackage

/// External binary data: values in files beside the store (core-data-sqlite-store(5), 2.4).
struct ExternalStorage: Sendable {
    let store: FilePath

    /// The class of the object that represents a value whose file does not exist.
    static let className = "ExternalData"

    /// Decodes a column of an attribute with external storage. A missing file becomes an object of class "ExternalData"
    /// with the name of the file in the field `uuid`. Nil if the bytes have neither form.
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

    /// The content of `.<store>_SUPPORT/_EXTERNAL_DATA/<UUID>`; no part of the path may be a link.
    private func bytes(_ uuid: ArchivedUUID) throws(FileProblem) -> SharedBytes {
        let data = try OwnedDescriptor.folder(store.parent).folder(support).folder("_EXTERNAL_DATA")
        return try data.file(FilePath(uuid.description)).bytes(limit: .externalData)
    }

    private var support: FilePath { FilePath(".\(store.stem ?? "")_SUPPORT") }

    /// Whether a path is in the folder of external data.
    func holds(_ path: FilePath) -> Bool { path.starts(with: store.parent.pushing(support)) }
}
