import Synchronization
import SystemCalls
import TICDSVerification
import TestSupport
import Testing
import TICDSCore

@Suite struct VerifierTests {
    @Test func everyFileWithARoleIsOpenedOnce() throws {
        let remote = try CleanRemote(changeSets: 6)
        let context = try remote.context()
        var files = 0
        context.snapshot.tree.forEachFile(below: .root) { _ in files += 1 }
        let (report, known) = Verifier(context).verify()
        #expect(report.examined.count == files)
        #expect(report.isComplete)
        #expect(report.findings.isEmpty)
        #expect(known.count == 0, "nothing is remembered unless asked for")
    }

    @Test func levelNamesOpensNothing() throws {
        let remote = try CleanRemote(changeSets: 6)
        var settings = Verifier.Settings()
        settings.level = .names
        #expect(Verifier(try remote.context(), settings).verify().report.examined.count == 0)
    }

    @Test func oneDocumentIsVerifiedByItself() throws {
        let remote = try CleanRemote(changeSets: 6)
        try spoil(remote, "cookbook")
        try spoil(remote, "pantry")
        var settings = Verifier.Settings()
        settings.document = "pantry"
        let report = Verifier(try remote.context(), settings).verify().report
        #expect(Set(report.findings.map(\.document)) == ["pantry"])
        let all = Verifier(try remote.context()).verify().report
        #expect(Set(all.findings.map(\.document)) == ["cookbook", "pantry"])
        #expect(report.examined.count < all.examined.count)
    }

    @Test func oneDocumentIsVerifiedWithTheApplication() throws {
        let remote = try CleanRemote(changeSets: 6)
        let info = "ClientDevices/\(remote.clients[0])/deviceInfo.plist"
        try remote.write(info, Array("nothing".utf8))
        try spoil(remote, "cookbook")
        var settings = Verifier.Settings()
        settings.document = "pantry"
        let report = Verifier(try remote.context(), settings).verify().report
        #expect(
            report.findings.map(\.path.text) == [info] && report.findings.allSatisfy { $0.document == nil })
    }

    @Test(arguments: [1, 2, 5])
    func theOrderDoesNotDependOnTheWorkers(workers: Int) throws {
        let remote = try CleanRemote(changeSets: 12)
        for document in ["cookbook", "pantry"] { try spoil(remote, document) }
        let context = try remote.context()
        var settings = Verifier.Settings()
        settings.workers = 1
        let expected = Verifier(context, settings).verify().report.findings
        settings.workers = workers
        #expect(Verifier(context, settings).verify().report.findings == expected)
        #expect(expected.count >= 2)
    }

    @Test func itStopsBetweenTwoFiles() throws {
        let remote = try CleanRemote(changeSets: 6)
        let context = try remote.context()
        let calls = Mutex(0)
        var settings = Verifier.Settings()
        settings.workers = 1
        settings.level = .deep
        settings.mayContinue = {
            calls.withLock {
                $0 += 1
                return $0 <= 3
            }
        }
        let (report, _) = Verifier(context, settings).verify()
        #expect(report.examined.count == 3)
        #expect(report.left.count == context.fileCount - 3)
        #expect(report.areDocumentsLeft && !report.isComplete)
    }

    @Test func progressEndsWithAll() throws {
        let remote = try CleanRemote(changeSets: 6)
        let context = try remote.context()
        let seen = Mutex<[VerificationProgress]>([])
        var settings = Verifier.Settings()
        settings.onProgress = { progress in seen.withLock { $0.append(progress) } }
        _ = Verifier(context, settings).verify()
        let all = seen.withLock(\.self)
        #expect(all.map(\.files) == Array(1...context.fileCount))
        #expect(all.last?.bytes == all.last?.bytesInAll)
    }

    @Test func withoutThePasswordOneNoteTellsSo() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let locked = try remote.context(keyring: RemoteKeyring(.locked))
        let report = Verifier(locked).verify().report
        #expect(report.findings.map(\.kind.code) == ["TICDS-0509"])
        #expect(report.findings.first?.found?.hasSuffix("encrypted files") == true)
        #expect(report.lacksPassword && !report.isComplete && !report.lacksTime)
        let all = report.examined.count + report.notOpened.count
        #expect(report.findings.first?.found == "\(report.notOpened.count) encrypted files")
        #expect(all == locked.fileCount && report.examined.count > 0)
    }

    /// Names and first bytes need no password, and with it nothing is omitted.
    @Test func whatNeedsNoPasswordLacksNone() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        var settings = Verifier.Settings()
        for level in [VerificationLevel.names, .headers] {
            settings.level = level
            let report = Verifier(try remote.context(keyring: RemoteKeyring(.locked)), settings).verify()
                .report
            #expect(!report.lacksPassword && report.isComplete && report.notOpened.count == 0)
        }
        let open = Verifier(try remote.context()).verify().report
        #expect(!open.lacksPassword && open.isComplete && open.notOpened.count == 0)
    }

    /// Truncates a change set of the first client.
    private func spoil(_ remote: CleanRemote, _ document: String) throws {
        let name = try #require(try remote.changeSets(of: remote.clients[0], in: document).first)
        try remote.damage("Documents/\(document)/SyncChanges/\(remote.clients[0])/\(name)") {
            $0.removeLast($0.count / 2)
        }
    }
}

extension VerificationContext {
    fileprivate var fileCount: Int {
        var count = 0
        snapshot.tree.forEachFile(below: .root) { _ in count += 1 }
        return count
    }
}
