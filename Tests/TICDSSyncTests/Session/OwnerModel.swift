import SystemPackage

/// A model in which objects own others by relationships of every kind and with every delete rule.
///
/// A box owns its items (Cascade, to-many), its lid (Cascade, one-to-one, recorded at the lid), its boxes (Cascade,
/// ordered, so that there are levels and cycles) and its labels (Cascade, many-to-many). An item owns its cover
/// (Cascade, one-to-one, recorded at the item). A shelf denies its deletion while it has items, a place ignores its
/// items, and a person has no inverse.
enum OwnerModel {
    static let contents = #"""
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model name="" userDefinedModelVersionIdentifier="">
            <entity name="Box" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="boxes" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Box" inverseName="parent" inverseEntity="Box"/>
                <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
                <relationship name="labels" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Label" inverseName="homes" inverseEntity="Label"/>
                <relationship name="lid" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="Lid" inverseName="box" inverseEntity="Lid"/>
                <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="boxes" inverseEntity="Box"/>
            </entity>
            <entity name="Item" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
                <relationship name="cover" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="Picture" inverseName="item" inverseEntity="Picture"/>
                <relationship name="person" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person"/>
                <relationship name="place" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Place" inverseName="items" inverseEntity="Place"/>
                <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" inverseName="items" inverseEntity="Shelf"/>
            </entity>
            <entity name="Label" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="homes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Box" inverseName="labels" inverseEntity="Box"/>
            </entity>
            <entity name="Lid" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Box" inverseName="lid" inverseEntity="Box"/>
            </entity>
            <entity name="Person" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
            </entity>
            <entity name="Picture" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item" inverseName="cover" inverseEntity="Item"/>
            </entity>
            <entity name="Place" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="items" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Item" inverseName="place" inverseEntity="Item"/>
            </entity>
            <entity name="Shelf" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="items" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Item" inverseName="shelf" inverseEntity="Item"/>
            </entity>
        </model>
        """#

    /// Tables with the number of their entity.
    static let tables = [
        "ZBOX", "ZITEM", "ZLABEL", "ZLID", "ZPERSON", "ZPICTURE", "ZPLACE", "ZSHELF",
    ]
    /// Columns that lead to the rows of a table.
    static let links = [
        ("ZITEM", "ZBOX", "ZBOX"), ("ZBOX", "ZPARENT", "ZBOX"), ("ZLID", "ZBOX", "ZBOX"),
        ("ZITEM", "ZCOVER", "ZPICTURE"), ("ZITEM", "ZSHELF", "ZSHELF"), ("ZITEM", "ZPLACE", "ZPLACE"),
        ("ZITEM", "ZPERSON", "ZPERSON"),
    ]
    static let join = (table: "Z_1LABELS", box: "Z_1HOMES", label: "Z_3LABELS")
}

extension CloudRun {
    /// Two objects of every kind, which all replicas have.
    mutating func beginWithOwners() throws {
        for (number, table) in OwnerModel.tables.enumerated() {
            for name in 0..<2 {
                try replicas[0].edit(
                    "INSERT INTO \(table) (Z_ENT, ZNAME, ZTICDSSYNCID) VALUES (\(number + 1), 'first', '\(table)-\(name)')"
                )
            }
        }
        try share()
    }

    mutating func editOwners(_ number: Int) throws {
        let replica = replicas[number]
        made += 1
        switch random.below(10) {
        case 0, 1, 2:
            let table = random.below(OwnerModel.tables.count)
            let name = OwnerModel.tables[table]
            try edit(
                replica,
                "INSERT INTO \(name) (Z_ENT, ZNAME, ZTICDSSYNCID) "
                    + "VALUES (\(table + 1), 'n\(made)', '\(name)-C\(number)-\(made)')")
            for (table, column, target) in OwnerModel.links where table == name && random.below(3) > 0 {
                guard let key = try someKey(target, replica) else { continue }
                try edit(
                    replica,
                    "UPDATE \(table) SET \(column) = \(key) WHERE ZTICDSSYNCID = '\(name)-C\(number)-\(made)'"
                )
            }
        case 3, 4, 5:
            let (table, column, target) = OwnerModel.links[random.below(OwnerModel.links.count)]
            guard let row = try someKey(table, replica) else { return }
            let key = try random.below(5) == 0 ? nil : someKey(target, replica)
            try edit(
                replica,
                "UPDATE \(table) SET \(column) = \(key.map { "\($0)" } ?? "NULL") WHERE Z_PK = \(row)")
        case 6:
            guard let box = try someKey("ZBOX", replica), let label = try someKey("ZLABEL", replica) else {
                return
            }
            let join = OwnerModel.join
            try edit(
                replica,
                random.below(3) == 0
                    ? "DELETE FROM \(join.table) WHERE \(join.box) = \(box)"
                    : "INSERT OR IGNORE INTO \(join.table) (\(join.box), \(join.label)) VALUES (\(box), \(label))"
            )
        case 7:
            let table = OwnerModel.tables[random.below(OwnerModel.tables.count)]
            guard let row = try someKey(table, replica) else { return }
            try edit(replica, "UPDATE \(table) SET ZNAME = 'n\(made)' WHERE Z_PK = \(row)")
        default:
            let table = ["ZBOX", "ZBOX", "ZITEM", "ZSHELF", "ZPLACE", "ZLABEL", "ZPERSON"][random.below(7)]
            guard let row = try someKey(table, replica) else { return }
            try edit(replica, "DELETE FROM \(table) WHERE Z_PK = \(row)")
        }
    }

    private func edit(_ replica: TestReplica, _ statement: String) throws {
        tell("\(replica.client): \(statement)")
        try replica.edit(statement)
    }

    private mutating func someKey(_ table: String, _ replica: TestReplica) throws -> Int64? {
        try key(table, orderedBy: "ZTICDSSYNCID", replica)
    }
}
