import Foundation
import TICDSCommandLine
import Testing

/// What `make install` installs runs by itself, and `make uninstall` takes all of it away again.
@Suite struct InstallTests {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    private static let isPossible = path.split(separator: ":").contains { folder in
        FileManager.default.isExecutableFile(atPath: "\(folder)/swiftc")
    }

    @Test(.enabled(if: isPossible, "needs swiftc")) func installedProgramsNeedNoToolchain() throws {
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
            let swift = libraries.output.split(separator: "\n").filter { $0.contains("libswift") }
            #expect(!swift.isEmpty && swift.allSatisfy { $0.contains("\(root)/opt/ticds/") }, "\(program)")
        }
        try expectTheyWork(bin, scratch)
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

    private func make(_ target: String, _ root: String) throws {
        let arguments = [
            "-C", ManualPage.package.path, target, "RELEASE=\(Program.folder.path)", "DESTDIR=\(root)",
            "PREFIX=/opt/ticds",
        ]
        let result = try Program.launch(
            "/usr/bin/make", arguments, environment: ["PATH": Self.path], seconds: 240)
        try #require(result.status == 0, "\(result.errors)")
    }
}
