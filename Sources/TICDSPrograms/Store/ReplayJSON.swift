import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSArchives
import TICDSCommandLine
import TICDSCore

extension ReplayReport {
    func printJSON(_ output: OutputOptions) throws(FileProblem) {
        var json = output.document()
        json.beginObject()
        json.field("schema", "ticds.replay/1")
        json.field("remote", remote)
        json.field("document", document)
        json.field("file", file)
        json.field("register", register)
        addStart(&json)
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
        json.beginArray("warnings")
        for (kind, notices) in kinds { add(kind, notices, &json) }
        json.endArray()
        json.beginArray("unknown")
        for note in unknown {
            json.beginObject()
            json.field("code", note.code)
            json.field("text", note.text)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        try json.flush()
    }

    private func addStart(_ json: inout JSONWriter) {
        json.beginObject("start")
        json.field("client", start?.whole?.client.text)
        json.field("path", start?.whole?.store?.path.filePath(under: remote))
        json.field("modified", start?.whole?.store?.modified)
        json.field("layers", start?.layers.map(\.rawValue) ?? [])
        json.field("registeredChangeSets", start?.registered?.count)
        json.beginArray("notTaken")
        for refusal in start?.refusals ?? [] {
            json.beginObject()
            json.field("client", refusal.client.text)
            json.field("reason", refusal.reason)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private func add(
        _ kind: SyncNotice.Kind, _ notices: ReplayRecord.Notices, _ json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("kind", kind.rawValue)
        json.field("type", kind.warningNumber)
        json.field("count", notices.count)
        json.beginArray("places")
        for placed in notices.first {
            json.beginObject()
            json.field("client", placed.client)
            json.field("changeSet", placed.changeSet)
            json.field("sequence", placed.sequence > 0 ? placed.sequence : nil)
            json.field("entity", placed.notice.entity)
            json.field("relatedEntity", placed.notice.relatedEntity)
            json.field("syncID", placed.notice.syncID)
            json.field("key", placed.notice.key)
            json.field("value", placed.notice.value.isNil ? nil : placed.notice.value)
            json.field("reason", placed.notice.reason)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
