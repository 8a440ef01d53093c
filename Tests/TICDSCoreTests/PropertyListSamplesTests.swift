import Base
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// Property lists that the framework wrote.
@Suite struct PropertyListSamplesTests {
    /// The content of the sample's JSON.
    private static let userInfo = ArchivedValue.dictionary([
        "array": .array([.integer(1), .string("two"), .array([.real(3.25)])]),
        "big": .integer(9_007_199_254_740_993), "data": .data([UInt8](0..<64)),
        "date": .date(378_788_645), "dict": .dictionary(["nested": .dictionary(["deep": .string("yes")])]),
        "empty": .string(""), "emptyArray": .array([]), "emptyDict": .dictionary([:]), "int": .integer(-5),
        "no": .boolean(false), "real": .real(1.5), "string": .string("x<&>\"é"), "yes": .boolean(true),
    ])

    @Test func userInfoOfEveryType() throws {
        let remote = try DescribedRemote("plain-userinfo")
        let client = try #require(remote.files.keys.first { $0.hasSuffix("deviceInfo.plist") })
        let path = DescribedRemote.path(client)
        let info = try DeviceInfo(remote.storage.read(path), path: FilePath(client))
        #expect(info.userInfo == Self.userInfo)
        #expect(info.identifier == "B2C0D0A4-0001-4A11-8E1D-0000000000AA")
        #expect(info.description == "")
        #expect(info.others.isEmpty)
    }

    @Test func documentInfo() throws {
        let remote = try DescribedRemote("plain-userinfo")
        let name = "com.example.notes/Documents/doc-one-0001/documentInfo.plist"
        let info = try DocumentInfo(remote.storage.read(DescribedRemote.path(name)), path: FilePath(name))
        #expect(info.userInfo == Self.userInfo)
        #expect(info.originalDeviceDescription == "B2C0D0A4-0001-4A11-8E1D-0000000000AA's Mac")
        #expect(info.others.isEmpty)
    }

    @Test func integrityKeyIsWrittenLikeTheFrameworksOwn() throws {
        let remote = try DescribedRemote("plain-userinfo")
        let name = try #require(remote.files.keys.first { $0.contains("IntegrityKey") })
        let own = try SmallFiles.integrityKey(
            originalDevice: "B2C0D0A4-0001-4A11-8E1D-0000000000AA", path: FilePath(name))
        let theirs = try KeyedArchiveReader(remote.storage.read(DescribedRemote.path(name)))
        let ours = try KeyedArchiveReader(SharedBytes(own))
        #expect(try ours.value(of: ours.root()) == theirs.value(of: theirs.root()))
    }
}
