import Base
import SystemCalls
import SystemPackage
import Testing

@testable import TICDSFleet

@Suite struct FleetRemoteTests {
    private func remote(_ line: String) throws(FileProblem) -> FleetRemote {
        try FleetRemote(line: Array(line.utf8), path: "inventory", offset: 100)
    }

    @Test func lineWithAllFieldsIsRead() throws {
        let remote = try remote(
            #"{"location":"/mnt/app","application":"com.example","passwordFile":"/p","tags":["b","a","b"],"later":[1]}"#
        )
        #expect(remote.location == "/mnt/app")
        #expect(remote.application == "com.example")
        #expect(remote.password == .file("/p"))
        #expect(remote.tags == ["a", "b"])
        #expect(remote.identifier == FleetRemote.identifier(of: "/mnt/app"))
    }

    @Test func nullIsAnAbsentField() throws {
        let remote = try remote(
            #"{"location":"/mnt/app","application":null,"passwordFile":null,"tags":null}"#)
        #expect(remote.application == "app")
        #expect(remote.password == nil)
        #expect(remote.tags.isEmpty)
    }

    @Test func locationInBase64Prevails() throws {
        let path: [UInt8] = Array("/mnt/".utf8) + [0xE9]
        for line in [
            #"{"location":"/mnt/\\xE9","locationBase64":"\#(Base64.text(path))"}"#,
            #"{"locationBase64":"\#(Base64.text(path))","location":"/mnt/\\xE9"}"#,
        ] { #expect(try remote(line).location.bytes == path) }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"location":""}"#, #"{"location":"/a","tags":["not a tag"]}"#,
        #"{"location":"/a"} x"#,
        #"{"location":"/a","locationBase64":"AA=="}"#, #"{"location":"/a","locationBase64":"!"}"#,
    ])
    func damagedLineIsRefused(line: String) {
        let problem = #expect(throws: FileProblem.self) { try remote(line) }
        #expect(problem?.kind == .damaged)
        #expect((problem?.offset ?? 0) >= 100)
    }

    @Test func lineOfALaterVersionIsRefused() {
        let problem = #expect(throws: FileProblem.self) {
            try remote(#"{"schema":"ticds.fleetRemote/2","location":"/a"}"#)
        }
        #expect(problem?.kind == .unsupported)
    }
}
