import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes the seeds of each target into a folder of its name below `folder`, with the samples of `TICDS_SAMPLES`
/// where a target can use them.
@Sendable func writeSeeds(into folder: String) throws {
    let samples = try environment("TICDS_SAMPLES").map { try sampleFiles(FilePath($0)) } ?? []
    for target in targets {
        let place = FilePath(folder).appending(target.name)
        try NewFile.makeFolder(place)
        for (number, seed) in (try target.seeds() + samples.filter { suits($0, target.name) }).enumerated() {
            try NewFile.write(seed, to: place.appending("seed-\(number)"))
        }
    }
}

/// Whether a sample begins as the inputs of a target do.
private func suits(_ sample: [UInt8], _ target: String) -> Bool {
    switch target {
    case "store", "change-set", "lines", "validate", "damaged-store": sample.starts(with: "CoreData".utf8)
    case "model": sample.starts(with: "<?xml".utf8) || sample.starts(with: "bplist".utf8)
    case "verify": true
    case "zip": sample.starts(with: [0x50, 0x4B])
    case "xml-store": sample.starts(with: "<?xml".utf8)
    case "xml-plist": sample.starts(with: "<?xml".utf8)
    default: (target.contains("plist") || target.contains("archive")) && sample.starts(with: "bplist".utf8)
    }
}

private func sampleFiles(_ root: FilePath) throws -> [[UInt8]] {
    let listed = [
        "binary-stores/daymap-1.5.1.b_storedata", "binary-stores/daymap-1.5.3.b_storedata",
        "binary-stores/daymap-2.1.1.b_storedata", "models/TICDSSyncChangeSet.elements",
        "models/TICDSSyncChange.elements",
        "xml-stores/template.mslice", "sqlite-stores/restkit/RKSeedDatabase.sqlite", "zip/two-entries.zip",
        "zip/utf8-name.zip",
    ]
    return listed.compactMap { try? FileBytes.read(root.pushing(FilePath($0)), limit: .binaryStore).array }
}

private func everything() -> ArchivedValue {
    .array([
        .string("text"), .string("ü🔑"), .date(1.5), .null, .none, .integer(-1), .integer(Int128.max),
        .real(0.1),
        .boolean(true), .data([1, 2, 3]), .set([.real(2)]), .orderedSet([.string("a"), .string("b")]),
        .uuid(.random()), .decimal(ArchivedDecimal(mantissa: 15, exponent: -1, isNegative: false)),
        .url("http://example.com -- a"),
        .dictionary(["k": .array([.string(String(repeating: "x", count: 40))])]),
        .attributedString(
            ArchivedAttributedString(
                string: "runs", attributes: [.dictionary(["a": .integer(1)]), .dictionary([:])],
                runs: [.init(length: 2, attributes: 0), .init(length: 2, attributes: 1)])),
        .object(
            ArchivedObject(
                className: "C",
                fields: [
                    ArchivedField("f", .data([1, 2, 3])), ArchivedField("g", .integer(1), isInline: true),
                ])),
    ])
}

@Sendable func propertyListSeeds() throws -> [[UInt8]] {
    let value = ArchivedValue.dictionary([
        "a": .array([.integer(1), .integer(70_000), .real(1.5), .date(2), .boolean(false), .none]),
        "b": .dictionary(["ü": .data([UInt8](0...20)), "c": .uid(3)]), "d": .set([.integer(-1)]),
        "e": .orderedSet([.string(String(repeating: "x", count: 20)), .integer(Int128.min)]),
    ])
    return [try BinaryPropertyListWriter.bytes(of: value)] + (try archiveSeeds())
}

@Sendable func xmlPropertyListSeeds() throws -> [[UInt8]] {
    let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>a &amp; b</key><array><integer>1</integer><real>1.5</real><true/><false/>
        <date>2011-06-01T12:00:00Z</date><data>AAEC</data><string>&#252;<![CDATA[<x>]]></string></array></dict></plist>
        """
    return [Array(text.utf8)]
}

@Sendable func archiveSeeds() throws -> [[UInt8]] {
    [try KeyedArchiveWriter.bytes(root: everything()), try KeyedArchiveWriter.bytes(root: .string("x"))]
}

@Sendable func storeSeeds() throws -> [[UInt8]] {
    let id = ArchivedValue.string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    func change(
        _ type: ChangeType, key: String? = nil, related: String? = nil, _ attributes: ArchivedValue = .none,
        _ relationships: ArchivedValue = .none
    ) -> SyncChange {
        SyncChange(
            type: type, entity: "Note", objectSyncID: id.stringValue, key: key, relatedEntity: related,
            changedAttributes: attributes, changedRelationships: relationships, timestamp: 330_000_000)
    }
    return [
        try ChangeSetWriter.bytes(of: []), try ChangeSetWriter.bytes(of: [change(.delete)]),
        try ChangeSetWriter.bytes(of: [
            change(.insert, .dictionary(["title": .string("A"), "weight": .real(1.5), "ticdsSyncID": id])),
            change(.attribute, key: "title", .string("B")),
            change(.toOne, key: "book", related: "Book", .none, id),
            change(.addToMany, key: "tags", related: "Tag", .none, id),
            change(.removeFromMany, key: "tags", related: "Tag", .none, id),
            change(.attribute, key: "all", everything()),
            change(.delete),
        ]),
    ]
}

/// Three streams of deflate: stored, fixed codes, and codes of its own.
@Sendable func deflateSeeds() -> [[UInt8]] {
    [
        [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63], [0x4B, 0x4C, 0x4A, 0x4E, 0x44, 0x42, 0x00],
        [0x05, 0xC1, 0x81, 0x08, 0x00, 0x00, 0x00, 0x00, 0x20, 0x7F, 0xEB, 0x0B, 0x09, 0x01],
    ]
}
