package import Base
import SystemCalls
package import TICDSCore

/// Change sets, with the times of the oldest and the newest.
private let changeSets = JSONFields<(totals: FileTotals, times: ClosedRange<FileTime>?)> {
    $0("count", "", { $0.totals.count })
    $0("bytes", "", { $0.totals.bytes })
    $0("oldest", "By modification time.", { $0.times?.lowerBound })
    $0("newest", "By modification time.", { $0.times?.upperBound })
}

extension ReadingCapabilities: JSONObject {
    package static let fields = JSONFields<ReadingCapabilities>(home: "ticds.status/1") {
        $0(
            "timeResolution",
            "The smallest difference of two modification times, in nanoseconds; null where files have none of their own.",
            \.timeResolution)
        $0("digests", "The digests that it has of its files.", \.digests)
        $0("ignoresCase", "Whether names that differ only in case are one.", \.ignoresCase)
        $0("allowsTwins", "Whether a folder can have two files of one name.", \.allowsTwins)
        $0("takesChanges", "Whether commands can change a remote there.", { $0.refusal == nil })
        $0(
            "refusal", "Why they cannot, and the way out; null if they can.",
            { $0.refusal.map { refusal in "\(refusal.problem)" + (refusal.advice.map { ". \($0)" } ?? "") } })
    }
}

extension Stray: JSONObject {
    package static let fields = JSONFields<Stray>(home: "ticds.status/1") {
        $0("path", "The entry.", \.path)
        $0("kind", "The reason why it is listed.", \.kind)
        $0("size", "0 for a folder.", \.size)
        $0("modified", "", \.modified)
        $0("twin", "The entry beside it of which it is a copy, or which it resembles.", \.twin)
    }
}

extension DocumentReport: JSONObject {
    package static let fields = JSONFields<DocumentReport>(home: "ticds.documents/1") {
        $0("identifier", "The name of its folder.", \.identifier)
        $0("description", "The name that the app gave it.", \.description)
        $0("originalDevice", "The client that created it.", \.info?.originalDeviceIdentifier)
        $0("originalDeviceDescription", "The name of that client.", \.info?.originalDeviceDescription)
        $0("userInfo", "What the app added.", \.info?.userInfo)
        $0(
            "lastSync",
            """
            The time of the folder RecentSyncs, which the framework shows, even for a document that was \
            never synchronised.
            """, \.lastSync)
        $0(
            "integrityKeys", "An intact document has one. Null, as below, if not all could be listed.",
            \.integrityKeys.known)
        $0("clients", "The members of the document, which have a folder in SyncChanges.", \.members.known)
        $0("deletedClients", "Clients that were removed from it.", \.deletedClients.known)
        $0(
            "changeSets", "Its change sets.",
            { report in report.changeSets.known.map { ($0, report.changeSetTimes) } },
            TICDSCommandLine.changeSets)
        $0(
            "wholeStores", "Its whole stores.", \.wholeStores.known,
            JSONFields {
                $0("count", "", \.count)
                $0(
                    "bytes", "Null if a store is not on this machine.",
                    { stores in
                        stores.reduce(Int64?(0)) { sum, store in
                            sum.flatMap { sum in store.size.known.map { sum +| $0 } }
                        }
                    })
                $0("newest", "", { $0.compactMap(\.modified).max() })
            })
        $0("temporaryFiles", "What uploads left behind.", \.temporaryFiles.known)
        $0("sharedExternalData", "The files that whole stores share.", \.sharedExternalData.known)
        $0("missingFolders", "Folders that the framework makes and that are missing.", \.missingFolders)
        $0("hasDocumentInfo", "Whether there is a documentInfo.plist.", \.hasDocumentInfo.known)
        $0(
            "unseen",
            """
            Names of its folders, and documentInfo.plist, that could not be listed, or not all of them.
            """, \.unlisted)
    }
}

extension DeletedDocumentReport: JSONObject {
    package static let fields = JSONFields<DeletedDocumentReport>(home: "ticds.documents/1") {
        $0("identifier", "", \.identifier)
        $0("description", "", \.description)
        $0("deleted", "", \.deleted)
    }
}

extension DeviceReport: JSONObject {
    package static let fields = JSONFields<DeviceReport>(home: "ticds.clients/1") {
        $0("identifier", "", \.identifier)
        $0("description", "The app's name for the device.", \.description)
        $0("userInfo", "What the app added.", \.info?.userInfo)
        $0(
            "registered",
            "False for a client that only documents mention; null if ClientDevices could not be listed.",
            \.isRegistered)
        $0(
            "listed", "Whether the framework's own list shows it; null if ClientDevices could not be listed.",
            \.isListed)
        $0(
            "documents", "Documents of which it is a member; null, as below, if not all could be listed.",
            \.documents.known)
        $0("deletedFrom", "Documents that have a tombstone of it.", \.deletedFrom.known)
        $0(
            "lastSync", "The latest of all documents; null means unknown, not never.",
            { $0.lastSync.known.flatMap(\.self) })
        $0(
            "wholeStoreUploaded", "The latest of all documents; null means unknown.",
            { $0.wholeStoreUploaded.known.flatMap(\.self) })
        $0("changeSets", "Those of all documents; null if not all could be listed.", \.changeSets.known)
    }
}

