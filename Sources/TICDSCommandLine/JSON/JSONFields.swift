public import SystemCalls
public import SystemPackage

/// A key and its value in one call. A nil becomes `null`.
extension JSONWriter {
    /// Text under `name`.
    public mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Text that is JSON already, as one value, under `name`.
    public mutating func field(_ name: String, json: String?) {
        key(name)
        if let json { raw(json) } else { null() }
    }

    /// A truth value under `name`.
    public mutating func field(_ name: String, _ truth: Bool?) {
        key(name)
        if let truth { value(truth) } else { null() }
    }

    /// An integer under `name`.
    public mutating func field(_ name: String, _ number: Int?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// An integer under `name`.
    public mutating func field(_ name: String, _ number: Int64?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// A real number under `name`.
    public mutating func field(_ name: String, _ number: Double?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// A problem under `name`.
    public mutating func field(_ name: String, _ problem: FileProblem?) {
        key(name)
        if let problem { value(problem) } else { null() }
    }

    /// An array of texts under `name`.
    public mutating func field(_ name: String, _ texts: [String]) { array(name, texts) { $0.value($1) } }

    /// A time under `name`, as ISO 8601 text in UTC.
    public mutating func field(_ name: String, _ time: FileTime?) {
        key(name)
        guard let time else { return null() }
        appendValue { $0.appendQuoted(iso: time) }
    }

    /// A path under `name`. One that is not UTF-8 is escaped there, and stands unchanged in base 64 under
    /// the name with `Base64` behind it.
    public mutating func field(_ name: String, _ path: FilePath?) {
        key(name)
        guard let bytes = path?.bytes else { return null() }
        if let text = String(validating: bytes, as: UTF8.self) { return value(text) }
        value(escapedIllFormed(bytes))
        key(name + "Base64")
        appendValue { $0.appendQuotedBase64(bytes) }
    }
}
