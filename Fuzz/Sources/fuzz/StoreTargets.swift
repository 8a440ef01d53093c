import CoreDataStore
import Cryptography
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A binary store without a model, and with that of a change set.
@Sendable func readStore(_ bytes: SharedBytes) throws {
    let archive = try BinaryStoreArchive(bytes, path: "fuzz")
    for model in [nil, FrameworkModels.syncChange] {
        let store = BinaryStore(archive, model: model)
        _ = try? store.objectCounts()
        try store.forEachObject(entity: nil, onDamage: { _ in }, { _ in })
    }
}

@Sendable func readChangeSet(_ bytes: SharedBytes) throws {
    let changes = try ChangeSetReader(bytes, path: "fuzz")
    var statistics = ChangeStatistics()
    var effects = ChangeEffects()
    var sequence = 0
    let search = ChangeSearch("a")
    try changes.forEachChange(onDamage: { _ in }) { change in
        sequence += 1
        effects.apply(change)
        _ = search.matches(in: change)
        statistics.add(
            ChangeRecord(
                document: nil, client: nil, changeSet: "fuzz", sequence: sequence, change: change))
    }
}

@Sendable func readCompiledModel(_ bytes: SharedBytes) throws {
    let model = try ModelFile.model(bytes, path: "fuzz")
    _ = model.versionHashes
}

@Sendable func inflate(_ bytes: SharedBytes) throws {
    _ = try RawDeflate.inflate(bytes, limit: 16 << 20, path: "fuzz")
}

/// Any key does: it is the one that the input is sealed with.
private let keyBytes = [UInt8](repeating: 7, count: SyncKey.size)

/// Decrypts the input after it was given the length and the HMAC of a sound file, so that what lies behind the HMAC
/// is reached; and as it is, which the HMAC refuses.
@Sendable func decrypt(_ bytes: SharedBytes) throws {
    guard let key = SyncKey(bytes: keyBytes) else { return }
    _ = try? EncryptedFile.decrypt(bytes, with: key, path: "fuzz")
    let body = bytes.array(0..<bytes.count / 16 * 16)
    var code = HMACSHA256(key: keyBytes)
    code.update(body)
    _ = try EncryptedFile.decrypt(SharedBytes(body + code.finalize()), with: key, path: "fuzz")
}

@Sendable func encryptedSeeds() throws -> [[UInt8]] {
    guard let key = SyncKey(bytes: keyBytes) else { return [] }
    return try [0, 1, 15, 16, 100, 70_000].map { count in
        let plain = SharedBytes([UInt8](repeating: 65, count: count))
        return try EncryptedFile.encrypt(plain, with: key, path: "fuzz").array.dropLast(32)
    }
}