extension DeviceDuplicate: JSONObject {
    package static let fields = JSONFields<DeviceDuplicate>(home: "ticds.clients/1") {
        $0(
            "reason",
            """
            The same description and user info, or identifiers that differ in letter case or Unicode form \
            only.
            """, \.reason)
        $0("clients", "", \.clients)
    }
}

extension ClientLag: JSONObject {
    package static let fields = JSONFields<ClientLag>(home: "ticds.clients/1") {
        $0("asOf", "The time of the register: nothing later is known.", \.asOf)
        $0("applied", "Sets that the register names.", \.applied)
        $0(
            "notApplied",
            "Sets of others that are in the document and that it does not name; null if not all could be listed.",
            \.notApplied.known)
        $0(
            "behind", "The same by author.", \.behind.known,
            JSONFields {
                $0("client", "", \.client)
                $0("changeSets", "", \.changeSets)
                $0("oldest", "", \.oldest)
            })
    }
}

/// A client of a document.
package struct DocumentClient: JSONObject {
    private let document: RemoteName
    private let client: DocumentClientReport

    /// A client of `document`.
    package init(_ client: DocumentClientReport, of document: RemoteName) {
        self.document = document
        self.client = client
    }

    package static let fields = JSONFields<DocumentClient>(home: "ticds.clients/1") {
        $0("document", "", \.document)
        $0("client", "", \.client.identifier)
        $0("description", "The app's name for the device.", \.client.description)
        $0(
            "member",
            """
            Whether it is a member of the document; null if SyncChanges could not be listed. A client that is not a \
            member has left other files there.
            """, \.client.isMember)
        $0(
            "listed",
            "Whether the framework's list of the document's clients shows it; null if that could not be listed.",
            \.client.isListed)
        $0(
            "tombstone",
            "Whether it was removed from the document; null if DeletedClients could not be listed.",
            \.client.hasTombstone)
        $0("lastSync", "The time of its recent sync file.", \.client.lastSync)
        $0(
            "wholeStoreUploaded", "The time of its whole store; null if it has none, or if that is unknown.",
            \.client.wholeStoreUploaded.part)
        $0(
            "changeSets", "Its change sets; null if not all could be listed.",
            { run in run.client.changeSets.known.map { ($0, run.client.changeSetTimes) } }, changeSets)
        $0(
            "temporaryFiles", "What uploads left behind; null if not all could be listed.",
            \.client.temporaryFiles.known)
        $0(
            "lag",
            """
            The change sets that it had not applied when it uploaded the register of its whole store; null \
            without a readable register.
            """, \.client.lag)
    }
}

/// A whole store of a document, and the app's description of its client.
package struct DocumentStore: JSONObject {
    package let document: RemoteName
    /// The name of the client's device, if known.
    package let description: String?
    package let store: WholeStoreReport

    /// A whole store in `document`.
    package init(_ store: WholeStoreReport, of document: RemoteName, description: String?) {
        self.store = store
        self.document = document
        self.description = description
    }

    package static let fields = JSONFields<DocumentStore>(home: "ticds.stores/1") {
        $0("document", "", \.document)
        $0("client", "The client that uploaded it.", \.store.client)
        $0("description", "The app's name for the device.", \.description)
        $0("path", "The folder of the store.", \.store.path)
        $0(
            "kind",
            """
            The command recognises the kind by the first bytes and does not open the store; null if the \
            store is missing or cannot be read.
            """, \.store.kind)
        $0(
            "missing",
            "Whether there is only the folder; null if it could not be listed, or a service has not delivered the store.",
            \.store.isMissing)
        $0(
            "size", "Bytes; for a folder, of all its files. Null, as below, if not all could be listed.",
            \.store.size.known)
        $0(
            "modified",
            "The time of the last write by the app, which the framework takes for the time of the upload.",
            \.store.modified)
        $0("files", "Files that it consists of.", \.store.files.known)
        $0(
            "registerSize",
            """
            Of the register beside it, which names the change sets that are in the store; null if there is none, or if \
            that is unknown.
            """, \.store.register.part?.size)
        $0("registerModified", "The time of that register.", \.store.register.part?.modified)
    }
}
