public import SystemPackage

/// A folder that rclone reaches: `rclone:NAME:path`, or with a connection string, `rclone::sftp,host=example.org:path`
/// and `rclone:NAME,option=value:path`.
public struct RcloneAddress: Hashable, Sendable {
    /// What the addresses begin with.
    public static let prefix = "rclone:"

    /// What rclone calls the storage, up to its second colon: `NAME:` or `:sftp,host=example.org:`.
    public let storage: String
    /// The folder in the storage, without a slash at its end; empty for its top.
    public let path: String
    /// The values of the options of a connection string, which may be passwords.
    let secrets: [String]
    /// The storage without the values of options.
    private let shownStorage: String

    /// Whether a text is meant to be such an address.
    public static func isAddress(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Nil for a text that rclone would not take for a place in a storage.
    public init?(_ text: String) {
        guard Self.isAddress(text), !text.unicodeScalars.contains("\0") else { return nil }
        var rest = text.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)
        var name = String.UnicodeScalarView()
        if rest.first == ":" { name.append(rest.removeFirst()) }
        while let scalar = rest.first, scalar != ":", scalar != "," { name.append(rest.removeFirst()) }
        guard !name.isEmpty, name.first != ":" || name.count > 1, !name.contains("/") else { return nil }
        var options = String.UnicodeScalarView()
        var secrets: [String] = []
        while rest.first == "," {
            guard let option = Self.option(&rest) else { return nil }
            options.append(contentsOf: option.text.unicodeScalars)
            secrets += option.values
        }
        guard rest.first == ":" else { return nil }
        var path = rest.dropFirst()
        while path.count > 1, path.last == "/" { path.removeLast() }
        storage = String(name) + String(options) + ":"
        shownStorage = String(name) + (options.isEmpty ? "" : ",...") + ":"
        self.path = String(path)
        self.secrets = secrets
    }

    private init(_ address: RcloneAddress, path: String) {
        storage = address.storage
        shownStorage = address.shownStorage
        secrets = address.secrets
        self.path = path
    }

    /// Takes `,key=value` or `,key` from the beginning of `rest`. A value may be quoted; two quotes stand for one.
    /// - Returns: what was taken, and the value, quoted as it was written and as it is meant.
    private static func option(_ rest: inout Substring.UnicodeScalarView) -> (text: String, values: [String])?
    {
        var text = String.UnicodeScalarView()
        text.append(rest.removeFirst())
        while let scalar = rest.first, scalar != "=", scalar != ",", scalar != ":" {
            text.append(rest.removeFirst())
        }
        guard rest.first == "=" else { return (String(text), []) }
        text.append(rest.removeFirst())
        var value = String.UnicodeScalarView()
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            while let scalar = rest.first, scalar != ",", scalar != ":" { value.append(rest.removeFirst()) }
            text.append(contentsOf: value)
            return (String(text), [String(value)])
        }
        text.append(rest.removeFirst())
        var written = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            text.append(scalar)
            if scalar == quote {
                guard rest.first == quote else { return (String(text), [String(written), String(value)]) }
                text.append(rest.removeFirst())
                written.append(quote)
            }
            written.append(scalar)
            value.append(scalar)
        }
        return nil  // the quote has no end
    }

    /// The place as rclone takes it.
    public var remote: String { storage + path }

    /// The address for people: without the values of options.
    public var shown: String { Self.prefix + shownStorage + path }

    /// The same as a path, for errors, and for the name of the remote.
    public var root: FilePath { FilePath(shown) }

    /// Whether the configuration of rclone describes the storage, so that its name is enough to find it again.
    public var isConfigured: Bool { !storage.hasPrefix(":") && !storage.contains(",") }

    /// Another folder of the storage.
    func at(_ path: String) -> RcloneAddress { RcloneAddress(self, path: path) }

    /// A folder in this one.
    public func appending(_ name: String) -> RcloneAddress {
        RcloneAddress(self, path: path.isEmpty || path.hasSuffix("/") ? path + name : path + "/" + name)
    }

    /// A text of rclone without the values of options, which its errors repeat.
    func withoutSecrets(_ text: String) -> String {
        var text = text
        for secret in secrets where secret.utf8.count >= 4 {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "...")
        }
        return text
    }
}
