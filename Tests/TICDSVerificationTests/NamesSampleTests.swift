import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// The sample remotes at level names. The list has the findings of each: code and path, or nothing.
@Suite struct NamesSampleTests {
    private static func findings(_ name: String, _ part: String) throws -> [String] {
        let sample = try SampleRemote(name)
        let storage = LocalStorage(root: try RemoteLocation.find(sample.parent(part)))
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: RemoteKeyring(.plain),
            now: FileTime(seconds: 1_800_000_000))
        return ListingCheck.findings(context).map { "\($0.kind.code) \($0.path)" }
    }

    private static func temporaryFiles(_ documents: String...) -> [String] {
        documents.map { "TICDS-0901 Documents/\($0)/TemporaryFiles" }
    }

    private static let noDocument = ["TICDS-0110 Documents"]
    /// Three documents, each with the temporary files of an upload; the fourth was deleted.
    private static let threeDocuments = temporaryFiles("doc-four-0004", "doc-one-0001", "doc-two-0002")

    static let samples: [(name: String, findings: [String])] = [
        ("plain-empty", noDocument),
        ("enc-trimmed-password", noDocument),
        ("plain-multi", threeDocuments),
        ("enc-multi", threeDocuments),
        ("plain-unicode", temporaryFiles("Doc 100% + more", "\u{6587}\u{6863} \u{4E00}\u{53F7}")),
        ("plain-userinfo", temporaryFiles("doc-one-0001")),
        ("dropbox-plain-zip", temporaryFiles("doc-one-0001", "doc-three-0003", "doc-two-0002")),
        (
            "plain-shortids",
            temporaryFiles("d", "db", "dcc", "dddd", "deeee", "dfffff")
                + ["a", "bb", "ccc", "dddd"].map { "TICDS-0109 ClientDevices/\($0)" }
                + ["d", "db", "dcc", "dddd"].map { "TICDS-0109 Documents/\($0)" }
        ),
    ]

    @Test(arguments: samples) func aSampleHoldsWhatIsStated(name: String, findings: [String]) throws {
        #expect(try Self.findings(name, "remote").sorted() == findings.sorted())
    }

    /// Before and after one operation of the framework: it never leaves unusual entries.
    static let pairs: [(name: String, before: [String], after: [String])] = [
        ("op-create-document", noDocument, temporaryFiles("new-doc-0001")),
        ("op-delete-client", threeDocuments, threeDocuments),
        ("op-delete-client-encrypted", threeDocuments, threeDocuments),
        ("op-delete-client-unknown", threeDocuments, threeDocuments),
        ("op-delete-document", threeDocuments, temporaryFiles("doc-four-0004", "doc-two-0002")),
        ("op-delete-document-encrypted", threeDocuments, temporaryFiles("doc-four-0004", "doc-two-0002")),
        ("op-join-document", threeDocuments, threeDocuments),
        ("op-recreate-deleted-document", threeDocuments, threeDocuments + temporaryFiles("doc-three-0003")),
        ("op-register-client", noDocument, noDocument),
        (
            "op-register-client-encrypted", threeDocuments,
            threeDocuments + ["TICDS-0904 ClientDevices/NEW-CLIENT-0001"]
        ),
        ("op-rejoin-after-removal", threeDocuments, threeDocuments),
        ("op-sync-nothing", threeDocuments, threeDocuments),
        ("op-upload-store", threeDocuments, threeDocuments),
        ("op-vacuum", temporaryFiles("doc-one-0001"), temporaryFiles("doc-one-0001")),
    ]

    @Test(arguments: pairs) func aPairHoldsWhatIsStated(name: String, before: [String], after: [String])
        throws
    {
        #expect(try Self.findings(name, "before").sorted() == before.sorted())
        #expect(try Self.findings(name, "after").sorted() == after.sorted())
    }
}
