import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// What is left of a damaged binary store or change set. Of a sound store in the usual form every value that comes back is
/// one of the whole store, wherever it is cut off.
@Sendable func recoverBinaryStore(_ bytes: SharedBytes) throws {
    if let set = try? DamagedChangeSet(bytes, path: "fuzz") {
        try set.forEachChange { change in
            if change.offset < 0 || change.offset >= bytes.count {
                finding("a change behind the end of its file")
            }
        }
    }
    if let store = try? DamagedBinaryStore(bytes, path: "fuzz") {
        for model in [nil, FrameworkModels.syncChange] {
            try store.forEachObject(model: model, onDamage: { _ in }) { object in
                if object.offset < 0 || object.offset >= bytes.count {
                    finding("an object behind the end of its file")
                }
                if object.isWhole && (object.entity == nil || object.primaryKey == nil) {
                    finding("a whole object without a name")
                }
            }
        }
        var writer = RecoveredStoreWriter()
        try store.forEachObject(model: nil, onDamage: { _ in }) { writer.add($0) }
        if writer.count > 0, let made = try? writer.finish(store) {
            let count = try? BinaryStoreArchive(SharedBytes(made), path: "fuzz").count
            if count != writer.count { finding("a new store that cannot be read") }
        }
    }
    try compareCut(bytes)
}

private func compareCut(_ bytes: SharedBytes) throws {
    let forms = BinaryStoreArchive.canonicalForms(of: bytes)
    guard forms.count == 2, forms.allSatisfy(\.isUsual) else { return }
    var whole: [Int64: StoredObject] = [:]
    var count = 0
    try BinaryStore(try BinaryStoreArchive(bytes, path: "fuzz"), model: nil).forEachObject { object in
        whole[object.primaryKey] = object
        count += 1
    }
    guard whole.count == count else { return }
    for eighth in 1...7 {
        guard let part = bytes.slice(0..<bytes.count * eighth / 8),
            let cut = try? DamagedBinaryStore(part, path: "fuzz"), cut.objects.contradiction == nil
        else { continue }
        try cut.forEachObject(model: nil, onDamage: { _ in }) { object in
            guard let key = object.primaryKey, let original = whole[key] else { return }
            for attribute in object.attributes
            where attribute == attribute && !original.attributes.contains(attribute) {
                finding("another value of \(attribute.name) before the cut")
            }
        }
    }
}
