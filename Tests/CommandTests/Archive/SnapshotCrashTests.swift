import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A snapshot that ends at any moment: the old ones are there until the new one is whole, and nothing is half done.
@Suite struct SnapshotCrashTests {
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func interruptedAnywhere() throws {
        let ground = try ArchiveGround(["--change-sets", "1"])
        let program = FaultyProgram(name: "ticds-remote", home: ground.place)
        let count = ground.place.appending("count")
        #expect(try program.run(words(try folder(ground, "first"), ground), fault: .count(count)) == 0)
        let calls = Int(String(decoding: try FileBytes.read(count).array, as: UTF8.self).dropLast()) ?? 0
        try #require(calls > 6)
        for number in stride(from: 1, through: calls, by: max(1, calls / 20)) {
            for fault in [FaultyProgram.Fault.kill(number), .fail(number, .noSpace)] {
                let folder = try folder(ground, "\(fault)")
                let status = try program.run(words(folder, ground), fault: fault)
                let names = try archives(folder)
                let new = names.filter { !$0.contains("-2020") }
                if new.isEmpty {
                    #expect(status != 0 && names.count == 2, "\(fault): \(status), \(names)")
                } else {
                    let file = folder.appending(new[0]).string
                    #expect(try ground.archive(["verify", file]).status == 0, "\(fault)")
                }
                // The next one must not meet one of the same second.
                if let new = new.first {
                    let older = "com.example.cookbook-20200103T000000Z.tar.zst"
                    try FileManager.default.moveItem(
                        atPath: folder.appending(new).string, toPath: folder.appending(older).string)
                }
                // A killed one leaves a private folder, which the next one takes away.
                #expect(try program.run(words(folder, ground)) == 0, "\(fault)")
                let all = try FileManager.default.contentsOfDirectory(atPath: folder.string)
                #expect(all.count == 2 && all.contains(".ticds-snapshot.lock"), "\(fault): \(all)")
            }
        }
    }

    private func words(_ folder: FilePath, _ ground: ArchiveGround) -> [String] {
        ["snapshot", ground.root.string, folder.string, "--keep-daily", "1"]
    }

    /// A folder with two old snapshots.
    private func folder(_ ground: ArchiveGround, _ name: String) throws -> FilePath {
        let folder = ground.place.appending("back-\(name)")
        try TestFiles.makeFolder(folder)
        for day in ["01", "02"] {
            try NewFile.write([1], to: folder.appending("com.example.cookbook-202001\(day)T000000Z.tar.zst"))
        }
        return folder
    }

    private func archives(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).filter { !$0.hasPrefix(".") }
    }
}
