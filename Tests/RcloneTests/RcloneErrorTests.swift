import SystemCalls
import SystemPackage
import Testing
import TICDSCore

@testable import Rclone

@Suite struct RcloneErrorTests {
    /// Missing, denied, unknown and temporary errors: only temporary ones are retried, and only missing ones are
    /// absences.
    @Test(
        arguments: [
            (404, "directory not found", .missing, false),
            (404, "failed to find object: object not found", .missing, false),
            (404, "404 Not Found", .unreadable, true), (500, "object not found", .unreadable, true),
            (500, "permission denied", .unreadable, false), (500, "403 Forbidden", .unreadable, false),
            (500, "couldn't fetch token: invalid_grant", .unreadable, false),
            (500, "didn't find section in config file", .unknownName, false),
            (500, "the remote url looks incorrect. Note that nextcloud chunked uploads", .unreadable, false),
            (500, "couldn't decrypt password: input too short when revealing password", .unreadable, false),
            (500, "Propfind \"/x\": unsupported protocol scheme \"\"", .unreadable, false),
            (500, "parse \"h:1/\": first path segment in URL cannot contain colon", .unreadable, false),
            (500, "429 Too Many Requests", .unreadable, true), (500, "unexpected EOF", .unreadable, true),
            (500, "read: connection reset by peer", .unreadable, true), (503, "", .unreadable, true),
        ] as [(Int, String, FileProblem.Kind, Bool)])
    func kinds(_ status: Int, text: String, kind: FileProblem.Kind, isBusy: Bool) {
        let problem = RcloneError(status: status, text: text).problem("rclone:x:y")
        #expect(problem.kind == kind && problem.isBusy == isBusy)
        #expect(problem.path == "rclone:x:y" && problem.found?.contains(text) == true)
    }

    /// The identity for local data depends on the storage and not on the password.
    @Test func identity() throws {
        func identity(_ text: String) throws -> FilePath {
            let address = try #require(RcloneAddress(text))
            return address.identity(found: address.appending("app").root)
        }
        #expect(try identity("rclone:nas:a") == "rclone:nas:a/app")
        let one = try identity("rclone::sftp,host=one,pass=geheim:a")
        #expect(try one == identity("rclone::sftp,host=one,pass=other:a"))
        #expect(try one != identity("rclone::sftp,host=two,pass=geheim:a"))
        #expect(try one != identity("rclone::sftp,host=one,pass=geheim:b"))
        #expect(!one.string.contains("geheim") && one.string.hasSuffix(":a/app"))
        #expect(
            try identity("rclone::webdav,url='https://anna:x@example.org/a':")
                == identity("rclone::webdav,url='https://example.org/a':"))
    }

    @Test(arguments: [
        ("/srv/com.example.notes", "com.example.notes"),
        ("rclone:nas:com.example.notes", "com.example.notes"),
        ("rclone:nas:sync/com.example.notes", "com.example.notes"),
        ("rclone::sftp,...:com.example.notes", "com.example.notes"), ("rclone:notes:", "notes"),
        ("rclone:nas:a:b", "a:b"),
    ])
    func application(_ root: String, identifier: String) {
        #expect(RemoteName(ofRemoteAt: FilePath(root)).text == identifier)
    }
}
