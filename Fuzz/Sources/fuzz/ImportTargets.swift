import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage

/// A model with the types and relationships that an import treats differently.
private let importedModel = ManagedObjectModel(entities: [
    EntityDescription(
        name: "Author",
        attributes: [
            AttributeDescription(name: "name", type: .string, isOptional: false, defaultValue: .string("a")),
            AttributeDescription(name: "ticdsSyncID", type: .string),
        ],
        relationships: [
            RelationshipDescription(
                name: "notes", destination: "Note", inverse: "author", maxCount: 0, isOrdered: true),
            RelationshipDescription(
                name: "friends", destination: "Author", inverse: "friends", maxCount: 0),
        ]),
    EntityDescription(
        name: "Note",
        attributes: [
            AttributeDescription(name: "blob", type: .binary),
            AttributeDescription(name: "flag", type: .boolean),
            AttributeDescription(name: "made", type: .date),
            AttributeDescription(name: "price", type: .decimal),
            AttributeDescription(name: "ratio", type: .double),
            AttributeDescription(name: "thing", type: .transformable),
            AttributeDescription(name: "title", type: .string),
            AttributeDescription(name: "unique", type: .uuid),
        ],
        relationships: [RelationshipDescription(name: "author", destination: "Author", inverse: "notes")]),
])

/// Imports a source in each way; whatever is left is written into a store, which is intact.
private func importAll(_ source: FilePath, _ form: StoreImport.Form, in folder: FilePath) throws {
    var options = StoreImport.Options(syncID: "ticdsSyncID")
    options.preferred = ["to-one"]
    let found = try StoreImport(source, form, model: importedModel, options)
    if found.hasFatalProblem { return }
    let path = folder.appending("store.sqlite")
    var store = try NewStore(
        creating: path, kind: .sqlite, model: importedModel, metadata: NewStoreMetadata())
    _ = try found.forEachObject { (object) throws(FileProblem) in
        try store.insert(object) { (_) throws(FileProblem) in }
    }
    let result = try store.finish()
    guard result.objects == found.count, result.dangling.isEmpty, result.contradictions.isEmpty else {
        finding("the relationships of an import do not fit")
    }
}

/// CSV of both entities: what comes after the first line `#` is that of the second one.
@Sendable func importCSV(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let parts = bytes.array.split(
        separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
    let csv = folder.path.appending("csv")
    try NewFile.makeFolder(csv)
    for (name, part) in zip(["Author.csv", "Note.csv"], parts) {
        try NewFile.write(Array(part), to: csv.appending(name))
    }
    try importAll(csv, .csv, in: folder.path)
}

@Sendable func importJSON(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("import")
    try NewFile.write(bytes.array, to: path)
    let isDocument = bytes.array.first != UInt8(ascii: "l")
    if !isDocument {
        try NewFile.write(Array(bytes.array.dropFirst()), to: folder.path.appending("lines"))
        return try importAll(folder.path.appending("lines"), .jsonl, in: folder.path)
    }
    try importAll(path, .json, in: folder.path)
}

@Sendable func importCSVSeeds() -> [[UInt8]] {
    [
        """
        primaryKey,name,ticdsSyncID,notes,friends\r\n1,Anna,A,"[""#2"",""#1""]",[]\r\n2,Bob,,[],[]\r\n#\
        primaryKey,blob,flag,made,price,ratio,thing,title,unique,author\r\n\
        1,AQI=,true,2013-05-01T12:00:00.250Z,12.50,1e-7,[1],"x\n""y",,A\r\n2,,,,,,,"",,A\r\n,,,,,,,new,,#2\r\n
        """,
        "\u{FEFF}sep=;\nname;primaryKey\nAnna;1\n\n#primaryKey;author\n7;1\n",
    ].map { Array($0.utf8) }
}

@Sendable func importJSONSeeds() -> [[UInt8]] {
    [
        """
        {"schema":"ticds.export/1","storeUUID":"0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55","keys":"syncIDs","entities":{"Author":[\
        {"primaryKey":1,"attributes":{"name":"Anna","ticdsSyncID":"A"},"relationships":{"notes":[1],"friends":[]}}],"Note":[\
        {"primaryKey":1,"attributes":{"blob":{"$data":"AQI="},"flag":true,"made":{"$date":"2013-05-01T12:00:00.250Z"},\
        "price":{"$decimal":"12.5"},"ratio":1.5,"thing":{"$set":[{"$int":"9223372036854775807"}]},"title":"ä",\
        "unique":{"$uuid":"0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"}},"relationships":{"author":"A"}}]}}
        """,
        """
        l{"schema":"ticds.exportedObject/1","entity":"Note","primaryKey":1,"attributes":{"thing":{"$attributedString":\
        "text","runs":[{"length":4,"attributes":{"b":1}}]}},"relationships":{"author":null}}
        {"entity":"Author","primaryKey":null,"attributes":{},"relationships":{"notes":[1]}}
        """,
    ].map { Array($0.utf8) }
}
