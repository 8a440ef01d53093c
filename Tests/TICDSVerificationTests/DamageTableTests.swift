import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore
@testable import TICDSDemonstration
@testable import TICDSVerification

/// Each row of Documentation/Damage.md is built, verified and simulated.
@Suite struct DamageTableTests {
    @Test(arguments: DamageRow.all.filter { $0.sample == nil })
    func aRowOfTheDemonstration(_ row: DamageRow) throws {
        let remote = try DamagedRemote(encrypted: row.isEncrypted)
        for step in row.steps { try row.inflict(step, on: remote) }
        let client = row.client.map { Damage.named($0, remote) }
        let (context, isRefused) = try remote.simulationContext(row.isEncrypted ? CleanRemote.password : nil)
        try row.check(context, client: client, document: row.document, refusesPassword: isRefused)
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

/// A row of the table: the damage, the synchronising client, and the framework's behaviour.
struct DamageRow: Sendable, CustomTestStringConvertible {
    let damage: String
    /// "remove PATH", "write PATH BYTES", "noise PATH BYTES", "folder PATH", "rename PATH PATH", "truncate PATH BYTES",
    /// "flip PATH OFFSET" (negative: from the end), "key NAME" (`<K>` is the present one), "newer PATH", "change ENTITY
    /// KEY" of an object that does not exist, "edit", "relate" and "insert ENTITY KEY" of one that does, "typeless"; alone:
    /// "sample NAME", "encrypted", "model", and "pantry" for the document with binary whole stores.
    let steps: [String]
    /// The client; nil for a new one.
    let client: String?
    let variant: Variant
    /// The behaviour of a running client, and of one that starts again.
    let running: String
    let anew: String
    let findings: [String]

    var testDescription: String { "\(damage): \(client ?? "new"), \(variant)" }
    var sample: String? { steps.first.flatMap { $0.hasPrefix("sample ") ? String($0.dropFirst(7)) : nil } }

    var isEncrypted: Bool { steps.contains("encrypted") }
    var document: RemoteName { steps.contains("pantry") ? "pantry" : "cookbook" }
    private var model: ManagedObjectModel? { steps.contains("model") ? DemonstrationModel.model : nil }

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
        findings = cells[6].split(separator: " ").map(String.init).filter { $0 != "-" }
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
        case "rename": try NewFile.rename(remote.path(words[1]), to: remote.path(words[2]))
        case "newer": try remote.setTime(words[1], FileTime(seconds: 1_390_000_000))
        case "truncate":
            try damage(words[1], on: remote) { $0 = Array($0.prefix(Int(words[2]) ?? 0)) }
        case "flip":
            let offset = Int(words[2]) ?? 0
            try damage(words[1], on: remote) { $0[offset < 0 ? $0.count + offset : offset] ^= 0xFF }
        case "key":
            let folder = "Documents/\(document)/IntegrityKey"
            let names = try remote.storage.list(["Documents", document, "IntegrityKey"]).listing
            let old = try #require(names.first?.name.text)
            try NewFile.rename(
                remote.path("\(folder)/\(old)"),
                to: remote.path("\(folder)/\(words[1].replacing("<K>", with: old))"))
        case "change", "edit", "relate", "insert":
            try add(try ChangeSetWriter.bytes(of: [change(words, remote)]), to: remote)
        case "typeless":
            var writer = BinaryStoreWriter(metadata: .binary(of: FrameworkModels.syncChange, uuid: .random()))
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: 1,
                slots: [
                    .null, .string("x"), .null, .date(1), .string("Recipe"), .string("A"), .null,
                    .string("title"),
                ])
            try add(try writer.finish(), to: remote)
        case "encrypted", "model", "pantry": break
        default: Issue.record("\(step)")
        }
    }

    private func damage(
        _ inside: String, on remote: DamagedRemote, _ change: (inout [UInt8]) -> Void
    ) throws {
        let time = try FileStatus.of(remote.path(inside)).modified
        var bytes = try FileBytes.read(remote.path(inside)).array
        change(&bytes)
        try TestFiles.write(remote.path(inside), bytes)
        try remote.setTime(inside, time)
    }

    private func add(_ set: [UInt8], to remote: DamagedRemote) throws {
        let path = "Documents/\(document)/SyncChanges/\(remote.clients[0])/0405400000.000000-ADDED.syncchg"
        try TestFiles.write(remote.path(path), set)
        try remote.setTime(path, try #require(FileTime(secondsSince2001: 405_400_000)))
    }

    /// "change", "edit", "relate" or "insert", an entity and a key.
    private func change(_ words: [String], _ remote: DamagedRemote) throws -> SyncChange {
        let entity = words[1] == "nil" ? "" : words[1]
        let key = words[2] == "nil" ? nil : words[2]
        switch words[0] {
        case "insert":
            let attributes = [ArchivedPair(key: .string(words[2]), value: .string("x"))]
            return SyncChange(
                type: .insert, entity: entity, objectSyncID: "NEW",
                changedAttributes: .dictionary(attributes),
                timestamp: 1)
        case "relate":
            return SyncChange(
                type: .toOne, entity: entity, objectSyncID: try remote.clean.syncID(of: entity), key: key,
                relatedEntity: "Ingredient", changedRelationships: .string("A"), timestamp: 1)
        default:
            let isThere = words[0] == "edit" && ["Recipe", "Ingredient"].contains(entity)
            return SyncChange(
                type: .attribute, entity: entity,
                objectSyncID: isThere ? try remote.clean.syncID(of: entity) : "A",
                key: key, changedAttributes: .string("x"), timestamp: 1)
        }
    }

    func check(
        _ context: VerificationContext, client: String?, document: RemoteName, refusesPassword: Bool = false
    ) throws {
        var settings = Verifier.Settings()
        settings.level = .deep
        let report = Verifier(context, settings).verify().report
        let codes = Set(report.findings.map { String($0.kind.code.dropFirst(6)) }).sorted()
        #expect(codes == findings, "\(damage)")
        func end(_ start: Simulation.Start) -> String {
            let simulation = SyncSimulator.run(
                client: client.map { RemoteName($0) }, document: document, variant: variant, start: start,
                model: model, refusesPassword: refusesPassword, context)
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
