import Base
import Dispatch
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSArchive
import TICDSCore
import TICDSOperations

/// The identities that distinguish the snapshots of remotes.
@Suite struct RemoteIdentityTests {
    private struct Fixture {
        let folder: TemporaryFolder
        var home: FilePath { folder.path.appending("ticds") }
        init() throws { folder = try TemporaryFolder(prefix: "ticds-identity") }
        func state(_ path: FilePath) -> RemoteState { RemoteState(root: path, stateHome: home) }
    }

    @Test func belongsToThePlace() throws {
        let fixture = try Fixture()
        let anna = fixture.state("/anna/com.example.app")
        let ben = fixture.state("/ben/com.example.app")
        let first = try RemoteIdentity.kept(for: anna)
        #expect(try RemoteIdentity.kept(for: anna) == first)
        #expect(try RemoteIdentity.looked(up: anna) == first)
        #expect(try RemoteIdentity.kept(for: ben).identifier != first.identifier)
        // Looking up stores nothing.
        let other = fixture.state("/other/com.example.app")
        #expect(try RemoteIdentity.looked(up: other) != RemoteIdentity.looked(up: other))
        #expect(!FileManager.default.fileExists(atPath: other.folder.string))
    }

    /// Concurrent first requests get the same identity.
    @Test func isDrawnOnce() throws {
        let fixture = try Fixture()
        let state = fixture.state("/anna/com.example.app")
        let drawn = Mutex<Set<String>>([])
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            do {
                let identity = try RemoteIdentity.kept(for: state)
                drawn.withLock { _ = $0.insert(identity.identifier) }
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(drawn.withLock { $0.count } == 1)
    }

    /// A truncated or changed file never silently gives a different identifier, nor adopts more.
    @Test func damage() throws {
        let fixture = try Fixture()
        let state = fixture.state("/anna/com.example.app")
        let whole = try RemoteIdentity.kept(for: state)
        let file = state.folder.appending("identity")
        let bytes = try FileBytes.read(file).array
        for count in bytes.indices {
            try AtomicFile.write(Array(bytes[..<count]), to: file)
            #expect(throws: FileProblem.self, "\(count)") { try RemoteIdentity.looked(up: state) }
            #expect(throws: FileProblem.self, "\(count)") { try RemoteIdentity.kept(for: state) }
        }
        for addition in [
            "x\n", "adopted \n", "adopted 0123\n", "adopted 0123456789ABCDEF\n", "key a b\n", "\n",
        ] {
            try AtomicFile.write(bytes + Array(addition.utf8), to: file)
            #expect(throws: FileProblem.self, "\(addition)") { try RemoteIdentity.looked(up: state) }
        }
        try AtomicFile.write(bytes + Array("adopted 0123456789abcdef\n".utf8), to: file)
        let adopting = try RemoteIdentity.looked(up: state)
        #expect(
            adopting.identifier == whole.identifier && adopting.adoptedIdentifiers == ["0123456789abcdef"])
        try FileManager.default.removeItem(atPath: file.string)
        try TestFiles.makeFolder(file)
        #expect(throws: FileProblem.self) { try RemoteIdentity.looked(up: state) }
    }

    /// The name of a snapshot identifies its app only together with the manifest.
    @Test func namesThatAreAlike() throws {
        let time = FileTime(seconds: 1_767_225_600)
        let other = DatedArchiveName("app-0123456789abcdef", nil, time, .zip).name
        #expect(DatedArchiveName(other, of: "app") == DatedArchiveName("app", "0123456789abcdef", time, .zip))
        for name in [
            "app-0123456789ABCDEF-20260101T000000Z.zip", "app-0123456789abcde-20260101T000000Z.zip",
            "app-0123456789abcdef0-20260101T000000Z.zip", "app--20260101T000000Z.zip",
            "app-0123456789abcdef-0123456789abcdef-20260101T000000Z.zip", "app-20260101T000000Z-.zip",
            "app-0123456789abcdef-", "app-", "app",
        ] {
            #expect(DatedArchiveName(RemoteName(name), of: "app") == nil, "\(name)")
        }
    }

    /// A folder of archives has its trash inside, under a name that the journal of another user does not share.
    @Test func foldersOfArchives() throws {
        let fixture = try Fixture()
        let folder = fixture.folder.path.appending("back")
        try TestFiles.makeFolder(folder)
        #expect(try RemoteState.knownArchives(in: folder, stateHome: fixture.home) == nil)
        let state = try RemoteState.archives(in: folder, stateHome: fixture.home)
        #expect(try RemoteState.archives(in: folder, stateHome: fixture.home) == state)
        #expect(try RemoteState.all(in: fixture.home) == [state] && state.holdsArchives)
        let elsewhere = fixture.folder.path.appending("elsewhere")
        let other = try RemoteState.archives(in: folder, stateHome: elsewhere)
        #expect(other.trash(of: 1) != state.trash(of: 1))
        #expect(state.trash(of: 1).starts(with: folder))
        try AtomicFile.write(Array("../../../etc".utf8), to: state.folder.appending("archives"))
        #expect(throws: FileProblem.self) { try RemoteState.archives(in: folder, stateHome: fixture.home) }
        #expect(throws: FileProblem.self) { try RemoteState.all(in: fixture.home) }
    }
}
