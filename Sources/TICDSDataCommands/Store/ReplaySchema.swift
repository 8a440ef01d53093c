import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

extension ReplayReport {
    static let schema = JSONSchema<ReplayReport>("ticds.replay/1", "Printed by ticds-store(1) `replay`.") {
        $0("remote", "", \.remote)
        $0("document", "Identifier.", \.document)
        $0("file", "The store that was written.", \.file)
        $0("register", "The register of the change sets in it, beside it.", \.register)
        $0(
            "start", "The whole store that the replay began with.",
            { ($0.start, $0.remote, $0.start?.registered?.count) }, StartingStore.fields)
        $0(
            "changeSets", "Numbers of sets.", \.record,
            JSONFields {
                $0("applied", "", \.setsApplied)
                $0(
                    "appliedInPart",
                    "How many of these have changes that cannot be read; the register does not name these sets.",
                    \.setsAppliedInPart)
                $0("inStore", "", \.setsInStore)
                $0("tooLate", "`--until`.", \.setsAfterwards)
                $0("leftOut", "`--without-client`.", \.setsOfOthers)
                $0("unreadable", "", \.setsUnreadable)
            })
        $0(
            "changes", "Numbers.", \.record,
            JSONFields {
                $0("read", "", \.changesRead)
                $0("applied", "", \.changesApplied)
            })
        $0(
            "warnings", "Kinds.", \.kinds,
            JSONFields {
                $0("kind", "", { $0.kind })
                $0(
                    "type", "The number of the framework's warning.", as: .warningNumber,
                    { $0.kind.warningNumber })
                $0("count", "", as: .number(from: 1), { $0.notices.count })
                $0(
                    "places", "The first 100 of them; each value is null if it does not apply.",
                    as: .array(place.type, most: 100)
                ) { warning, json in json.array("places", warning.notices.first) { $0.value($1, place) } }
            })
        $0(
            "unknown",
            """
            What nobody can know about the result. Codes are `setsAlone`, `registerMissing`, `clientInStore`, `setsGone`, \
            `externalDataMissing`, `externalDataUnreadable`, `objectsUnreadable`, `registersUnreadable`, `setsNotRegistered`, \
            `resolutions`, `unsentEdits`, and those of notes about stores, such as `walMissing`.
            """, \.unknown,
            JSONFields {
                $0("code", "", \.code)
                $0("text", "", \.text)
            })
    }

    private static let place = JSONFields<ReplayRecord.PlacedNotice> {
        $0("client", "", \.client)
        $0("changeSet", "", \.changeSet)
        $0(
            "sequence",
            """
            Position of the change in its set, from 1; null for a set as a whole, and for deletions that are denied.
            """, as: .orNull(.number(from: 1)), { $0.sequence > 0 ? $0.sequence : nil })
        $0("entity", "", \.notice.entity)
        $0("relatedEntity", "", \.notice.relatedEntity)
        $0("syncID", "", \.notice.syncID)
        $0("key", "", \.notice.key)
        $0("value", "", { $0.notice.value.isNil ? nil : $0.notice.value })
        $0("reason", "", \.notice.reason)
    }
}

extension JSONType {
    /// The number of one of the framework's warnings, or null.
    static let warningNumber = orNull(raw("\"type\": \"integer\", \"minimum\": 1, \"maximum\": 8"))
}

extension StartingStore {
    static let fields = JSONFields<(start: StartingStore?, remote: FilePath, registered: Int?)>(
        home: "ticds.replay/1"
    ) {
        $0(
            "client", "Null, as the next two, if the store was made from change sets alone.",
            { $0.start?.whole?.client.text })
        $0("path", "", { $0.start?.whole?.store?.path.filePath(under: $0.remote) })
        $0("modified", "", { $0.start?.whole?.store?.modified })
        $0(
            "layers", "From the outside in, such as `encrypted`, `zip`, `sqlite`.",
            { $0.start?.layers.map(\.rawValue) ?? [] })
        $0(
            "registeredChangeSets", "The number of sets in its register, or null if that cannot be read.",
            { $0.registered })
        $0(
            "notTaken", "Newer whole stores.", { $0.start?.refusals ?? [] },
            JSONFields {
                $0("client", "", \.client.text)
                $0("reason", "", \.reason)
            })
    }
}
