import Base
import CoreDataStore
import CoreDataTools
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

/// A store of the XML type without a model, and with that of the seeds. Every object has one name and key for both.
@Sendable func readXMLStore(_ bytes: SharedBytes) throws {
    var keys: [[Int64]] = []
    for model in [nil, xmlStoreModel] {
        let store = try XMLStore(bytes, path: "fuzz", model: model, mismatch: .accept)
        var found: [Int64] = []
        try store.forEachObject(entity: nil, onDamage: { _ in }) { found.append($0.primaryKey) }
        if found.count != (try store.objectCounts().reduce(0) { $0 + $1.count }) {
            finding("the number of objects is another than that of the pass")
        }
        _ = try StoreChecker.check(store)
        keys.append(found.sorted())
    }
    if keys[0] != keys[1] { finding("a model changes the keys of objects") }
}

private let xmlStoreModel = ManagedObjectModel(entities: [
    EntityDescription(
        name: "Person",
        attributes: [
            AttributeDescription(name: "firstName", type: .string),
            AttributeDescription(name: "age", type: .integer16),
            AttributeDescription(name: "photo", type: .transformable),
        ],
        relationships: [
            RelationshipDescription(name: "pets", destination: "Pet", inverse: "owner", maxCount: 0),
            RelationshipDescription(name: "boss", destination: "Person"),
        ]),
    EntityDescription(
        name: "Pet",
        relationships: [RelationshipDescription(name: "owner", destination: "Person", inverse: "pets")]),
])

@Sendable func xmlStoreSeeds() throws -> [[UInt8]] {
    let info = """
        <databaseInfo><version>134481920</version><UUID>D1E2667A-3268-45DB-8AA0-DF69A046A0F1</UUID>\
        <nextObjectID>110</nextObjectID><metadata><plist version="1.0"><dict><key>NSStoreModelVersionHashes</key>\
        <dict><key>Person</key><data>AAAA</data><key>Pet</key><data>AAAA</data></dict></dict></plist></metadata>\
        </databaseInfo>
        """
    let start =
        "<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">"
    let objects = """
        <object type="PERSON" id="z102"><attribute name="firstname" type="string">a\\\\b \\u3c00\\u3dd8\\u00de</attribute>\
        <attribute name="age" type="int16">7</attribute><attribute name="born" type="date">1.5</attribute>\
        <attribute name="photo" type="binary">aGVsbG8=</attribute><attribute name="worth" type="decimal">1.50</attribute>\
        <relationship name="pets" type="0/0" destination="PET" idrefs="z103 z104"></relationship>\
        <relationship name="boss" type="1/1" destination="PERSON"></relationship></object>\
        <object type="PET" id="z103"><relationship name="owner" type="1/1" destination="PERSON" idrefs="z102"/></object>
        """
    return [
        "\(start)<database>\(info)\(objects)</database>", "<database>\(info)</database>",
        "<database><databaseInfo><metadata>&lt;plist>&lt;dict/>&lt;/plist></metadata></databaseInfo></database>",
    ].map { Array($0.utf8) }
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
    var code = try HMACSHA256(key: keyBytes)
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
