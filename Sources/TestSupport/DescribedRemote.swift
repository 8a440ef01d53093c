import Foundation
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A sample remote, unpacked into a private folder, with what its JSON says of it.
public struct DescribedRemote: Sendable {
    /// One file as the JSON describes it.
    public struct Entry: Decodable, Sendable {
        public let encrypted: Bool
        public let plainSha256: String?
        public let sha256: String
        public let size: Int
        public let mtime: Double
        public let zip: [Member]?
    }

    public struct Member: Decodable, Sendable {
        public let name: String
        public let sha256: String
    }

    private struct Description: Decodable {
        let files: [String: Entry]
        let password: String?
        let key: String?
    }

    public let files: [String: Entry]
    public let password: String
    public let key: String?
    private let sample: SampleRemote
    /// The folder that holds `ClientDevices`.
    public let root: FilePath

    public init(_ name: String) throws {
        sample = try SampleRemote(name)
        let json = try Data(contentsOf: URL(filePath: sample.description.string))
        let description = try JSONDecoder().decode(Description.self, from: json)
        files = description.files
        password = description.password ?? ""
        key = description.key
        root = sample.parent().appending("com.example.notes")
    }

    /// The private folder, which a test may use too.
    public var folder: TemporaryFolder { sample.folder }

    public var storage: LocalStorage { LocalStorage(root: root) }

    /// The path below the root of a file that the JSON names below the application's parent.
    public static func path(_ name: String) -> RemotePath {
        RemotePath(name.split(separator: "/").dropFirst().map { RemoteName(String($0)) })
    }

    public func keyring() throws(FileProblem) -> RemoteKeyring {
        let password = password
        return try PasswordCheck.open(storage) { () throws(FileProblem) in password }
    }
    /// SHA-256 of bytes in hexadecimal, by another program, which gets them in a file in `folder`.
    public static func sha256(_ bytes: [UInt8], in folder: FilePath) throws -> String {
        let file = folder.appending("digest")
        try TestFiles.write(file, bytes)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sha256sum", file.string]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output.prefix(64), as: UTF8.self)
    }
}
