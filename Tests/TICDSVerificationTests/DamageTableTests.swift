import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Documentation/Damage.md: each row is built, verified and simulated.
@Suite struct DamageTableTests {
    @Test(arguments: DamageRow.all.filter { $0.sample == nil })
    func aRowOfTheDemonstration(_ row: DamageRow) throws {
        let remote = try DamagedRemote()
        for step in row.steps { try row.inflict(step, on: remote) }
        let client = row.client.map { Damage.named($0, remote) }
        try row.check(try remote.context(), client: client, document: "cookbook")
    }

    @Test(arguments: DamageRow.all.filter { $0.sample != nil })
    func aRowOfASample(_ row: DamageRow) throws {
        let sample = try SampleRemote("live/\(row.sample ?? "")")
        let storage = LocalStorage(root: try RemoteLocation.find(sample.parent()))
        let snapshot = try RemoteSnapshot.take(storage)
        let keyring = RemoteKeyring(snapshot.isEncrypted ? .locked : .plain)
        let context = VerificationContext(storage: storage, snapshot: snapshot, keyring: keyring, now: .now)
        try row.check(context, client: row.client, document: "labbook")
    }

    @Test func theTableHasRows() {
        #expect(DamageRow.all.count > 25)
        #expect(Set(DamageRow.all.compactMap(\.sample)).count >= 8)
    }
}

/// A row of the table: what is damaged, who then synchronises, and what the framework does.
struct DamageRow: Sendable, CustomTestStringConvertible {
    let damage: String
    /// "remove PATH", "write PATH BYTES", "noise PATH BYTES", "folder PATH", "change ENTITY KEY"; "sample NAME" alone.
    let steps: [String]
    /// Nil for a new client.
    let client: String?
    let variant: Variant
    /// What a running client does, and one that starts anew.
    let running: String
    let anew: String
    let findings: [String]

    var testDescription: String { "\(damage): \(client ?? "new"), \(variant)" }
    var sample: String? { steps.first.flatMap { $0.hasPrefix("sample ") ? String($0.dropFirst(7)) : nil } }

    static let all: [DamageRow] = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = package.appending(path: "Documentation/Damage.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""  // try?: `theTableHasRows` fails
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`") }.map(
            DamageRow.init)
    }()

    init(_ line: Substring) {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        damage = cells[0]
        steps = cells[1].split(separator: "`").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "," }
        client = cells[2] == "new" ? nil : cells[2].replacing("`", with: "")
        variant = Variant.allCases.first { $0.rawValue.lowercased() == cells[3] } ?? .fileManager
        running = cells[4]
        anew = cells[5]
        findings = cells[6].split(separator: " ").map(String.init)
    }

    func inflict(_ step: String, on remote: DamagedRemote) throws {
        let words = Damage.named(step, remote).split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "remove": try remote.remove(words[1])
        case "write": try remote.write(words[1], String(repeating: "x", count: Int(words[2]) ?? 0))
        case "noise":
            let bytes = [UInt8](repeating: 0xA7, count: Int(words[2]) ?? 0)
            try TestFiles.write(remote.path(words[1]), bytes)
        case "folder": try remote.makeFolder(words[1])
        case "change":
            let change = SyncChange(
                type: .attribute, entity: words[1], objectSyncID: "A", key: words[2],
                changedAttributes: .string("x"), timestamp: 1)
            let path = "Documents/cookbook/SyncChanges/\(remote.clients[0])/0405400000.000000-ADDED.syncchg"
            try TestFiles.write(remote.path(path), try ChangeSetWriter.bytes(of: [change]))
            try remote.setTime(path, try #require(FileTime(secondsSince2001: 405_400_000)))
        default: Issue.record("\(step)")
        }
    }

    func check(_ context: VerificationContext, client: String?, document: RemoteName) throws {
        var settings = Verifier.Settings()
        settings.level = .deep
        let report = Verifier(context, settings).verify().report
        let codes = Set(report.findings.map { String($0.kind.code.dropFirst(6)) }).sorted()
        #expect(codes == findings, "\(damage)")
        func end(_ start: Simulation.Start) -> String {
            let simulation = SyncSimulator.run(
                client: client.map { RemoteName($0) }, document: document, variant: variant, start: start,
                context)
            guard simulation.start == start else { return "-" }
            let code = simulation.stop?.error.map { " \($0.code)" } ?? ""
            return switch simulation.outcome {
            case .done, .skipped: "done"
            case .fails: "fails" + code
            case .wouldCrash: "crashes"
            case .silentLoss: "loses"
            case .unknown: "depends"
            }
        }
        #expect(end(.running) == running, "\(damage)")
        #expect(end(.anew) == anew, "\(damage)")
    }
}
