import Base
import Cryptography
package import SystemPackage

/// A folder that rclone reaches: `rclone:NAME:path`, or with a connection string, `rclone::sftp,host=example.org:path`
/// and `rclone:NAME,option=value:path`.
package struct RcloneAddress: Hashable, Sendable {
    /// The beginning of the addresses.
    package static let prefix = "rclone:"

    /// Rclone's name of the storage, up to its second colon: `NAME:` or `:sftp,host=example.org:`.
    package let storage: String
    /// The folder in the storage, without a slash at its end; empty for its top.
    package let path: String
    /// The options of a connection string. Their values may be passwords.
    private let options: [Option]
    /// The storage without the values of options.
    private let shownStorage: String

    /// Whether a text is meant as such an address.
    package static func isAddress(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Parses an address; nil for a text that rclone would not take for a place in a storage.
    package init?(_ text: String) {
        guard Self.isAddress(text), !text.unicodeScalars.contains("\0") else { return nil }
        var rest = text.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)
        var name = String.UnicodeScalarView()
        if rest.first == ":" { name.append(rest.removeFirst()) }
        while let scalar = rest.first, scalar != ":", scalar != "," { name.append(rest.removeFirst()) }
        guard !name.isEmpty, name.first != ":" || name.count > 1, !name.contains("/") else { return nil }
        var options = String.UnicodeScalarView()
        var read: [Option] = []
        while rest.first == "," {
            guard let option = Option(&rest) else { return nil }
            options.append(contentsOf: option.text.unicodeScalars)
            read.append(option)
        }
        guard rest.first == ":" else { return nil }
        var path = rest.dropFirst()
        while path.count > 1, path.last == "/" { path.removeLast() }
        storage = String(name) + String(options) + ":"
        shownStorage = String(name) + (options.isEmpty ? "" : ",...") + ":"
        self.path = String(path)
        self.options = read
    }

    private init(_ address: RcloneAddress, path: String) {
        storage = address.storage
        shownStorage = address.shownStorage
        options = address.options
        self.path = path
    }

    /// The place in rclone's form.
    package var remote: String { storage + path }

    /// The address for people: without the values of options.
    package var shown: String { Self.prefix + shownStorage + path }

    /// The address as a path, for errors, and for the name of the remote.
    package var root: FilePath { FilePath(shown) }

    /// Options that identify the storage, and not the user. A URL is one of them, without its user information.
    private static let namingOptions: Set<String> = [
        "account", "drive_id", "endpoint", "host", "port", "provider", "region", "remote", "root_folder_id",
        "share", "team_drive", "upstreams", "url", "user",
    ]

    /// A path that no other storage has, for what is stored locally about the remote at `root`. It contains a digest of
    /// the options that identify the storage, and no password.
    package func identity(found root: FilePath) -> FilePath {
        let named = options.filter { Self.namingOptions.contains($0.name) }
        if named.isEmpty { return root }
        let text = named.map { option in
            let value = option.name == "url" ? Self.withoutUser(option.value) : option.value
            return "\(option.name)=\(value)"
        }
        let digest = SHA256.hash(Array(text.joined(separator: "\0").utf8)).prefix(6)
        let start = Self.prefix + shownStorage.dropLast()
        return FilePath("\(start)\(hexadecimalDigits(of: digest))" + root.string.dropFirst(start.count))
    }

    private static func withoutUser(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        guard let sign = rest.prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound] + rest[rest.index(after: sign)...])
    }

    /// Whether the configuration of rclone describes the storage, so that its name is enough to find it again.
    package var isConfigured: Bool { !storage.hasPrefix(":") && !storage.contains(",") }

    /// A different path in the same storage.
    func at(path: String) -> RcloneAddress { RcloneAddress(self, path: path) }

    /// A folder inside this folder.
    package func appending(_ name: String) -> RcloneAddress {
        RcloneAddress(self, path: path.isEmpty || path.hasSuffix("/") ? path + name : path + "/" + name)
    }

    /// A text of rclone without the values of options, which rclone repeats in errors.
    func withoutSecrets(_ text: String) -> String {
        var text = text
        for secret in options.flatMap({ [$0.written, $0.value] }) where secret.utf8.count >= 4 {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "...")
        }
        return ConnectionString.hidden(in: text)
    }
}

/// An option `,name=value` or `,name` of a connection string. A value may be quoted; two quotes represent one.
private struct Option: Hashable {
    var text = ""
    var name = ""
    /// The value as it was written between its quotes, and its meaning.
    var written = ""
    var value = ""

    /// Takes an option from the beginning of `rest`, which begins with a comma; nil if a quote has no end.
    init?(_ rest: inout Substring.UnicodeScalarView) {
        text.unicodeScalars.append(rest.removeFirst())
        while let scalar = rest.first, scalar != "=", scalar != ",", scalar != ":" {
            name.unicodeScalars.append(rest.removeFirst())
        }
        text += name
        guard rest.first == "=" else { return }
        text.unicodeScalars.append(rest.removeFirst())
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            while let scalar = rest.first, scalar != ",", scalar != ":" {
                value.unicodeScalars.append(rest.removeFirst())
            }
            text += value
            written = value
            return
        }
        text.unicodeScalars.append(rest.removeFirst())
        while let scalar = rest.popFirst() {
            text.unicodeScalars.append(scalar)
            if scalar == quote {
                guard rest.first == quote else { return }
                text.unicodeScalars.append(rest.removeFirst())
                written.unicodeScalars.append(quote)
            }
            written.unicodeScalars.append(scalar)
            value.unicodeScalars.append(scalar)
        }
        return nil
    }
}
