import Base
import Foundation
import TICDSCommandLine
import Testing

/// The installed files of `make install` run by themselves, and `make uninstall` removes them all.
@Suite struct InstallTests {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

    @Test(.enabled(if: Program.isInstalledForm, "needs the program as make build links it"))
    func installedProgramsNeedNoToolchain() throws {
        let scratch = try Scratch()
        let root = "\(scratch.path)/root"
        try make("install-built", root)
        let bin = "\(root)/opt/ticds/bin"
        let programs = try FileManager.default.contentsOfDirectory(atPath: bin)
        #expect(programs.sorted() == ManualTests.programs.sorted())
        for program in programs {
            let result = try Program.launch("\(bin)/\(program)", ["--version"], environment: [:], seconds: 20)
            #expect(
                result.status == 0 && result.output == "\(SuiteVersion.current)\n",
                "\(program): \(result.errors)")
            let libraries = try Program.launch(
                "/usr/bin/ldd", ["\(bin)/\(program)"], environment: [:], seconds: 20)
            for name in ["libswift", "libarchive", "libxml2", "libicu"] {
                #expect(!libraries.output.contains(name), "\(program): \(libraries.output)")
            }
        }
        try expectTheyWork(bin, scratch)
        try expectCompletions("\(root)/opt/ticds/share")
        try make("uninstall", root)
        let left = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        for name in left {
            #expect(FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder))
            #expect(isFolder.boolValue && !name.hasSuffix("ticds/share/ticds"), "\(name)")
        }
    }

    private func expectTheyWork(_ bin: String, _ scratch: Scratch) throws {
        let demo = "\(scratch.path)/demo"
        let commands = [
            ["ticds", "demo", demo, "--change-sets", "8"], ["ticds", "inspect", "status", demo],
            ["ticds-verify", demo], ["ticds-store", "list", demo],
            ["ticds-archive", "export", demo, "\(scratch.path)/demo.tar.zst"],
        ]
        for command in commands {
            let result = try Program.launch(
                "\(bin)/\(command[0])", Array(command.dropFirst()), environment: [:], seconds: 60)
            #expect(result.status == 0 && !result.output.isEmpty, "\(command): \(result.errors)")
        }
    }

    /// bash and fish find a script by the name of the program, zsh by the first lines of all.
    private func expectCompletions(_ share: String) throws {
        let folders = [
            ("bash-completion/completions", "ticds", ""),
            ("fish/vendor_completions.d", "ticds.fish", ".fish"),
        ]
        for (folder, script, ending) in folders {
            let path = "\(share)/\(folder)"
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names.sorted() == ManualTests.programs.map { $0 + ending }.sorted())
            let text = try String(contentsOfFile: "\(path)/\(script)", encoding: .utf8)
            for name in names {
                #expect(try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) == text)
            }
        }
        #expect(FileManager.default.fileExists(atPath: "\(share)/zsh/site-functions/_ticds"))
    }

    private func make(_ target: String, _ root: String) throws {
        let arguments = [
            "-C", ManualPage.package.path, target, "BIN=\(Program.folder.path)", "DESTDIR=\(root)",
            "PREFIX=/opt/ticds",
        ]
        let result = try Program.launch(
            "/usr/bin/make", arguments, environment: ["PATH": Self.path], seconds: 240)
        try #require(result.status == 0, "\(result.errors)")
    }
}
