import Testing

/// Archives of other programs that contain the folders around a remote, or several remotes.
@Suite struct DeepRemoteTests {
    private let demo: DemoRemote

    init() throws {
        demo = try DemoRemote()
        try demo.scratch.shell(
            """
            mkdir -p home/anna/Documents two
            cp -a demo/com.example.cookbook home/anna
            echo x > home/anna/other.txt
            cp -a demo/com.example.cookbook two/first
            cp -a demo/com.example.cookbook two/second
            for folder in home two; do
                zip -qr $folder.zip $folder
                tar czf $folder.tar.gz $folder
            done
            tar cf alone.tar -C demo com.example.cookbook
            """)
    }

    private var environment: [String: String] { ["XDG_STATE_HOME": path("state")] }

    private func path(_ name: String) -> String { "\(demo.scratch.path)/\(name)" }

    @Test(arguments: ["home.zip", "home.tar.gz"]) func commandsFindTheSameRemote(_ archive: String) throws {
        let status = try Program.run("ticds-inspect", ["status", path(archive)])
        #expect(status.status == 0 && status.output.hasPrefix("com.example.cookbook:"), "\(status.errors)")
        let difference = try Program.run("ticds-archive", ["diff", path(archive), demo.path])
        #expect(difference.output.contains("removed 2.") || difference.output.contains("removed 3."))
        #expect(difference.output.contains("home/anna/other.txt"), "\(difference.output)")
        #expect(!difference.output.contains(".syncchg"))
        try demo.scratch.shell("mkdir imported")
        let imported = try Program.run(
            "ticds-archive", ["import", path(archive), path("imported"), "--yes"], environment: environment)
        #expect(imported.status == 0 && imported.output.contains("home/anna/other.txt"), "\(imported.errors)")
        #expect(
            try demo.scratch.shell("diff -r demo/com.example.cookbook imported/com.example.cookbook") == "")
    }

    @Test(arguments: ["two.zip", "two.tar.gz"]) func severalRemotesAreNotGuessed(_ archive: String) throws {
        for arguments in [["status", path(archive)], ["import", path(archive), path("x"), "--yes"]] {
            let program = arguments[0] == "status" ? "ticds-inspect" : "ticds-archive"
            let result = try Program.run(program, arguments, environment: environment)
            #expect(result.status == 2 && result.errors.contains("several remotes"), "\(result.errors)")
            #expect(result.errors.contains("two/first") && result.errors.contains("two/second"))
        }
    }

    /// tar(1) and zip(1) write whole seconds.
    @Test func fractionsOfSecondsAreNoDifference() throws {
        try demo.scratch.shell(
            "touch -d '2013-03-04 10:00:00.5 UTC' \"$(find demo -name '*.syncchg' | head -n 1)\"")
        try demo.scratch.shell("tar cf alone.tar -C demo com.example.cookbook")
        let same = try Program.run("ticds-archive", ["diff", path("alone.tar"), demo.path])
        #expect(same.status == 0, "\(same.output)")
        try demo.scratch.shell(
            "touch -d '2013-03-04 10:00:01.5 UTC' \"$(find demo -name '*.syncchg' | head -n 1)\"")
        let other = try Program.run("ticds-archive", ["diff", demo.path, path("alone.tar")])
        #expect(other.status == 1 && other.output.contains("other time 1"), "\(other.output)")
    }
}
