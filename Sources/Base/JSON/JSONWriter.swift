package import SystemPackage

/// Writes JSON as it comes, keys in the order given, without keeping the document in memory.
///
/// The caller pairs `begin` with `end` and gives a key before each value in an object; the writer adds commas. One
/// writer writes one document, or any number of lines with one document each.
package struct JSONWriter: ~Copyable {
    /// The layout of the text.
    package enum Layout: Sendable {
        /// Without spaces or line breaks, for JSON Lines.
        case compact
        /// Each field of the document, and each element of its arrays, on a separate line.
        case lines
        /// With two spaces for each level, for a document that people also read.
        case indented
    }

    package var output: OutputBuffer
    private let layout: Layout
    private var depth: Int
    private var needsComma = false
    private var afterKey = false

    /// A writer to `descriptor`, or one that collects its text if that is nil.
    /// - Parameter depth: the number of open arrays and objects, for a writer that continues a document after an
    ///   element.
    package init(_ descriptor: FileDescriptor?, layout: Layout = .compact, depth: Int = 0) {
        self.output = OutputBuffer(descriptor)
        self.layout = layout
        self.depth = depth
        needsComma = depth > 0
    }

    /// The text so far, for a writer that collects.
    package var text: String { String(decoding: output.collected, as: UTF8.self) }

    /// Ends the line: after each JSON line, and after the document.
    package mutating func endLine() {
        output.append(byte: 0x0A)
        needsComma = false
    }

    /// Opens a document, or a JSON line, of `schema`.
    package mutating func begin(_ schema: String) {
        beginObject()
        field("schema", schema)
    }

    /// Appends whole lines that another buffer has collected.
    package mutating func lines(_ text: borrowing OutputBuffer) { output.append(text) }

    /// Closes the object of a document or a JSON line, and ends the line.
    package mutating func end() {
        endObject()
        endLine()
    }

    /// Opens an object.
    package mutating func beginObject() { open(0x7B) }
    /// Closes the object that was opened last.
    package mutating func endObject() { close(0x7D) }
    /// Opens an array.
    package mutating func beginArray() { open(0x5B) }
    /// Closes the array that was opened last.
    package mutating func endArray() { close(0x5D) }

    /// Opens an object under `name`.
    package mutating func beginObject(_ name: String) {
        key(name)
        beginObject()
    }

    /// Opens an array under `name`.
    package mutating func beginArray(_ name: String) {
        key(name)
        beginArray()
    }

    /// Writes an array under `name`; `body` writes each element.
    package mutating func array<Elements: Sequence>(
        _ name: String, _ elements: Elements, _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        beginArray(name)
        for element in elements { body(&self, element) }
        endArray()
    }

    /// Writes an array of objects under `name`; `body` writes the fields of each element.
    package mutating func objects<Elements: Sequence>(
        _ name: String, _ elements: Elements, _ fields: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array(name, elements) { json, element in
            json.beginObject()
            fields(&json, element)
            json.endObject()
        }
    }

    /// Writes the key of the next value.
    package mutating func key(_ name: String) {
        separate()
        output.appendQuoted(name)
        output.append(byte: 0x3A)
        if layout == .indented { output.append(byte: 0x20) }
        afterKey = true
    }

    /// Writes `null`.
    package mutating func null() { raw("null") }

    /// Writes text.
    package mutating func value(_ text: String) {
        separate()
        output.appendQuoted(text)
        needsComma = true
    }

    /// Writes `true` or `false`.
    package mutating func value(_ truth: Bool) { raw(truth ? "true" : "false") }

    /// Writes text that is already JSON, as one value.
    package mutating func raw(_ json: String) {
        separate()
        output.append(raw: json)
        needsComma = true
    }

    /// Writes a value whose text `body` appends.
    package mutating func appendValue(_ body: (inout OutputBuffer) -> Void) {
        separate()
        body(&output)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        output.append(byte: bracket)
        depth += 1
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if needsComma { breakLine(to: 1) }
        output.append(byte: bracket)
        needsComma = true
    }

    @inline(__always)
    private mutating func separate() {
        if afterKey {
            afterKey = false
            needsComma = false
            return
        }
        if needsComma { output.append(byte: 0x2C) }
        if depth > 0 { breakLine(to: 2) }
    }

    @inline(__always)
    private mutating func breakLine(to depthOfLines: Int) {
        guard layout == .indented || layout == .lines && depth <= depthOfLines else { return }
        output.append(byte: 0x0A)
        if layout == .lines { return }
        for _ in 0..<depth { output.append(raw: "  ") }
    }
}
