import Base

/// The value of an attribute as a file of an import has it, before the model tells its type.
enum ImportCell: Hashable {
    /// The file has no such column or field.
    case absent
    /// Nil.
    case null
    /// The text of a field, or a text of a database.
    case text(String)
    /// An integer of a database.
    case integer(Int64)
    /// A real number of a database.
    case real(Double)
    /// Bytes of a database.
    case data([UInt8])
    /// A value of a JSON document.
    case json([UInt8])
}

/// The cells of an object as bytes, for a scratch file.
enum ImportCells {
    static func bytes(_ cells: [ImportCell]) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            append(UInt64(content.count))
            bytes += content
        }
        func append(_ number: UInt64) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for cell in cells {
            switch cell {
            case .absent: bytes.append(0)
            case .null: bytes.append(1)
            case .text(let text): append(2, text.utf8)
            case .integer(let number):
                bytes.append(3)
                append(UInt64(bitPattern: number))
            case .real(let number):
                bytes.append(4)
                append(number.bitPattern)
            case .data(let content): append(5, content)
            case .json(let content): append(6, content)
            }
        }
        return bytes
    }

    /// The cells of bytes that ``bytes(_:)`` made; nil for any other bytes.
    static func cells(_ bytes: UnsafeRawBufferPointer) -> [ImportCell]? {
        var cells: [ImportCell] = []
        var place = 0
        func number() -> UInt64? {
            guard bytes.count - place >= 8 else { return nil }
            defer { place += 8 }
            return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        func content() -> UnsafeRawBufferPointer? {
            guard let length = number().flatMap({ Int(exactly: $0) }), length <= bytes.count - place
            else { return nil }
            defer { place += length }
            return UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
        }
        while place < bytes.count {
            let kind = bytes[place]
            place += 1
            switch kind {
            case 0: cells.append(.absent)
            case 1: cells.append(.null)
            case 2:
                guard let text = content() else { return nil }
                cells.append(.text(String(decoding: text, as: UTF8.self)))
            case 3:
                guard let number = number() else { return nil }
                cells.append(.integer(Int64(bitPattern: number)))
            case 4:
                guard let number = number() else { return nil }
                cells.append(.real(Double(bitPattern: number)))
            case 5:
                guard let data = content() else { return nil }
                cells.append(.data(Array(data)))
            case 6:
                guard let json = content() else { return nil }
                cells.append(.json(Array(json)))
            default: return nil
            }
        }
        return cells
    }
}
