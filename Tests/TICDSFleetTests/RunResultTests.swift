import SystemCalls
import SystemPackage
import TICDSCore
import Testing

@testable import TICDSFleet

@Suite struct RunResultTests {
    private var head: RunResultHeader {
        var head = RunResultHeader()
        head.identifier = "0123456789abcdef"
        head.location = "/mnt/app"
        head.run = "monday"
        head.tags = ["a", "b"]
        head.command = ["ticds-verify"]
        head.started = FileTime(seconds: 1_000_000_000, nanoseconds: 250_000_000)
        head.files = FileTotals(count: 2, bytes: 300)
        head.state = .retry
        head.reason = .crash
        head.signal = 11
        head.problem = "a \"quoted\" word"
        return head
    }

    @Test func headReturnsFromItsFile() {
        let bytes = RunResult(head, payload: [#"{"schema":"x"}"#]).bytes
        #expect(RunResultHeader.parse(bytes) == head)
        #expect(EnvelopeFacts(bytes)?.head == head)
    }

    @Test func headWithoutPayloadIsMissing() {
        let bytes = RunResult(head, payload: []).bytes
        #expect(RunResultHeader.parse(Array(bytes.dropLast(14))) == nil)
    }

    @Test func outputIsSplitIntoDocuments() {
        #expect(RunResult.documents(in: Array("{\"a\":1}\n[2]\n".utf8)) == ["{\"a\":1}", "[2]"])
        #expect(RunResult.documents(in: Array("{\"a\":1}\nerror".utf8)) == nil)
    }

    @Test func findingsAreCountedByCode() throws {
        var head = head
        (head.state, head.reason, head.signal) = (.done, nil, nil)
        let finding =
            #"{"schema":"ticds.finding/1","code":"TICDS-0504","severity":"error","title":"t","path":null}"#
        let bytes = RunResult(
            head, payload: [#"{"schema":"ticds.verify/1","level":"all"}"#, finding, finding]
        ).bytes
        let facts = try #require(EnvelopeFacts(bytes))
        #expect(facts.findings["TICDS-0504"]?.count == 2)
        #expect(facts.examples.count == 2)
        #expect(facts.kinds.contains(.findings))
    }
}
