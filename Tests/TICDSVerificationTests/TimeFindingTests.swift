import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct TimeFindingTests {
    private static let day: Int64 = 86_400

    /// The time in the name of a change set.
    private static func nominal(_ path: String) throws -> FileTime {
        let name = try #require(FilePath(path).lastComponent?.stem)
        return try #require(ChangeSetIdentifier.nominalTime(RemoteName(name)))
    }

    /// Dates a set this many seconds after (before, if negative) the time in its name.
    private static func shift(_ remote: DamagedRemote, _ set: String, _ seconds: Int64) throws {
        let nominal = try nominal(set)
        try remote.setTime(
            set, FileTime(seconds: nominal.seconds + seconds, nanoseconds: nominal.nanoseconds))
    }

    // MARK: Single sets

    @Test(
        arguments: [
            (-179 * day, false, nil), (-181 * day, false, "0402"), (-3600, false, nil),
            (23 * 3600, false, nil),
            (25 * 3600, false, "0402"), (-2 * day, true, "0402"), (-3600, true, nil),
            (30 * day, true, "0402"),
        ] as [(Int64, Bool, String?)])
    func oneSetFarFromItsName(seconds: Int64, encrypted: Bool, code: String?) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 0)[2]
        try Self.shift(remote, set, seconds)
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == (code.map { ["TICDS-" + $0] } ?? []))
        guard let finding = findings.first else { return }
        #expect(finding.path.text == set)
        let others = [1, 2].map { RemoteName(remote.clients[$0]) }.sorted()
        let first = Affected(.misorders, clients: others, newClients: true)
        #expect(finding.affected.first == first)
        #expect(
            finding.affected.map(\.consequence)
                == (seconds > 0 ? [.misorders] : [.misorders, .vacuumsTooMuch]))
        let time = try Self.nominal(set).iso
        #expect(finding.remedy(under: "/r").last == "touch -d \(time) /r/\(set)")
    }

    @Test func theRemedyMendsASet() throws {
        let remote = try DamagedRemote()
        let set = try remote.changeSets(of: 1)[1]
        try Self.shift(remote, set, 40 * Self.day)
        let finding = try #require(try remote.findings().first)
        try remote.run(finding)
        #expect(try FileStatus.of(remote.path(set)).modified == Self.nominal(set))
        #expect(try remote.findings().map(\.kind.code) == [])
    }

    @Test func aTimeBefore2010IsNotBelieved() throws {
        let remote = try DamagedRemote()
        try remote.setTime(try remote.changeSets(of: 0)[0], FileTime(seconds: 0))
        #expect(try remote.findings().map(\.kind.code) == ["TICDS-0402"])
    }

    // MARK: The future

    @Test(arguments: [(3599, false), (3601, true)] as [(Int64, Bool)])
    func theFutureBeginsInAnHour(seconds: Int64, isFound: Bool) throws {
        let remote = try DamagedRemote()
        let set = try #require(try remote.changeSets(of: 1).last)
        let now = try Self.nominal(set)
        for sync in try remote.storage.list(["Documents", "cookbook", "RecentSyncs"]).listing {
            try remote.setTime(
                "Documents/cookbook/RecentSyncs/\(sync.name)", FileTime(seconds: now.seconds - 9))
        }
        for client in 0..<3 {
            for other in try remote.changeSets(of: client) where try Self.nominal(other) > now {
                try remote.remove(other)
            }
        }
        try remote.remove("Documents/pantry")
        for store in try remote.storage.list(["Documents", "cookbook", "WholeStore"]).listing {
            try remote.setTime(
                "Documents/cookbook/WholeStore/\(store.name)/WholeStore.ticdsync",
                FileTime(seconds: now.seconds - 9))
        }
        try remote.setTime(set, FileTime(seconds: now.seconds + seconds))
        let findings = try remote.findings(now: FileTime(seconds: now.seconds))
        #expect(findings.map(\.kind.code) == (isFound ? ["TICDS-0401"] : []))
    }

    @Test func aSetFromTheFutureGetsTheTimeOfItsName() throws {
        let remote = try DamagedRemote()
        let set = try remote.changeSets(of: 0)[1]
        try remote.setTime(set, FileTime(seconds: 1_900_000_000))
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0401"])
        let finding = try #require(findings.first)
        #expect(finding.path.text == set)
        #expect(finding.affected.map(\.consequence) == [.misorders])
        #expect(finding.remedy(under: "/r").last == "touch -d \(try Self.nominal(set).iso) /r/\(set)")
    }

    @Test func manySetsFromTheFutureAreOneFinding() throws {
        let remote = try DamagedRemote()
        let sets = try remote.changeSets(of: 0)
        #expect(sets.count > 3)
        for set in sets { try remote.setTime(set, FileTime(seconds: 1_900_000_000)) }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0407"])
        #expect(findings.first?.path.text == "Documents/cookbook/SyncChanges/\(remote.clients[0])")
    }

    static let futureFiles = [
        Damage("0405", "Documents/pantry/RecentSyncs/<1>.recentsync", [(.vacuumsTooMuch, [1], false)]) {
            try $0.setTime(
                "Documents/pantry/RecentSyncs/\($0.clients[1]).recentsync", FileTime(seconds: 1_400_003_700))
        },
        Damage(
            "0405", "Documents/pantry/WholeStore/<0>/WholeStore.ticdsync", encrypted: true,
            [(.vacuumsTooMuch, [], true), (.cannotDownload, [], true)]
        ) {
            try $0.setTime(
                "Documents/pantry/WholeStore/\($0.clients[0])/WholeStore.ticdsync",
                FileTime(seconds: 1_400_003_700))
        },
    ]

    @Test(arguments: futureFiles) func aFileFromTheFuture(_ damage: Damage) throws { try damage.check() }

    // MARK: Many sets

    @Test(arguments: [false, true]) func aRestoreThatLostAllTimesIsOneFindingForADocument(encrypted: Bool)
        throws
    {
        let remote = try DamagedRemote(encrypted: encrypted)
        var second: Int64 = 1_399_000_000
        for client in 0..<3 {
            for set in try remote.changeSets(of: client) {
                try remote.setTime(set, FileTime(seconds: second))
                second += 1
            }
        }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0404"])
        let finding = try #require(findings.first)
        #expect(finding.path.text == "Documents/cookbook/SyncChanges")
        #expect(finding.client == nil && finding.document == "cookbook")
        #expect(finding.affected.first?.clients.count == 3)
        #expect(finding.found?.hasPrefix("36 of 36 change sets") == true)
        try remote.run(finding)
        for client in 0..<3 {
            for set in try remote.changeSets(of: client) {
                #expect(try FileStatus.of(remote.path(set)).modified == Self.nominal(set))
            }
        }
        #expect(try remote.findings().map(\.kind.code) == [])
    }

    @Test func aClientsTimesLostAreOneFinding() throws {
        let remote = try DamagedRemote()
        for set in try remote.changeSets(of: 0) { try remote.setTime(set, FileTime(seconds: 1_399_000_000)) }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0404"])
        #expect(findings.first?.path.text == "Documents/cookbook/SyncChanges/\(remote.clients[0])")
        #expect(findings.first?.client == RemoteName(remote.clients[0]))
    }

    @Test func setsOfOneMorningRestoredAtNoonAreFound() throws {
        let remote = try DamagedRemote()
        let folder = "Documents/pantry/SyncChanges/\(remote.clients[0])"
        for set in try remote.changeSets(of: 0, in: "pantry") { try remote.remove(set) }
        for number in 0..<8 {
            let set = "\(folder)/0\(400_000_000 + number * 1800).000000-ABCDEF.syncchg"
            try remote.write(set, time: 1_378_307_200 + 15_000 + Int64(number))
        }
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0404"])
        #expect(findings.first?.path.text == folder)
    }

    @Test func editsMadeOfflineAreSound() throws {
        let remote = try DamagedRemote()
        for client in 0..<3 {
            for (number, set) in try remote.changeSets(of: client).enumerated() {
                try Self.shift(remote, set, -Int64(number % 3) * 5 * 3600 - 10)
            }
        }
        #expect(try remote.findings().map(\.kind.code) == [])
    }

    @Test(arguments: [7200, -7200, 400 * day] as [Int64]) func oneShiftForAllIsTheClock(seconds: Int64) throws
    {
        let remote = try DamagedRemote()
        let folder = "Documents/pantry/SyncChanges/\(remote.clients[0])"
        for set in try remote.changeSets(of: 0, in: "pantry") { try remote.remove(set) }
        for number in 0..<8 {
            let time = 390_000_000 + number * 80_000
            let set = "\(folder)/0\(time).000000-ABCDEF.syncchg"
            try remote.write(set, time: Int64(time) + 978_307_200 + seconds)
        }
        let findings = try remote.findings(now: FileTime(seconds: 1_450_000_000))
        #expect(findings.map(\.kind.code) == ["TICDS-0403"])
        #expect(findings.first?.path.text == folder)
        #expect(findings.first?.found?.contains("\(abs(seconds)) seconds") == true)
    }

    @Test func anAppThatSynchronisesTenMinutesAfterTheLastEditIsSound() throws {
        let remote = try DamagedRemote()
        for client in 0..<3 {
            for set in try remote.changeSets(of: client) { try Self.shift(remote, set, -600) }
        }
        #expect(try remote.findings().map(\.kind.code) == [])
    }

    // MARK: Vacuum

    @Test func aSetEditedBeforeAndUploadedAfterTheLastSyncOfAnotherIsTakenByVacuum() throws {
        let remote = try DamagedRemote()
        let set = try #require(try remote.changeSets(of: 0).last)
        let nominal = try Self.nominal(set)
        for client in 0..<2 {
            try remote.setTime(
                "Documents/cookbook/RecentSyncs/\(remote.clients[client]).recentsync",
                FileTime(seconds: nominal.seconds + 10))
        }
        try remote.setTime(
            "Documents/cookbook/RecentSyncs/\(remote.clients[2]).recentsync",
            FileTime(seconds: nominal.seconds - 3600))
        for store in try remote.storage.list(["Documents", "cookbook", "WholeStore"]).listing {
            try remote.setTime("Documents/cookbook/WholeStore/\(store.name)/WholeStore.ticdsync", nominal)
        }
        #expect(try remote.findings().map(\.kind.code) == [])
        try Self.shift(remote, set, -7200)
        let findings = try remote.findings()
        #expect(findings.map(\.kind.code) == ["TICDS-0406"])
        let finding = try #require(findings.first)
        #expect(finding.path.text == set)
        #expect(finding.affected == [Affected(.silentlyLost, clients: [RemoteName(remote.clients[2])])])
        try remote.run(finding)
        #expect(try remote.findings().map(\.kind.code) == [])
    }
}
