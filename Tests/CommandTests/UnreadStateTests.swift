import Foundation
import SystemPackage
import TestSupport
import Testing

/// Commands whose folder of journals cannot be searched: whoever only reads goes on, and whoever writes does not.
@Suite struct UnreadStateTests {
    private let demo: DemoRemote
    private static let warning = "warning: it is unknown whether the remote was encrypted"

    init() throws {
        demo = try DemoRemote()
        let owner = geteuid() == 0 ? "chown -R 65534:65534 demo" : ""
        try demo.scratch.shell("chmod 755 .; chmod -R a+rX demo; mkdir state; chmod 000 state; \(owner)")
    }

    /// Runs a line as a user without special rights, with `R` for the remote.
    private func run(_ line: String) throws -> Program.Result {
        let words = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        return try Program.shell(
            words + line.replacing(" R", with: " '\(demo.path)'"),
            environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
    }

    @Test(arguments: [
        "inspect status R", "inspect timeline R", "changes list R", "store list R", "client show R 8FFD",
        "integrity show R",
    ])
    func readingGoesOn(line: String) throws {
        let result = try run("ticds \(line)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.isEmpty)
        #expect(result.errors.contains(Self.warning) && result.errors.contains("/state"), "\(result.errors)")
    }

    /// A remote that has lost its encryption would be a finding.
    @Test func verificationIsIncomplete() throws {
        let result = try run("ticds verify R")
        #expect(result.status == 5 && result.errors.contains(Self.warning), "\(result.errors)")
        let line = try run("ticds verify R --one-line")
        #expect(line.output.hasPrefix("incomplete "), "\(line.output)")
    }

    @Test func fileInRemoteIsRead() throws {
        let store = try #require(try demo.wholeStores.first)
        let result = try run("ticds store info '\(store)'")
        #expect(result.status == 0 && result.output.contains("kind: "), "\(result.errors)")
    }

    @Test(arguments: [
        "client delete R 8FFD --document pantry --max-delete 100% --yes", "document delete R pantry --yes",
        "integrity reset R --document pantry --yes",
    ])
    func writingIsRefused(line: String) throws {
        let before = try TreeImage(of: demo.root)
        let result = try run("ticds \(line)")
        #expect(result.status == 2 && result.errors.contains("/state"), "\(result.status) \(result.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }
}
