import SystemCalls
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// The compact list of entries gives what an array of them gives.
@Suite struct BackupEntriesTests {
    /// Paths with few different names, so that files are above folders and names begin alike.
    private static func paths(_ random: inout RandomNumbers) -> [RemotePath] {
        let names: [RemoteName] = ["a", "ab", "b", "b.c", RemoteName([0xFF]), RemoteName("a\u{301}"), "Z"]
        let paths = (0..<200).map { _ in
            RemotePath(
                (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
                    names.randomElement(using: &random)
                })
        }
        return Array(Set(paths))
    }

    private static func entries(_ random: inout RandomNumbers) -> [BackupEntry] {
        paths(&random).enumerated().map { number, path in
            let isFolder = number % 3 == 0
            return BackupEntry(
                path: path, role: isFolder ? .folder : FileRole.allCases[number % FileRole.allCases.count],
                size: Int64.random(in: 0 ... .max, using: &random),
                modified: FileTime(seconds: Int64.random(in: .min ... .max, using: &random), nanoseconds: 7),
                digest: isFolder ? nil : (0..<32).map { UInt8(truncatingIfNeeded: number + $0) },
                base: number % 5 == 0 ? number : nil)
        }
    }

    @Test func listGivesTheEntriesOfAnArray() {
        var random = RandomNumbers()
        for _ in 0..<20 {
            let array = Self.entries(&random)
            let list = BackupEntries(array)
            #expect(Array(list) == array)
            for (position, entry) in array.enumerated() {
                #expect(list.path(at: position) == entry.path)
                #expect(list.isFolder(at: position) == entry.isFolder)
                for other in array {
                    #expect(list.has(other.path, at: position) == (entry.path == other.path))
                    #expect(list.precedes(other.path, at: position) == (entry.path < other.path))
                }
            }
        }
    }

    @Test func sortedListFindsEachPathAndNoOther() {
        var random = RandomNumbers()
        for _ in 0..<50 {
            let array = Self.entries(&random).sorted { $0.path < $1.path }
            let list = BackupEntries(array)
            #expect(list.areSorted)
            for path in Self.paths(&random) {
                #expect(list.sortedPosition(of: path) == array.firstIndex { $0.path == path })
            }
            for position in array.indices.dropFirst() {
                var swapped = array
                swapped.swapAt(position - 1, position)
                #expect(!BackupEntries(swapped).areSorted)
            }
        }
    }

    @Test func changedEntryHasTheNewValues() {
        var random = RandomNumbers()
        var array = Self.entries(&random)
        var list = BackupEntries(
            array.map {
                var entry = $0
                entry.digest = nil
                return entry
            })
        for position in array.indices {
            if let digest = array[position].digest { list.set(digest, at: position) }
            array[position].base = position % 2 == 0 ? nil : -position
            list.set(base: array[position].base, at: position)
            array[position].size = Int64(position)
            array[position].modified = FileTime(seconds: -1, nanoseconds: 1)
            list.set(size: array[position].size, modified: array[position].modified, at: position)
        }
        #expect(list == BackupEntries(array))
    }

    @Test func namesThatCannotBeStoredAreKept() {
        let array = [[], [""], ["a", ""], [RemoteName([UInt8](repeating: 65, count: 70_000))]].map {
            BackupEntry(path: RemotePath($0), role: .unknown, size: 1, modified: FileTime(seconds: 0))
        }
        #expect(Array(BackupEntries(array)) == array)
    }
}
