import Base
import Foundation
import KeyedArchive
import SystemCalls
import TestSupport
import Testing
@testable import TICDSCore

/// Reports compared with the answers of the framework's own list operations.
@Suite struct InspectSampleTests {
    static let answered = [
        "enc-multi", "plain-empty", "plain-multi", "plain-shortids", "plain-unicode", "plain-userinfo",
    ]

    @Test(arguments: answered) func listOfDocuments(_ name: String) throws {
        let sample = try Sample(name)
        let report = try sample.report()
        let answers = try sample.answers("list-docs") as? [[String: Any]] ?? []
        let listing = try sample.snapshot().tree.listing([RemoteLayout.documents]).part
        #expect(
            Set(listing.map(\.name).filter { !$0.isHidden }.map(\.text))
                == Set(answers.map { $0.text("DocumentIdentifier") }))
        #expect(answers.count == report.documents.count)
        for answer in answers {
            let document = try #require(
                report.documents.first { $0.identifier.text == answer.text("DocumentIdentifier") })
            #expect(document.description == answer.text("DocumentDescription"))
            #expect(document.info?.originalDeviceIdentifier == answer.text("OriginalDeviceIdentifier"))
            #expect(document.info?.originalDeviceDescription == answer.text("OriginalDeviceDescription"))
            #expect(isAnswered(document.lastSync, answer.date("LastSyncDate")))
            #expect(isEqual(document.info?.userInfo, answer["kTICDSDocumentUserInfo"]))
        }
    }

    @Test(arguments: answered) func listOfClients(_ name: String) throws {
        let sample = try Sample(name)
        let listed = try sample.report().clients.filter { $0.isListed == true }
        let answers = try sample.answers("list-clients") as? [String: [String: Any]] ?? [:]
        #expect(listed.map(\.identifier.text).sorted() == answers.keys.sorted())
        for client in listed {
            let answer = try #require(answers[client.identifier.text])
            #expect(client.description == answer.text("ClientDeviceDescription"))
            let documents = answer["kTICDSRegisteredDocumentIdentifiers"] as? [String] ?? []
            #expect(try client.documents.whole.map(\.text).sorted() == documents.sorted())
            #expect(isEqual(client.info?.userInfo, answer["kTICDSClientDeviceUserInfo"]))
        }
    }

    @Test(arguments: answered) func listOfADocumentsClients(_ name: String) throws {
        let sample = try Sample(name)
        let report = try sample.report()
        let answers = try sample.answers("list-doc-clients") as? [String: [String: [String: Any]]] ?? [:]
        for (identifier, answer) in answers {
            let document = try #require(report.documents.first { $0.identifier.text == identifier })
            let listed = document.clients.filter { $0.isListed == true }
            #expect(listed.map(\.identifier.text).sorted() == answer.keys.sorted())
            for client in listed {
                let answer = try #require(answer[client.identifier.text])
                #expect(client.description == answer.text("ClientDeviceDescription"))
                #expect(isAnswered(client.lastSync, answer.date("LastSyncDate")))
                #expect(
                    try isAnswered(
                        client.wholeStoreUploaded.whole, answer.date("UploadedWholeStoreModificationDate")))
            }
        }
    }

    @Test func shortIdentifiersAreHiddenFromListsOnly() throws {
        let report = try Sample("plain-shortids").report()
        #expect(report.clients.map(\.identifier) == ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"])
        #expect(report.clients.filter { $0.isListed == true }.map(\.identifier) == ["eeeee", "ffffff"])
    }

    @Test func withoutPasswordTheRestIsReported() throws {
        let report = try Sample("enc-multi").report(password: false)
        #expect(report.isEncrypted)
        #expect(report.documents.map(\.identifier) == ["doc-four-0004", "doc-one-0001", "doc-two-0002"])
        #expect(report.documents.allSatisfy { $0.info == nil && $0.lastSync != nil })
        #expect(report.documents[1].clients.compactMap(\.lastSync).count == 2)
        #expect(report.documents[1].wholeStores.part.map(\.kind) == [.encrypted, .encrypted])
        // Three devices, three documents and a deleted one.
        #expect(report.problems.count == 7 && report.problems.allSatisfy { $0.kind == .encrypted })
    }

    @Test func wholeStoresByTheirBytes() throws {
        let zipped = try Sample("dropbox-plain-zip").report().documents.flatMap(\.wholeStores.part)
        #expect(!zipped.isEmpty && zipped.contains { $0.kind == .zip })
        let plain = try Sample("plain-multi").report().documents.flatMap(\.wholeStores.part)
        #expect(!plain.isEmpty && plain.allSatisfy { $0.kind == .sqlite && $0.size.part > 0 })
    }
}

extension Sample {
    func answers(_ list: String) throws -> Any? {
        try #require(json["realAnswers"] as? [String: Any])[list]
    }
}

extension [String: Any] {
    fileprivate func text(_ key: String) -> String { self["kTICDS" + key] as? String ?? "" }
    fileprivate func date(_ key: String) -> String? { (self["kTICDS" + key] as? [String: String])?["$date"] }
}

/// Compares a property list with the samples' JSON form of it.
private func isEqual(_ value: ArchivedValue?, _ json: Any?) -> Bool {
    switch (value, json) {
    case (nil, nil): return true
    case (.dictionary(let pairs)?, let json as [String: Any]):
        return pairs.count == json.count
            && pairs.allSatisfy { isEqual($0.value, json[$0.key.stringValue ?? ""]) }
    case (.array(let values)?, let json as [Any]):
        return values.count == json.count && zip(values, json).allSatisfy { isEqual($0, $1) }
    case (.string(let text)?, let json as String): return text == json
    case (.boolean(let truth)?, let json as NSNumber): return truth == json.boolValue
    case (.integer(let number)?, let json as NSNumber): return number == Int128(json.int64Value)
    case (.real(let number)?, let json as NSNumber): return number == json.doubleValue
    case (.data(let bytes)?, let json as [String: String]):
        return Data(bytes).base64EncodedString() == json["$data"]
    case (.date(let seconds)?, let json as [String: String]):
        return FileTime(secondsSince2001: seconds)?.microseconds == json["$date"]
    default: return false
    }
}

/// Whether `text` is the time truncated or rounded to microseconds: the framework's dates went through a `Double`.
private func isAnswered(_ time: FileTime?, _ text: String?) -> Bool {
    guard let time, let text else { return (time == nil) == (text == nil) }
    let next = Int64(time.nanoseconds) + 1000
    let rounded = FileTime(
        seconds: time.seconds + next / 1_000_000_000, nanoseconds: Int32(next % 1_000_000_000))
    return [time, rounded].contains { $0.microseconds == text }
}
