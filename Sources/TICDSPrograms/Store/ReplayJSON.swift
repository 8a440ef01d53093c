import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

extension ReplayReport {
    func printJSON(_ output: OutputOptions) throws(FileProblem) {
        var json = output.document("ticds.replay/1")
        json.field("remote", remote)
        json.field("document", document)
        json.field("file", file)
        json.field("register", register)
        json.start(start, in: remote, registered: start?.registered?.count)
        json.beginObject("changeSets")
        json.field("applied", record.setsApplied)
        json.field("inStore", record.setsInStore)
        json.field("tooLate", record.setsAfterwards)
        json.field("leftOut", record.setsOfOthers)
        json.field("unreadable", record.setsUnreadable)
        json.endObject()
        json.beginObject("changes")
        json.field("read", record.changesRead)
        json.field("applied", record.changesApplied)
        json.endObject()
        json.array("warnings", kinds) { json, entry in add(entry.0, entry.1, &json) }
        json.objects("unknown", unknown) { json, note in
            json.field("code", note.code)
            json.field("text", note.text)
        }
        try json.finish()
    }

    private func add(
        _ kind: SyncNotice.Kind, _ notices: ReplayRecord.Notices, _ json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("kind", kind.rawValue)
        json.field("type", kind.warningNumber)
        json.field("count", notices.count)
        json.objects("places", notices.first) { json, placed in
            json.field("client", placed.client)
            json.field("changeSet", placed.changeSet)
            json.field("sequence", placed.sequence > 0 ? placed.sequence : nil)
            json.field("entity", placed.notice.entity)
            json.field("relatedEntity", placed.notice.relatedEntity)
            json.field("syncID", placed.notice.syncID)
            json.field("key", placed.notice.key)
            json.field("value", placed.notice.value.isNil ? nil : placed.notice.value)
            json.field("reason", placed.notice.reason)
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// Where the objects of a store start: with a whole store, or with the sets alone.
    mutating func start(_ start: StartingStore?, in remote: FilePath, registered: Int?) {
        beginObject("start")
        field("client", start?.whole?.client.text)
        field("path", start?.whole?.store?.path.filePath(under: remote))
        field("modified", start?.whole?.store?.modified)
        field("layers", start?.layers.map(\.rawValue) ?? [])
        field("registeredChangeSets", registered)
        objects("notTaken", start?.refusals ?? []) { json, refusal in
            json.field("client", refusal.client.text)
            json.field("reason", refusal.reason)
        }
        endObject()
    }
}
