import Base
import KeyedArchive
import SystemCalls
import SystemPackage
@testable import TICDSCommandLine
import TICDSCore

@testable import TICDSFleet

/// An envelope is read as for the database, and its head as a worker does; the head that was read must come back when it
/// is written and read again.
@Sendable func readEnvelope(_ bytes: SharedBytes) {
    let all = bytes.array
    let head = RunResultHeader.parse(all)
    guard let facts = EnvelopeFacts(all) else { return }
    if let head, head != facts.head { finding("\(head) and \(facts.head)") }
    let written = RunResult(facts.head, payload: []).bytes
    guard let again = EnvelopeFacts(written)?.head, again == facts.head else {
        finding("\(facts.head) is not in \(String(decoding: written, as: UTF8.self))")
    }
}

/// The remotes of an inventory must come back when they are written and read again.
@Sendable func readInventory(_ bytes: SharedBytes) throws {
    let remotes = try FleetInventory.remotes(in: bytes, "fuzz")
    let again = try? FleetInventory.remotes(in: SharedBytes(FleetInventory.bytes(of: remotes)), "fuzz")
    guard again == remotes else { finding("\(remotes) and \(again ?? [])") }
}

/// The output of a child process: what was printed is kept in an envelope only if it is JSON.
@Sendable func readChildOutput(_ bytes: SharedBytes) {
    let (_, output) = ChildHeader.split(bytes.array)
    guard let documents = RunResult.documents(in: output) else { return }
    var head = RunResultHeader()
    head.identifier = "0123456789abcdef"
    head.run = "fuzz"
    let written = RunResult(head, payload: documents).bytes
    guard RunResultHeader.parse(written) == head else {
        finding("\(String(decoding: written, as: UTF8.self)) has no head")
    }
}

@Sendable func envelopeSeeds() throws -> [[UInt8]] {
    var head = RunResultHeader()
    head.identifier = "0123456789abcdef"
    head.location = "/srv/ü/com.example"
    head.application = "com.example"
    head.tags = ["a", "b"]
    head.run = "verify"
    head.command = ["ticds-verify", "remote", "/srv"]
    head.version = "0.1.0"
    head.host = "one"
    head.started = FileTime(seconds: 1_400_000_000)
    head.seconds = 1.5
    head.digest = String(repeating: "0f", count: 16)
    head.files = FileTotals(count: 3, bytes: 4)
    head.exitStatus = 1
    let status = """
        {"schema":"ticds.status/1","encrypted":false,"documents":[{"identifier":"d","description":null,"lastSync":\
        "2013-11-05T20:00:00Z","clients":[{}],"changeSets":{"count":2,"bytes":3,"newest":null}}],"clients":\
        [{"identifier":"c","registered":true,"documents":["d"]}],"documentClients":[{"client":"c","lag":\
        {"notApplied":3,"asOf":"2013"}}]}
        """
    let stores = """
        {"schema":"ticds.wholeStores/1","stores":[{"document":"d","client":"c","kind":"sqlite","size":1,"model":\
        {"digest":"x","entities":3},"frameworkVersion":2}]}
        """
    let verify = """
        {"schema":"ticds.finding/1","code":"TICDS-0603","severity":"error","title":"t","document":"d","path":"p",\
        "found":"f"}
        """
    var failed = head
    failed.state = .retry
    failed.reason = .timeout
    failed.signal = 9
    failed.problem = "no"
    return [
        RunResult(head, payload: [status, stores, verify, "{\"schema\":\"ticds.verify/1\",\"level\":\"x\"}"])
            .bytes,
        RunResult(failed, payload: []).bytes,
    ]
}

@Sendable func inventorySeeds() throws -> [[UInt8]] {
    [
        FleetInventory.bytes(of: [
            FleetRemote(location: "/srv/a", application: "a", password: .file("/etc/p"), tags: ["x", "y"]),
            FleetRemote(
                location: FilePath(nameBytes: [0x2F, 0xE9, 0x0A]), application: "b",
                password: .command("pass x")),
            FleetRemote(location: "rclone:backup:a", application: "a"),
        ])
    ]
}

@Sendable func childOutputSeeds() throws -> [[UInt8]] {
    var header = ChildHeader()
    header.digest = "0f"
    header.files = FileTotals(count: 3, bytes: 4)
    return [header.line + Array("{\"a\":[1,2.5e3,\"\\u00fc\",null,true]}\n{}\n".utf8)]
}
