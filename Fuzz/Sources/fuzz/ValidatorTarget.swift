import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
@testable import TestSupport

/// What a fast validator takes for sound, the readers must find sound and tell the same of; the metadata of a sound set
/// are known.
@Sendable func validate(_ bytes: SharedBytes) throws {
    if bytes.starts(with: Array("CoreData".utf8)) {
        try validateChangeSet(bytes)
    } else {
        try validateArchive(bytes)
    }
}

/// The metadata of one set of the writer.
private let known: KnownMetadata = {
    let known = KnownMetadata()
    if let set = try? ChangeSetWriter.bytes(of: []) {
        _ = try? FastChangeSetValidator(SharedBytes(set), known: known)
    }
    return known
}()

private struct Told: Equatable {
    var outlines: [ChangeOutline: Int] = [:]
    var versionHash: [UInt8]?
    var isUsual = true
}

private func validateChangeSet(_ bytes: SharedBytes) throws {
    var told = Told()
    var validator = try FastChangeSetValidator(bytes)
    for position in 0..<validator.count {
        told.outlines[try validator.outline(at: position), default: 0] += 1
    }
    told.versionHash = validator.versionHash
    told.isUsual = validator.isInUsualForm
    let again = try FastChangeSetValidator(bytes, known: known)
    guard again.versionHash == told.versionHash, again.isInUsualForm == told.isUsual else {
        finding("known metadata tell another hash or form")
    }
    var read = Told()
    do {
        let reader = try ChangeSetReader(bytes, path: "fuzz")
        try reader.forEachOutline(
            onDamage: { problem throws(FileProblem) in throw problem },
            { read.outlines[$0, default: 0] += 1 })
        read.versionHash = reader.versionHash(of: FrameworkModels.syncChangeEntity)
        read.isUsual = BinaryStoreArchive.canonicalForms(of: bytes).allSatisfy(\.isUsual)
    } catch {
        finding("the validator takes a set that cannot be read: \(error)")
    }
    guard told == read else { finding("validated \(told)\nread \(read)") }
}

private func validateArchive(_ bytes: SharedBytes) throws {
    var validator = try FastArchiveValidator(bytes)
    let kind = try validator.check(try validator.top(.root))
    let isUsual = validator.canonicalForm.isUsual
    do {
        let archive = try KeyedArchiveReader(bytes)
        var decoder = KeyedArchiveDecoder(archive)
        let read = try decoder.check(try archive.root())
        guard read == kind else { finding("validated \(kind), read \(read)") }
    } catch {
        finding("the validator takes an archive that cannot be read: \(error)")
    }
    guard isUsual == CanonicalForm(ofArchive: bytes).isUsual else { finding("another canonical form") }
}

/// Change sets and archives in every form.
@Sendable func validatorSeeds() throws -> [[UInt8]] {
    var seeds: [[UInt8]] = []
    for form in KeyedArchiveForm.all {
        seeds += try storeSeeds().map { try form.rewritten(store: $0) }
        seeds += try archiveSeeds().map { try form.rewritten(archive: $0) }
    }
    return seeds
}
