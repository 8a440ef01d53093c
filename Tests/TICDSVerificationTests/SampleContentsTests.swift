import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Remotes that the framework itself wrote. They contain whole stores (SQLite of the years before 2010, without a count
/// of pages), registers, property lists, tombstones and keys, encrypted and unencrypted, but no change sets with
/// contents.
@Suite struct SampleContentsTests {
    private struct Description: Decodable { let password: String? }

    @Test(arguments: SampleRemote.names)
    func theFrameworkWritesSoundFiles(_ name: String) throws {
        let sample = try SampleRemote(name)
        // Nothing is left of the remote whose data was removed.
        guard name != "plain-removed" else { return }
        let applications = try FileManager.default.contentsOfDirectory(atPath: sample.parent().string)
        let root = sample.parent().appending(try #require(applications.first))
        let json = try Data(contentsOf: URL(filePath: sample.description.string))
        let password = try JSONDecoder().decode(Description.self, from: json).password
        let storage = LocalStorage(root: root)
        let keyring = try PasswordCheck.open(storage) { () throws(FileProblem) in password }
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring,
            now: FileTime(seconds: 1_700_000_000))
        let files = context.examinedFiles(of: nil)
        #expect(!files.isEmpty)
        let found = files.flatMap { ContentsCheck.findings(of: $0, context) }
        // The Dropbox variant names the entry of its zip like the app's store (ticds-protocol(7), D-1).
        #expect(found.map(\.kind) == (name == "dropbox-plain-zip" ? [.zipEntryName] : []), "\(found.summary)")
    }
}
