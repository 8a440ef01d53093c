import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Each server for the tests of storages works, and returns what it received. Without its program it is skipped by name
/// here, and omitted everywhere else.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72")) struct StorageServerTests {
    @Test(.enabled(if: StorageServer.Kind.sftp.isInstalled, "needs the sftp-server of OpenSSH"))
    func sftp() throws { try returns(.sftp) }

    @Test func webdav() throws { try returns(.webdav) }

    @Test(.enabled(if: StorageServer.Kind.wsgidav.isInstalled, "needs wsgidav and cheroot of PyPI"))
    func wsgidav() throws { try returns(.wsgidav) }

    @Test(.enabled(if: StorageServer.Kind.s3.isInstalled, "needs moto[server] of PyPI"))
    func s3() throws { try returns(.s3) }

    private func returns(_ kind: StorageServer.Kind) throws {
        let remote = try CleanRemote(changeSets: 2)
        let place = try StorageServer.shared(kind).place(copying: remote.root)
        let folder = try TemporaryFolder()
        let target = folder.path.appending("back")
        try place.fetch(to: target)
        let back = LocalStorage(root: target)
        let tree = try RemoteScanner.scan(remote.storage)
        let other = try RemoteScanner.scan(back)
        #expect(Set(tree.folders.keys) == Set(other.folders.keys))
        for (folder, listing) in tree.folders {
            #expect(other.listing(folder).part.map(\.name) == listing.map(\.name), "\(folder)")
            for (one, its) in zip(listing, other.listing(folder).part) where one.kind == .file {
                let path = folder.appending(one.name)
                #expect(one.modified.seconds == its.modified.seconds, "\(path)")
                #expect(
                    one.modified.nanoseconds / kind.resolution == its.modified.nanoseconds / kind.resolution)
                #expect(try remote.storage.read(path).array == back.read(path).array, "\(path)")
            }
        }
    }
}
