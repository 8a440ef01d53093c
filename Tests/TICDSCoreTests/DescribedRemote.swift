import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import TICDSCore

/// A sample remote, unpacked into a private folder, with what its JSON says of it.
struct DescribedRemote: Sendable {
    /// One file as the JSON describes it.
    struct Entry: Decodable, Sendable {
        let encrypted: Bool
        let plainSha256: String?
        let sha256: String
        let size: Int
        let mtime: Double
        let zip: [Member]?
    }

    struct Member: Decodable, Sendable {
        let name: String
        let sha256: String
    }

    private struct Description: Decodable {
        let files: [String: Entry]
        let password: String?
        let key: String?
    }

    let files: [String: Entry]
    let password: String
    let key: String?
    private let sample: SampleRemote
    /// The folder that holds `ClientDevices`.
    let root: FilePath

    init(_ name: String) throws {
        sample = try SampleRemote(name)
        let json = try Data(contentsOf: URL(filePath: sample.description.string))
        let description = try JSONDecoder().decode(Description.self, from: json)
        files = description.files
        password = description.password ?? ""
        key = description.key
        root = sample.parent().appending("com.example.notes")
    }

    /// The private folder, which a test may use too.
    var folder: TemporaryFolder { sample.folder }

    var storage: LocalStorage { LocalStorage(root: root) }

    /// The path below the root of a file that the JSON names below the application's parent.
    static func path(_ name: String) -> RemotePath {
        RemotePath(name.split(separator: "/").dropFirst().map { RemoteName(String($0)) })
    }

    func keyring() throws(FileProblem) -> RemoteKeyring {
        let password = password
        return try PasswordCheck.open(storage) { () throws(FileProblem) in password }
    }
}
