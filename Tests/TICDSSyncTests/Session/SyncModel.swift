import Base
import CoreDataStore
import KeyedArchive
import SystemPackage

/// A small model with every kind of relationship, for replicas that are edited by SQL.
enum SyncModel {
    static let contents = #"""
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model name="" userDefinedModelVersionIdentifier="">
            <entity name="Folder" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
            </entity>
            <entity name="Note" syncable="YES">
                <attribute name="count" optional="YES" attributeType="Integer 32"/>
                <attribute name="text" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="cover" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Picture" inverseName="note" inverseEntity="Picture"/>
                <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
                <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
            </entity>
            <entity name="Picture" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note" inverseName="cover" inverseEntity="Note"/>
            </entity>
            <entity name="Tag" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="ticdsSyncID" optional="YES" attributeType="String"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
            </entity>
        </model>
        """#

    static func model(_ contents: String = contents) throws -> ManagedObjectModel {
        try ModelFile.model(SharedBytes(Array(contents.utf8)), path: "contents")
    }
}
