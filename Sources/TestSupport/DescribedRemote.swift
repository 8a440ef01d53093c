import Foundation
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A sample remote, unpacked into a private folder, with the descriptions from its JSON.
package struct DescribedRemote: Sendable {
    /// One file as the JSON describes it.
    package struct Entry: Decodable, Sendable {
        package let encrypted: Bool
        package let plainSha256: String?
        package let sha256: String
        package let size: Int
        package let mtime: Double
        package let zip: [Member]?
    }

    package struct Member: Decodable, Sendable {
        package let name: String
        package let sha256: String
    }

    private struct Description: Decodable {
        let files: [String: Entry]
        let password: String?
        let key: String?
    }

    package let files: [String: Entry]
    package let password: String
    package let key: String?
    private let sample: SampleRemote
    /// The folder that contains `ClientDevices`.
    package let root: FilePath

    package init(_ name: String) throws {
        sample = try SampleRemote(name)
        let json = try Data(contentsOf: URL(filePath: sample.description.string))
        let description = try JSONDecoder().decode(Description.self, from: json)
        files = description.files
        password = description.password ?? ""
        key = description.key
        root = sample.parent().appending("com.example.notes")
    }

    /// The private folder, which tests may also use.
    package var folder: TemporaryFolder { sample.folder }

    package var storage: LocalStorage { LocalStorage(root: root) }

    /// The path below the root of a file whose name in the JSON begins at the parent of the application folder.
    package static func path(_ name: String) -> RemotePath {
        RemotePath(name.split(separator: "/").dropFirst().map { RemoteName(String($0)) })
    }

    package func keyring() throws(FileProblem) -> RemoteKeyring {
        let password = password
        return try PasswordCheck.open(storage) { () throws(FileProblem) in password }
    }
    /// The SHA-256 of bytes in hexadecimal, by a different program, which gets them in a file in `folder`.
    package static func sha256(_ bytes: [UInt8], in folder: FilePath) throws -> String {
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
