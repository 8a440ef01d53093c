package import Base
import Cryptography
package import TICDSOperations
package import SystemCalls
package import SystemPackage
import TICDSCore
import TICDSStorages

/// The source of the password of a remote of a fleet. An inventory never contains a password.
package enum PasswordReference: Hashable, Sendable {
    /// The path of a file with the password.
    case file(String)
    /// A command line for sh(1) that prints it.
    case command(String)

    /// The options that pass it to a ticds command.
    package var options: [String] {
        switch self {
        case .file(let path): ["--password-file", path]
        case .command(let line): ["--password-command", line]
        }
    }
}

/// One remote of a fleet, a line of an inventory.
package struct FleetRemote: Hashable, Sendable {
    /// The absolute path of its folder without links on the way, or its address in a storage of rclone.
    package let location: FilePath
    /// The identifier: 16 hexadecimal digits, see ``identifier(of:)``.
    package let identifier: String
    /// The application identifier.
    package var application: String
    /// The source of the password; nil for a remote that needs none, or gets it from the environment.
    package var password: PasswordReference?
    /// Words by which a user selects remotes, sorted, each once.
    package private(set) var tags: [String]

    /// A remote at a location; its identifier follows from it.
    package init(
        location: FilePath, application: String, password: PasswordReference? = nil, tags: [String] = []
    ) {
        self.location = location
        self.application = application
        self.password = password
        self.tags = Set(tags).sorted()
        identifier = Self.identifier(of: location)
    }

    /// The first 64 bits of the SHA-256 of the location's bytes. Two machines that scan the same folders therefore
    /// agree on it without communication, and a remote keeps its identifier as long as it stays where it is.
    package static func identifier(of location: FilePath) -> String {
        hexadecimalDigits(of: SHA256.hash(location.bytes).prefix(8))
    }

    /// Whether a text can be an identifier, or the beginning of one.
    package static func isIdentifier(_ text: String, beginning: Bool = false) -> Bool {
        (beginning ? 1...16 : 16...16).contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Refuses a storage whose address contains its options.
    package static func checkName(of storage: any StorageAddress) throws(FileProblem) {
        guard storage.isLasting else {
            throw FileProblem(
                .refused, path: storage.root,
                "an inventory holds no options of a storage, which may be secrets",
                advice: "Describe the storage to rclone (rclone config), and name it: rclone:NAME:path")
        }
    }

    /// Adds tags, or removes them.
    package mutating func set(tags changed: [String], isRemoving: Bool) {
        tags =
            isRemoving
            ? tags.filter { !changed.contains($0) } : Set(tags).union(changed).sorted()
    }

    /// Whether a word can be a tag: up to 64 letters, digits and `._:/=@+-`.
    package static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "._:/=@+-".utf8.contains(byte)
            }
    }

    /// The number by which shards divide a fleet.
    var number: UInt64 { UInt64(identifier, radix: 16) ?? 0 }

    private static let schemaName = "ticds.fleetRemote/1"

    /// `ticds.fleetRemote/1`.
    package static let schema = JSONSchema<FleetRemote>(
        schemaName,
        "A remote of a fleet: a line of an inventory, also printed by ticds-fleet(1) `list`, `scan` and `add`."
    ) {
        $0(
            "id", "The first 16 hexadecimal digits of the SHA-256 of the location.", as: .hexadecimal(16),
            \.identifier)
        $0("location", "The folder without links on the way, or the address of rclone.", \.location)
        $0("application", "The name of the application folder.", \.application)
        $0("passwordFile", "The file that contains the password.", \.passwordFile)
        $0("passwordCommand", "The command line that prints the password.", \.passwordCommand)
        $0("tags", "", \.tags)
    }

    private var passwordFile: String? { if case .file(let path)? = password { path } else { nil } }
    private var passwordCommand: String? { if case .command(let line)? = password { line } else { nil } }

    /// A line of an inventory. The identifier in the line is not read; it follows from the location.
    init(line: [UInt8], path: FilePath, offset: Int) throws(FileProblem) {
        var location: FilePath?
        var application: String?
        var password: PasswordReference?
        var tags: [String] = []
        var schema: String?
        do throws(JSONScanner.Problem) {
            var scanner = JSONScanner(line)
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                if scanner.null() { return }
                switch key {
                case "schema": schema = try scanner.text()
                case "location":
                    let text = try scanner.text()
                    location = location ?? FilePath(text)
                case "locationBase64":
                    guard let bytes = Base64.bytes(try scanner.string()), !bytes.contains(0) else {
                        throw scanner.problem("base64 of a path")
                    }
                    location = FilePath(pathBytes: bytes)
                case "application": application = try scanner.text()
                case "passwordFile": password = .file(try scanner.text())
                case "passwordCommand": password = .command(try scanner.text())
                case "tags":
                    try scanner.array { (scanner) throws(JSONScanner.Problem) in
                        tags.append(try scanner.text())
                    }
                default: try scanner.skip()
                }
            }
            try scanner.end()
        } catch {
            throw FileProblem(
                .damaged, path: path, offset: offset +| error.offset, "damaged line of an inventory",
                expected: error.expected, advice: "Correct or remove the line")
        }
        // Users write lines without it.
        if let schema, schema != Self.schemaName {
            throw FileProblem(
                .unsupported, path: path, offset: offset, "the line of an inventory has another version",
                expected: Self.schemaName, found: schema,
                advice: "Use the version of ticds that wrote it, or scan the remotes again")
        }
        guard let location, !location.isEmpty, tags.allSatisfy(Self.isTag) else {
            throw FileProblem(
                .damaged, path: path, offset: offset, "damaged line of an inventory",
                expected: "a location, and tags of letters, digits and ._:/=@+-",
                advice: "Correct or remove the line")
        }
        if let scheme = StorageSchemes.scheme(of: location.string) {
            guard let storage = scheme.address(location.string) else {
                throw FileProblem(
                    .damaged, path: path, offset: offset, "damaged line of an inventory",
                    expected: "an address: \(scheme.form)", advice: "Correct or remove the line")
            }
            try Self.checkName(of: storage)
        }
        self.init(
            location: location,
            application: application ?? String(decoding: location.lastComponent?.bytes ?? [], as: UTF8.self),
            password: password, tags: tags)
    }
}

extension FilePath {
    /// Whether this is the address of a storage.
    package var isStorage: Bool { StorageSchemes.isAddress(string) }
}
