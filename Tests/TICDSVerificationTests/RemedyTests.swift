import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

@Suite struct RemedyTests {
    @Test func placeholdersAreFilled() throws {
        let kind = FindingKind(
            "TICDS-0000", .note, .names, "A test", explanation: "A test.", effects: [],
            repair: .byHand,
            remedy: ["mv {file} {remote} {client} {document} {path} {subject}"], sources: "none")
        var finding = Finding(
            kind: kind, path: ["Documents", "a b"], document: "a b", client: "{file}", subject: "x'y",
            affected: [])
        #expect(
            finding.remedy(under: "/sync/App") == [
                "mv '/sync/App/Documents/a b' /sync/App '{file}' 'a b' 'Documents/a b' 'x'\\''y'"
            ])
        finding.client = nil
        #expect(finding.remedy(under: "/")[0].contains(" CLIENT "))
        #expect(kind.generalRemedy == ["mv FILE REMOTE CLIENT DOCUMENT PATH NAME"])
    }

    @Test func aLooseFileNeedsNoRemote() {
        for kind in Catalogue.all {
            let finding = Finding(kind: kind, path: ["file"], affected: [])
            let lines = finding.remedy(under: "/folder", isLoose: true)
            let commands = lines.filter(FindingKind.isCommand).flatMap { $0.split(separator: " ") }
            #expect(!commands.contains("/folder") && !commands.contains("--repair"), "\(kind.code): \(lines)")
            #expect(lines.last?.hasSuffix(":") != true, "\(kind.code): \(lines)")
        }
        let damaged = Finding(kind: .wholeStoreDamaged, path: ["file"], affected: [])
        #expect(
            damaged.remedy(under: "/folder", isLoose: true) == [
                "Let client CLIENT upload its whole store again.", "To salvage the parts that are left:",
                "ticds-store recover /folder/file",
            ])
        #expect(damaged.remedy(under: "/folder").first?.hasPrefix("ticds-verify /folder --repair") == true)
    }

    /// A name that begins with a hyphen would be an option, such as --password-command, which runs a command.
    @Test func programsTakeNoNameForAnOption() {
        let names: Set = ["{document}", "{client}", "{subject}"]
        for kind in Catalogue.all {
            for line in kind.wholeRemedy(isLost: false) where line.hasPrefix("ticds-") {
                let options = line.split(separator: " ").map(String.init).prefix { $0 != "--" }
                #expect(names.isDisjoint(with: options), "\(kind.code): \(line)")
            }
        }
    }

    /// Two strays with the same name, and then another one in the place of the first.
    @Test func whatIsSetAsideNeverStandsInTheWay() throws {
        let folder = try TemporaryFolder(prefix: "ticds-aside")
        for place in ["a", "b c", "a"] {
            let path: RemotePath = [RemoteName(place), ".DS_Store"]
            let stray = path.filePath(under: folder.path)
            try TestFiles.makeFolders(stray.removingLastComponent())
            try TestFiles.write(stray, [1])
            let finding = Finding(kind: .strayElsewhere, path: path, affected: [])
            for line in finding.remedy(under: folder.path) { try run(line, home: folder) }
            #expect(throws: FileProblem.self) { try FileStatus.of(stray) }
        }
        let aside = try LocalStorage(root: folder.path).list(["ticds-set-aside"]).listing
        #expect(aside.count == 3)
    }

    /// Shell commands find nothing in a storage: only rclone or ticds accesses the remote there.
    @Test func inAStorageRcloneDoesIt() throws {
        for kind in Catalogue.all {
            let finding = Finding(
                kind: kind, path: ["Documents", "a b", "x"], document: "d", client: "c",
                subject: "2013-05-01T10:00:00Z", affected: [])
            let lines = finding.remedy(under: "rclone:nas:sync/App")
            #expect(!lines.isEmpty && lines.last?.hasSuffix(":") != true, "\(kind.code): \(lines)")
            for line in lines {
                for part in line.split(separator: "&&") where part.contains("nas:") {
                    let words = part.split(separator: " ").map(String.init)
                    if line.first?.isUppercase == true {
                        #expect(
                            !words.contains { ["mv", "cp", "ls", "touch"].contains($0) },
                            "\(kind.code): \(line)")
                    } else if words[0] == "rclone" {
                        #expect(!part.contains("rclone:nas:"), "\(kind.code): \(line)")
                    } else {
                        #expect(words[0].hasPrefix("ticds-"), "\(kind.code): \(line)")
                        #expect(!part.contains("App/"), "\(kind.code): \(line)")
                    }
                }
            }
        }
    }

    /// The lines work: a file that is set aside is removed from the storage, and is local.
    @Test(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"))
    func whatRcloneSetsAside() throws {
        let folder = try TemporaryFolder(prefix: "ticds-aside")
        for name in ["-a b.txt", "folder"] {
            let path: RemotePath = ["Documents", RemoteName(name)]
            let stray = path.filePath(under: folder.path.appending("App"))
            let file = name == "folder" ? stray.appending("inside") : stray
            try TestFiles.makeFolders(file.removingLastComponent())
            try TestFiles.write(file, [1])
            let finding = Finding(kind: .strayElsewhere, path: path, affected: [])
            for line in finding.remedy(under: "rclone:nas:App") {
                try run(line, home: folder, isStorage: true)
            }
            #expect(try FileStatus.ifPresent(file) == nil)
        }
        let aside = try LocalStorage(root: folder.path).list(.root).listing.filter {
            $0.name.text.hasPrefix("ticds-set-aside-")
        }
        #expect(aside.count == 2)
        let kept = try aside.flatMap {
            try LocalStorage(root: folder.path).list([$0.name]).listing.map(\.name.text)
        }
        #expect(Set(kept) == ["-a b.txt", "folder"])
    }

    /// Keeps the output of the line: words of advice and missing ticds commands are errors in the shell.
    private func run(_ line: String, home: TemporaryFolder, isStorage: Bool = false) throws {
        let script = home.path.appending("script")
        let rclone = "rclone() { '\(InstalledRclone.path?.string ?? "rclone")' --config /dev/null \"$@\"; }\n"
        try TestFiles.write(script, Array(((isStorage ? rclone : "") + line + "\n").utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [script.string]
        process.environment = [
            "HOME": home.path.string, "PATH": "/usr/bin:/bin", "RCLONE_CONFIG_NAS_TYPE": "alias",
            "RCLONE_CONFIG_NAS_REMOTE": home.path.string,
        ]
        let printed = Pipe()
        process.standardOutput = printed
        process.standardError = printed
        try process.run()
        _ = try printed.fileHandleForReading.readToEnd()
        process.waitUntilExit()
    }
}
