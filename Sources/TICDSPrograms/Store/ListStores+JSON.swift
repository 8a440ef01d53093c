import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore

extension ListStores {
    func printJSON(_ uploads: [UploadedStores.Upload], _ found: RemoteStores) throws(FileProblem) {
        var json = output.document("ticds.wholeStores/1")
        json.field("remote", found.remote.path)
        json.field("application", found.remote.snapshot.applicationIdentifier)
        json.field("encrypted", found.remote.snapshot.isEncrypted)
        json.array("stores", uploads) { $0.value($1, description: found.names[$1.client.text]) }
        try json.finish()
    }
}

extension JSONWriter {
    fileprivate mutating func value(_ upload: UploadedStores.Upload, description: String?) {
        beginObject()
        field("document", upload.document)
        field("client", upload.client)
        field("description", description)
        field("path", upload.path)
        field("size", upload.size)
        field("modified", upload.modified)
        let contents = try? upload.contents.get()  // try?: the problem has fields of its own
        field("kind", upload.kind?.rawValue)
        field("layers", upload.layers.map(\.rawValue))
        field("memberName", orNull: contents?.memberName)
        field("externalData", contents?.hasExternalData)
        field("storeUUID", contents?.metadata.uuid)
        field("frameworkVersion", contents?.metadata.frameworkVersion)
        field("objects", contents?.objects)
        beginObject("objectsByEntity")
        for count in contents?.counts ?? [] { field(count.entity, count.count) }
        endObject()
        key("model")
        if let contents {
            beginObject()
            field("entities", contents.metadata.versionHashes.count)
            field("digest", contents.modelDigest)
            key("unknownEntities")
            if let unknown = upload.unknownEntities {
                beginArray()
                for name in unknown { value(name) }
                endArray()
            } else {
                null()
            }
            endObject()
        } else {
            null()
        }
        key("register")
        if case .success(let register) = upload.register {
            beginObject()
            field("named", register.named)
            field("contained", register.contained)
            field("lacking", register.lacking)
            field("oldestLacking", register.oldestLacking)
            endObject()
        } else {
            null()
        }
        field("notes", contents?.notes.map(\.text) ?? [])
        array("unread", upload.problems) { $0.value($1) }
        endObject()
    }
}
