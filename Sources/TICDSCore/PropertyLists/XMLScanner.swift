import KeyedArchive

/// The words of an XML property list: tags and the text between them. Entity declarations are refused, so that
/// nothing can grow beyond what is written.
struct XMLScanner {
    /// `<name ...>`, `</name>` or `<name .../>`.
    struct Tag {
        enum Kind { case opening, closing, empty }

        let name: String
        let kind: Kind
        let offset: Int

        var isOpening: Bool { kind == .opening }
        var isClosing: Bool { kind == .closing }

        func failure(_ expected: String) -> PropertyListError {
            PropertyListError(
                offset: offset, expected: expected, found: isClosing ? "</\(name)>" : "<\(name)>")
        }
    }

    private let bytes: [UInt8]
    private(set) var offset = 0

    /// Names longer than this many bytes belong to no property list.
    private static let nameLimit = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The next tag. Only white space, comments, processing instructions and a document type may stand before it.
    mutating func tag() throws(PropertyListError) -> Tag {
        try skipBetweenTags()
        let start = offset
        guard take("<") else { throw failure("a tag") }
        let isClosing = take("/")
        let nameStart = offset
        while let byte = next, isNameByte(byte), offset - nameStart <= Self.nameLimit { offset += 1 }
        let name = String(decoding: bytes[nameStart..<offset], as: UTF8.self)
        guard !name.isEmpty, offset - nameStart <= Self.nameLimit else {
            throw failure("an element of a property list", at: start)
        }
        let isEmpty = try skipAttributes(start)
        return Tag(name: name, kind: isClosing ? .closing : isEmpty ? .empty : .opening, offset: start)
    }

    /// The text up to the end tag of `tag`, which it takes too.
    mutating func text(of tag: Tag) throws(PropertyListError) -> String {
        guard tag.isOpening else { return "" }
        var text: [UInt8] = []
        while true {
            let start = offset
            while let byte = next, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") { offset += 1 }
            text += bytes[start..<offset]
            if take("&") {
                text += try entity()
            } else if take("<![CDATA[") {
                text += try bytesUp(to: "]]>")
            } else if take("<!--") {
                _ = try bytesUp(to: "-->")
            } else {
                break
            }
        }
        let end = try self.tag()
        guard end.isClosing, end.name == tag.name else { throw end.failure("</\(tag.name)>") }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw failure("text in UTF-8", at: tag.offset, found: "other bytes")
        }
        return string
    }

    /// Nothing but white space and comments may follow the list.
    mutating func end() throws(PropertyListError) {
        try skipBetweenTags()
        guard offset == bytes.count else { throw failure("the end of the file") }
    }

    func failure(_ expected: String, at place: Int? = nil, found: String? = nil) -> PropertyListError {
        let place = place ?? offset
        let here = bytes[min(place, bytes.count)..<min(place + 16, bytes.count)]
        let seen = here.isEmpty ? "the end of the file" : "\"\(String(decoding: here, as: UTF8.self))\""
        return PropertyListError(offset: place, expected: expected, found: found ?? seen)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ word: StaticString) -> Bool {
        let isNext = word.withUTF8Buffer { word in
            offset + word.count <= bytes.count && bytes[offset..<offset + word.count].elementsEqual(word)
        }
        if isNext { offset += word.utf8CodeUnitCount }
        return isNext
    }

    private mutating func skipBetweenTags() throws(PropertyListError) {
        while true {
            while let byte = next, isXMLSpace(byte) { offset += 1 }
            if take("<?") {
                _ = try bytesUp(to: "?>")
            } else if take("<!--") {
                _ = try bytesUp(to: "-->")
            } else if take("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    private mutating func skipDocumentType() throws(PropertyListError) {
        while let byte = next, byte != UInt8(ascii: ">") {
            guard byte != UInt8(ascii: "[") else {
                throw failure("a document type without declarations of its own")
            }
            offset += 1
        }
        guard take(">") else { throw failure(">") }
    }

    /// Takes the rest of a tag and says whether it ends in `/>`.
    private mutating func skipAttributes(_ start: Int) throws(PropertyListError) -> Bool {
        var quote: UInt8?
        var last: UInt8 = 0
        while let byte = next {
            offset += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return last == UInt8(ascii: "/")
            } else if byte == UInt8(ascii: "<") {
                break
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            last = byte
        }
        throw failure("the > of a tag", at: start)
    }

    private mutating func bytesUp(to end: StaticString) throws(PropertyListError) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count {
            let stop = offset
            if take(end) { return bytes[start..<stop] }
            offset += 1
        }
        throw failure("\(end)", at: start)
    }

    /// The character of an entity whose `&` has been taken.
    private mutating func entity() throws(PropertyListError) -> [UInt8] {
        let start = offset - 1
        var name: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: ";"), name.count < 10 {
            name.append(byte)
            offset += 1
        }
        guard take(";"), let character = Self.character(String(decoding: name, as: UTF8.self)) else {
            throw failure("one of the five entities of XML, or a character number", at: start)
        }
        return Array(String(Character(character)).utf8)
    }

    private static func character(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x")
        return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        !isXMLSpace(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
            && byte != UInt8(ascii: "<")
    }
}

/// The four white-space characters of XML.
func isXMLSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
