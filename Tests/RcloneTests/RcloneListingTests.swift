import SystemCalls
import SystemPackage
import Testing
import TICDSCore

@testable import Rclone

@Suite struct RcloneListingTests {
    @Test func foldersAndFiles() throws {
        let listing = try parse(
            """
            {"list":[{"Path":"a","Name":"a","Size":-1,"ModTime":"2014-05-13T16:53:00.25+02:00","IsDir":true},
            {"Path":"a/b.plist","Name":"b.plist","Size":12,"ModTime":"2014-05-13T16:53:00.123456789Z","IsDir":false,
            "Hashes":{"md5":"x","sha256":"00ff"},"Unknown":[{"a":null}]}]}
            """)
        #expect(listing.problems.isEmpty)
        #expect(listing[.root].map(\.name) == ["a"])
        #expect(listing[.root].first?.modified == FileTime(iso: "2014-05-13T14:53:00.25Z"))
        let file = try #require(listing[["a"]].first)
        #expect(file.size == 12 && file.kind == .file)
        #expect(file.modified == FileTime(iso: "2014-05-13T16:53:00.123456789Z"))
        #expect(listing.digests == [["a", "b.plist"]: "sha256 00ff"])
    }

    @Test(arguments: ["{\"list\":[]}", "{\"other\":{},\"list\":[]}"]) func nothing(_ text: String) throws {
        let listing = try parse(text)
        #expect(Array(listing.folders.keys) == [.root] && listing[.root].isEmpty && listing.problems.isEmpty)
    }

    /// The entries of a folder need not come one after the other, nor after the folder.
    @Test func foldersInAnyOrder() throws {
        let times = "\"ModTime\":\"2014-05-13T16:53:00Z\""
        let entries = [
            ("a/b", false), ("c/d", false), ("a", true), ("a/e", true), ("c/f", false), ("a/g", false),
        ]
        let items = entries.map { path, isFolder in
            "{\"Path\":\"\(path)\",\"Size\":1,\(times),\"IsDir\":\(isFolder)}"
        }
        let listing = try parse("{\"list\":[\(items.joined(separator: ","))]}")
        #expect(listing[.root].map(\.name) == ["a"])
        #expect(listing[["a"]].map(\.name) == ["b", "e", "g"])
        #expect(listing[["c"]].map(\.name) == ["d", "f"])
        #expect(listing.folders[["a", "e"]]?.isEmpty == true && listing.problems.isEmpty)
    }

    /// A hostile server must not make a path that leads out, nor one that is lost silently.
    @Test(arguments: ["..", "a/../b", "", "/a", "a//b", ".", "a/", "a\\u0000b", "a\\ufffdb"])
    func namesThatAreNone(_ path: String) throws {
        let listing = try parse(
            "{\"list\":[{\"Path\":\"\(path)\",\"Size\":1,\"ModTime\":\"2014-05-13T16:53:00Z\",\"IsDir\":false}]}"
        )
        #expect(Array(listing.folders.keys) == [.root] && listing[.root].isEmpty)
        #expect(listing.problems.count == 1)
    }

    @Test(arguments: [
        "\"Size\":-1,\"ModTime\":\"2014-05-13T16:53:00Z\"", "\"Size\":1,\"ModTime\":\"yesterday\"",
        "\"Size\":1",
        "\"Size\":1,\"ModTime\":\"2014-05-13T16:53:00+0200\"",
    ])
    func filesWithoutSizeOrTime(_ fields: String) throws {
        let listing = try parse("{\"list\":[{\"Path\":\"a\",\(fields),\"IsDir\":false}]}")
        #expect(Array(listing.folders.keys) == [.root] && listing[.root].isEmpty)
        #expect(listing.problems.count == 1)
    }

    /// A time that rclone invented does not count: a file then has a problem, and a folder has the time of its latest
    /// file.
    @Test(arguments: ["1600-01-01T00:00:00Z", "0001-01-01T00:00:00Z"]) func timesThatRcloneMadeUp(
        _ time: String
    ) throws {
        let address = try #require(RcloneAddress("rclone:x:"))
        let listing = try parse(
            """
            {"list":[{"Path":"a","Size":-1,"ModTime":"\(time)","IsDir":true},
            {"Path":"e","Size":-1,"ModTime":"\(time)","IsDir":true},
            {"Path":"a/b","Size":2,"ModTime":"2014-05-13T16:53:00Z","IsDir":false},
            {"Path":"a/c","Size":2,"ModTime":"\(time)","IsDir":false}]}
            """)
        #expect(listing.problems.map(\.problem) == ["the storage does not say when it was changed"])
        let storage = try RcloneStorage(address, listing)
        #expect(try storage.status(of: ["a"]).modified == FileTime(iso: "2014-05-13T16:53:00Z"))
        #expect(try storage.status(of: ["e"]).modified == FileTime(seconds: 0))
        #expect(throws: FileProblem.self) { try storage.statusIfPresent(of: ["a", "c"]) }
    }

    /// An entry that the storage has, but cannot describe, is not missing: without a salt, a remote would be taken for
    /// an unencrypted one.
    @Test func whatWasNotedIsNotMissing() throws {
        let address = try #require(RcloneAddress("rclone:x:"))
        let time = "\"ModTime\":\"2014-05-13T16:53:00Z\""
        let listing = try parse(
            """
            {"list":[{"Path":"Encryption","Size":-1,\(time),"IsDir":true},
            {"Path":"Encryption/salt.ticdsync","Size":-1,\(time),"IsDir":false},
            {"Path":"Documents","Size":-1,"ModTime":"","IsDir":true}]}
            """)
        let storage = try RcloneStorage(address, listing)
        #expect(throws: FileProblem.self) { try storage.statusIfPresent(of: RemoteLayout.saltPath) }
        #expect(throws: FileProblem.self) { try storage.statusIfPresent(of: ["Documents", "cookbook"]) }
        #expect(throws: FileProblem.self) { try storage.entriesIfPresent(of: ["Documents"]) }
        #expect(try storage.statusIfPresent(of: RemoteLayout.encryptionTestPath) == nil)
        #expect(try storage.statusIfPresent(of: ["ClientDevices", "a"]) == nil)
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"list\":null}", "{\"error\":[]}", "{\"list\":[{\"Path\":1}]}", "{\"list\":[}",
        "{\"list\":[]}x",
        "{\"list\":[{\"Path\":\"a\",\"Size\":99999999999999999999}]}",
    ])
    func otherJSON(_ text: String) {
        #expect(throws: FileProblem.self) { try parse(text) }
    }

    private func parse(_ text: String) throws -> RcloneListing {
        try RcloneListing(Array(text.utf8), root: "rclone:x:")
    }
}
