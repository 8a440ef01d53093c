import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The examples of the article on reading; `DocumentationTests` sees to it that they are these.
@Suite struct ReadingExamples {
    @Test func whatIsThere() throws {
        let remote = try CleanRemote()
        let folder = remote.root.removingLastComponent()

        let root = try RemoteLocation.find(folder)
        let storage = LocalStorage(root: root)
        let snapshot = try RemoteSnapshot.take(storage)
        let lines = snapshot.documents.map { document in
            let sets = document.clients.reduce(0) { $0 + $1.changeSets.count }
            return "\(document.identifier): \(document.clients.count) clients, \(sets) change sets"
        }

        #expect(lines == ["cookbook: 3 clients, 12 change sets", "pantry: 3 clients, 12 change sets"])
        #expect(snapshot.strays.isEmpty)
    }

    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func howItIsCalled(_ kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind)
        let storage = remote.storage
        let snapshot = try RemoteSnapshot.take(storage)
        let password = CleanRemote.password

        let keyring = try PasswordCheck.open(storage, password: { password })
        let report = RemoteReport(snapshot, sources: ReportSources(storage, keyring: keyring))
        let names = report.clients.map { $0.description ?? $0.identifier.text }
        let behind = report.documents.flatMap(\.clients).filter { ($0.lag?.notApplied.part ?? 0) > 0 }

        #expect(keyring.isEncrypted == kind.isEncrypted)
        #expect(Set(names) == ["Anna’s MacBook Pro", "Anna’s iPhone", "Børge’s iPad"])
        #expect(behind.allSatisfy { $0.lag != nil })
        #expect(report.problems.isEmpty)
    }

    @Test func everyChange() throws {
        let remote = try CleanRemote()
        let storage = remote.storage
        let keyring = remote.keyring
        let snapshot = try RemoteSnapshot.take(storage)
        let document = try #require(snapshot.document("cookbook"))

        let history = ChangeHistory(of: document)
        var statistics = ChangeStatistics()
        var problems: [FileProblem] = []
        try history.forEachRecord(
            in: storage, keyring, onDamage: { problem in problems.append(problem) }
        ) { record in
            statistics.add(record)
        }

        #expect(history.count == 12)
        #expect(statistics.count > 12)
        #expect(problems.isEmpty)
    }
}
