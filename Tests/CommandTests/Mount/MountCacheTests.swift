import Base
import SystemCalls
import SystemPackage
import Testing
import TICDSCore

@testable import TICDSDataCommands

/// What a mount keeps on disk and in memory.
@Suite struct MountCacheTests {
    private struct Thing: KeptOnDisk {
        let size: Int64
        let memory: Int64
    }

    private func key(_ number: Int) -> StateCache.Key {
        StateCache.Key(kind: .objects, path: .root, fingerprint: number)
    }

    @Test func missingPartIsNoAbsence() throws {
        let cache = try StateCache()
        #expect {
            _ = try cache.get(key(1)) { () throws(FileProblem) -> Thing in
                throw FileProblem(.missing, path: "part", "does not exist")
            }
        } throws: {
            ($0 as? FileProblem)?.kind == .unreadable
        }
        #expect(try cache.get(key(1)) { Thing(size: 1, memory: 1) }.size == 1)
    }

    @Test(arguments: [Thing(size: 0, memory: 10 << 20), Thing(size: 1 << 30, memory: 0)])
    private func oldThingsGo(_ thing: Thing) throws {
        let cache = try StateCache()
        var made = 0
        func get(_ number: Int) throws {
            _ = try cache.get(key(number)) { () throws(FileProblem) -> Thing in
                made += 1
                return thing
            }
        }
        for number in 1...6 { try get(number) }
        try get(6)
        try get(5)
        #expect(made == 6)
        try get(1)
        #expect(made == 7)
    }

    @Test func contentIsMadeAgainOnceItIsOld() throws {
        let cache = ContentCache()
        var made: [Int] = []
        func get(_ number: Int) throws {
            let key = ContentCache.Key(
                path: .root, size: Int64(number), modified: FileTime(seconds: 0), form: 0)
            let content = try cache.content(key) { () throws(FileProblem) -> SharedBytes in
                made.append(number)
                if made.count == 1 { throw FileProblem(.unreadable, path: "file", "cannot be read") }
                return SharedBytes([UInt8](repeating: 7, count: 5 << 20))
            }
            #expect(content.count == 5 << 20)
        }
        #expect(throws: FileProblem.self) { try get(0) }
        for number in [0, 1, 2, 3, 3, 0] { try get(number) }
        #expect(made == [0, 0, 1, 2, 3])
        for number in [4, 5, 6, 7, 0] { try get(number) }
        #expect(made == [0, 0, 1, 2, 3, 4, 5, 6, 7, 0])
    }
}
