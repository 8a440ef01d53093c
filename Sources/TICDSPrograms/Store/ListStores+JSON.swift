import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore

extension ListStores {
    static let schema = JSONSchema<(uploads: [UploadedStores.Upload], found: RemoteStores)>(
        "ticds.wholeStores/1", "Printed by ticds-store(1) `list`."
    ) {
        $0("remote", "The application folder.", { $0.found.remote.path })
        $0("application", "Its identifier.", { $0.found.remote.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote is encrypted.", { $0.found.remote.snapshot.isEncrypted })
        $0(
            "stores", "The whole stores.",
            // try?: the problem has fields of its own
            { run in run.uploads.map { ($0, try? $0.contents.get(), run.found.names[$0.client.text]) } },
            store)
    }

    private typealias Store = (
        upload: UploadedStores.Upload, contents: WholeStoreContents?, description: String?
    )
    private static let store = JSONFields<Store> {
        $0("document", "", { $0.upload.document })
        $0("client", "", { $0.upload.client })
        $0("description", "The app's name for the device.", { $0.description })
        $0("path", "The store.", { $0.upload.path })
        $0("size", "Bytes; for a folder, of all its files.", { $0.upload.size })
        $0("modified", "The time of the last write by the app.", { $0.upload.modified })
        $0(
            "kind", "Null if the layers around the store cannot be opened.",
            as: .orNull(.names(["sqlite", "binary", "xml"])), { $0.upload.kind?.rawValue })
        $0(
            "layers", "The layers from the outside in, such as `encrypted`, `zip`, `sqlite`.",
            {
                $0.upload.layers.map(\.rawValue)
            })
        $0("memberName", "The name of the store in its zip.", { $0.contents?.memberName })
        $0(
            "externalData", "Whether a folder of external data lies beside it.",
            { $0.contents?.hasExternalData })
        $0("storeUUID", "", { $0.contents?.metadata.uuid })
        $0(
            "frameworkVersion", "NSPersistenceFrameworkVersion.", as: .orNull(.integer),
            { $0.contents?.metadata.frameworkVersion })
        $0("objects", "", { $0.contents?.objects })
        $0("objectsByEntity", "Numbers by entity.", as: .map(.count)) { store, json in
            json.beginObject("objectsByEntity")
            for count in store.contents?.counts ?? [] { json.field(count.entity, count.count) }
            json.endObject()
        }
        $0(
            "model", "What is known of its model.",
            { store in store.contents.map { ($0, store.upload.unknownEntities) } },
            JSONFields<(contents: WholeStoreContents, unknown: [String]?)> {
                $0("entities", "Entities with a version hash.", { $0.contents.metadata.versionHashes.count })
                $0("digest", "The beginning of a digest over the hashes.", { $0.contents.modelDigest })
                $0(
                    "unknownEntities",
                    "Entities that change sets name and the store does not have; null if this is unknown.",
                    { $0.unknown })
            })
        $0(
            "register", "The contents of the register beside the store.",
            // try?: the problem has fields of its own
            { try? $0.upload.register?.get() },
            JSONFields {
                $0("named", "Change sets that the register names.", \.named)
                $0("contained", "Change sets of the document that it names.", \.contained)
                $0("lacking", "Those that it does not name.", \.lacking)
                $0("oldestLacking", "The time of the oldest of those.", \.oldestLacking)
            })
        $0("notes", "What a reader of the store must know.", { $0.contents?.notes.map(\.text) ?? [] })
        $0("unread", "What could not be read.", { $0.upload.problems })
    }
}
