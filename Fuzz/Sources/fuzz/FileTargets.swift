import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSVerification
import TICDSCore

/// A data model of any form: compiled, `elements` or XML.
@Sendable func readModel(_ bytes: SharedBytes) throws {
    let model = try ModelFile.model(bytes, path: "fuzz")
    _ = model.versionHashes
}

/// Everything that may be checked as a file by itself: SQLite and binary stores, registers, zips, property lists.
@Sendable func verifyFile(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    for name in ["file.syncchg", "file.ticdsync"] {
        let path = folder.path.appending(name)
        try NewFile.write(bytes.array, to: path)
        _ = try FileVerifier.findings(ofLoose: path, now: FileTime(seconds: 1_400_000_000))
    }
}

@Sendable func modelSeeds() throws -> [[UInt8]] {
    let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model name="" userDefinedModelVersionIdentifier="1"><entity name="Note" representedClassName="Note"
        syncable="YES"><attribute name="title" optional="YES" attributeType="String" defaultValueString="a"/>
        <attribute name="weight" attributeType="Double" defaultValueString="0.0"/><relationship name="book"
        optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" inverseName="notes"
        inverseEntity="Book"/></entity><entity name="Book" isAbstract="YES"><relationship name="notes" toMany="YES"
        ordered="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="book" inverseEntity="Note"/>
        </entity></model>
        """
    return [Array(text.utf8)] + (try archiveSeeds())
}

@Sendable func fileSeeds() throws -> [[UInt8]] {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("register")
    try ChangeSetRegisterWriter.write([RegisteredChangeSet(identifier: "a", clientIdentifier: "b")], to: path)
    let local: [UInt8] = [
        0x50, 0x4B, 0x03, 0x04, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0, 1, 0, 0, 0,
        1, 0, 0, 0, 0x61, 0x61,
    ]
    let directory: [UInt8] = [
        0x50, 0x4B, 0x01, 0x02, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0,
        1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x61,
    ]
    let end: [UInt8] = [
        0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0, 1, 0, 1, 0, 47, 0, 0, 0, 32, 0, 0, 0, 0, 0,
    ]
    let zip = local + directory + end
    return try storeSeeds() + xmlPropertyListSeeds() + [
        try FileBytes.read(path, limit: .register).array, zip,
    ]
}
