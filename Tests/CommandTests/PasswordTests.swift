import ArgumentParser
import Foundation
import SystemCalls
import TICDSCommandLine
import Testing

@Suite struct PasswordTests {
    @Test func comesFromAFileWithoutItsLineBreak() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "ticds-password-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(" päss \n".utf8).write(to: file)
        let options = try PasswordOptions.parse(["--password-file", file.path])
        #expect(try options.configured() == Array(" päss ".utf8))
        try Data("\n".utf8).write(to: file)
        #expect(throws: FileProblem.self) { try options.configured() }
    }

    @Test func comesFromACommand() throws {
        #expect(
            try PasswordOptions.parse(["--password-command", "printf 'a b\\n'"]).configured()
                == Array("a b".utf8))
        let error = #expect(throws: FileProblem.self) {
            try PasswordOptions.parse(["--password-command", "echo x; exit 3"]).configured()
        }
        #expect(error?.kind == .encrypted)
    }

    @Test func aMissingFileIsAMissingPassword() throws {
        let options = try PasswordOptions.parse(["--password-file", "/nowhere/at/all"])
        let error = #expect(throws: FileProblem.self) { try options.configured() }
        #expect(error.map { ErrorReport($0).status } == .password)
    }

    @Test func bothOptionsContradict() {
        #expect(throws: (any Error).self) {
            try PasswordOptions.parse(["--password-file", "a", "--password-command", "b"])
        }
    }
}
