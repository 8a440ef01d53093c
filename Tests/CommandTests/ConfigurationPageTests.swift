import Foundation
import SystemPackage
import Testing
import TICDSCore
import TICDSSync

/// ticds-config(5) describes every variable, and its example of a configuration is valid.
@Suite struct ConfigurationPageTests {
    @Test func namesEveryVariable() throws {
        let folder = ManualPage.package.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var variables: Set<String> = ["TZ", "TMPDIR", "HOME"]
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let uses = text.matches(of: /Environment(?:\.path\(|\[)"([A-Z_]+)"/)
            variables.formUnion(uses.map { String($0.1) })
        }
        #expect(variables.count > 7)
        let page = try String(
            contentsOf: ManualPage.package.appending(path: "man/ticds-config.5"), encoding: .utf8)
        let told = Set(
            page.matches(of: /\.It Ev ([A-Z_ ,]+)/).flatMap { $0.1.split(separator: " , ").map(String.init) })
        #expect(variables.subtracting(told) == [])
    }

    @Test func theExampleIsAConfiguration() throws {
        let displays = try ManualPage("ticds-config.5").displays
        let example = try #require(displays.first { $0.hasPrefix("{") })
        let scratch = try Scratch()
        let path = try scratch.write("Replica.json", Array(example.utf8))
        let configuration = try ReplicaConfiguration.read(FilePath(path))
        #expect(configuration.variant == .dropbox)
        #expect(configuration.conflicts.choice(entity: "Note", attribute: "title") == .ask)
        #expect(configuration.conflicts.choice(entity: "Setting", attribute: "any") == .remote)
        #expect(configuration.conflicts.choice(entity: "Note", attribute: "text") == .newest)
    }
}
