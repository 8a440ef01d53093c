import Base
import SystemCalls
import SystemPackage
import Testing
@testable import TICDSArchive
import TICDSCore

/// Archives that would fill the memory.
@Suite struct ArchiveLimitTests {
    @Test func aListingRefusesTooManyMembers() throws {
        var bytes: [UInt8] = []
        for name in ["a", "b"] {
            let member = TarMember(
                name: Array(name.utf8), isFolder: false, size: 0, modified: FileTime(seconds: 0))
            var header = [UInt8](repeating: 0, count: TarMember.headerLimit(nameCount: 1))
            let count = header.withUnsafeMutableBytes { member.writeHeader(to: $0) }
            bytes += header[..<count]
        }
        bytes += [UInt8](repeating: 0, count: 2 * TarMember.block)
        let scratch = try TemporaryFolder()
        let path = scratch.path.appending("archive.tar")
        try NewFile.write(bytes, to: path)
        #expect(try ArchiveListing(.file(path), limit: 2).members.count == 2)
        #expect(throws: FileProblem.self) { try ArchiveListing(.file(path), limit: 1) }
    }

    @Test func aManifestRefusesTooManyElements() {
        let text = "[" + String(repeating: "0,", count: 16_000_000) + "0]"
        var scanner = JSONScanner(Array(text.utf8))
        #expect(throws: JSONScanner.Problem.self) { try scanner.skip() }
    }
}
