import Foundation
import SystemPackage
import TestSupport
import Testing

/// Files that commands write: their modes, and standard output in their place.
@Suite struct OutputTargetTests {
    private func run(_ line: String, _ demo: DemoRemote) throws -> Program.Result {
        try Program.shell(
            "cd '\(demo.scratch.path)'; R='\(demo.path)'; M='\(demo.root.removingLastComponent())/Cookbook.xcdatamodel'; \(line)",
            environment: ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"])
    }

    private static let pages = [
        "ticds inspect report $R --level none --html", "ticds inspect timeline $R --svg",
        "ticds model diagram $M --to",
    ]

    /// A page keeps the mode of the page that it replaces; a new page follows the umask.
    @Test(arguments: pages) func replacedPageKeepsItsMode(command: String) throws {
        let demo = try DemoRemote()
        let result = try run(
            "umask 027; \(command) page -q; stat -c %a page; chmod 600 page; umask 022; \(command) page -q; stat -c %a page; "
                + "chmod 664 page; umask 077; \(command) page -q; stat -c %a page", demo)
        #expect(result.output == "640\n600\n664\n", "\(result.output)\(result.errors)")
    }

    /// Longer-lived files would also be foreign files in a remote.
    @Test(arguments: [
        "ticds demo $R/demo", "ticds demo $R/Documents/demo", "ticds fleet scan $O --inventory $R/inventory",
        "XDG_STATE_HOME=$R ticds fleet scan $O", "ticds fleet run --to $R/run verify",
        "ticds fleet plan --to $R/run vacuum", "ln -s $R link; ticds fleet run --to link/run verify",
    ])
    func nothingIsKeptInARemote(line: String) throws {
        let demo = try DemoRemote()
        let other = try DemoRemote()
        let before = try TreeImage(of: demo.root)
        let result = try run("O='\(other.path)'; ticds fleet scan $O -q > list; \(line)", demo)
        let isTold = ["lies in a remote", "is a folder inside a remote"].contains {
            result.errors.contains($0)
        }
        #expect(result.status == 3 && isTold, "\(result.errors)")
        #expect(try TreeImage(of: demo.root) == before)
    }

    /// No command creates the folder around its output, since its volume may not be mounted; each gives advice.
    @Test(arguments: [
        "archive export $R no/a.tar.zst", "archive extract a.tar.zst no/out --document pantry",
        "archive import a.tar.zst no/new --yes", "remote snapshot $R no", "remote copy $R no/new/copy --yes",
        "remote create no/com.example.new --client me --description Me --yes",
        "store export $S --to no/out", "store export $S --to no/out.json", "store extract $S no/out",
        "store replay $R --document cookbook --model $M --to no/a.sqlite",
        "store migrate $S --model $M --to no/a.xml",
        "sync clone $R no/replica --document cookbook --model $M --client new-client --description Me",
        "inspect report $R --level none --html no/page", "inspect metrics $R --to no/a.prom",
        "document delete $R pantry --save-plan no/plan", "verify $R --state no/state",
    ])
    func missingFolderIsNotMade(line: String) throws {
        let demo = try DemoRemote()
        let result = try run(
            "ticds archive export $R a.tar.zst -q; S=$(find $R -name WholeStore.ticdsync | sort | head -n 1); "
                + "ticds \(line)", demo)
        #expect(result.status == 2, "\(result.output)\(result.errors)")
        #expect(
            result.errors.contains(
                /(no(?:\/new)?): no such folder\. Create it: mkdir -p ([^ ]*\/)?\1; or mount the volume that it is on\./
            ),
            "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: demo.scratch.path.appending("no").string))
    }

    @Test func pipeIsReplacedByNoExport() throws {
        let demo = try DemoRemote()
        let result = try run(
            "mkfifo pipe; ticds store export \"$(find $R -name WholeStore.ticdsync | sort | head -n 1)\" --model $M "
                + "--format json --to pipe --force; echo $?; test -p pipe && echo kept", demo)
        #expect(result.output == "3\nkept\n", "\(result.output)\(result.errors)")
    }

    @Test func replacedExportKeepsItsMode() throws {
        let demo = try DemoRemote()
        let result = try run(
            "ticds store replay $R --document cookbook --model $M --to a.sqlite -q; for mode in 600 664; do "
                + "ticds store export a.sqlite --model $M --to a.json --force -q; chmod $mode a.json; "
                + "ticds store export a.sqlite --model $M --to a.json --force -q; stat -c %a a.json; done",
            demo)
        #expect(result.output == "600\n664\n", "\(result.output)\(result.errors)")
    }

    /// Archives, folders and stores also keep the modes of those that they replace.
    @Test(arguments: [
        ("ticds archive export $R out --force", "out"),
        ("ticds store export a.sqlite --model $M --to out --force", "out/Recipe.csv"),
        ("ticds store replay $R --document cookbook --model $M --to out.sqlite --force", "out.sqlite"),
        ("ticds store migrate a.sqlite --model $M --to out.xml --force", "out.xml"),
        ("ticds store migrate a.sqlite --model $M --to out.sqlite --force", "out.sqlite"),
        (
            "ticds store extract $(find $R -path '*/cookbook/WholeStore/*/WholeStore.ticdsync' | sort | head -n 1) out.sqlite --force",
            "out.sqlite"
        ),
    ])
    func replacedOutputKeepsItsMode(command: String, file: String) throws {
        let demo = try DemoRemote()
        let result = try run(
            "ticds store replay $R --document cookbook --model $M --to a.sqlite -q; \(command) -q; for mode in 640 664; do "
                + "chmod $mode \(file); \(command) -q || echo $?; stat -c %a \(file); done", demo)
        #expect(result.output == "640\n664\n", "\(result.output)\(result.errors)")
    }

    /// New files have every permission that the umask grants.
    @Test(arguments: [
        ("ticds archive export $R out", "out"), ("ticds inspect report $R --level none --html out", "out"),
        ("ticds store export a.sqlite --model $M --to out.json", "out.json"),
        ("ticds store export a.sqlite --model $M --to out.db", "out.db"),
        ("ticds store export a.sqlite --model $M --to out", "out/Recipe.csv"),
        ("ticds store migrate a.sqlite --model $M --to out.sqlite", "out.sqlite"),
        ("ticds store migrate a.sqlite --model $M --to out.xml", "out.xml"),
        ("ticds store migrate a.sqlite --model $M --to out.binary", "out.binary"),
        ("ticds fleet merge ./run --to out", "out"), ("ticds fleet report --database db --html out", "out"),
        (
            "find $R -name WholeStore.ticdsync | sort | head -n 1 | xargs -I F ticds store extract F out",
            "out"
        ),
    ])
    func newOutputFollowsTheUmask(command: String, file: String) throws {
        let demo = try DemoRemote()
        let result = try run(
            "ticds store replay $R --document cookbook --model $M --to a.sqlite -q; ticds fleet add $R -q; "
                + "ticds fleet run --to ./run -q status; ticds fleet merge ./run --to db -q; "
                + "for mask in 002 027 077; do umask $mask; \(command) -q; "
                + "stat -c %a \(file); rm -r out*; done", demo)
        #expect(result.output == "664\n640\n600\n", "\(result.output)\(result.errors)")
    }

    @Test(arguments: pages + ["ticds inspect metrics $R --to"]) func hyphenIsStandardOutput(command: String)
        throws
    {
        let demo = try DemoRemote()
        let result = try run("\(command) - && ls", demo)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("<") || result.output.hasPrefix("# HELP"))
        #expect(!result.output.split(separator: "\n").contains("-"))
    }

    @Test(arguments: [
        "ticds vacuum $R --save-plan -",
        "ticds inspect status $R --log-file -", "ticds verify $R --state -", "ticds demo -",
        "ticds store migrate a.sqlite --model $M --to -", "ticds store replay $R --document cookbook --to -",
        "ticds sync clone $R - --document cookbook",
        "ticds store extract a.tar.zst -",
        "ticds fleet list --inventory -", "ticds fleet merge verify --to -",
        "ticds remote create - --yes",
    ])
    func hyphenIsRefusedWhereOutputIsNoText(command: String) throws {
        let demo = try DemoRemote()
        let result = try run("ticds archive export $R a.tar.zst -q; \(command)", demo)
        #expect(
            result.status == 3 && result.errors.contains("./- is one whose name is a hyphen"),
            "\(result.errors)")
        #expect(try run("ls", demo).output.split(separator: "\n").contains("-") == false)
    }

    @Test(arguments: pages.dropLast()) func jsonAndPageOnStandardOutputAreRefused(command: String) throws {
        let result = try run("\(command) - --json", try DemoRemote())
        #expect(result.status == 64 && result.errors.contains("name a file instead of -"), "\(result.errors)")
    }

    @Test(arguments: pages + ["ticds inspect metrics $R --to"])
    func folderAsPageIsRefused(command: String) throws {
        let demo = try DemoRemote()
        let result = try run("mkdir folder.prom; \(command) folder.prom", demo)
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.errors.contains("this is a folder. Name a file in it."), "\(result.errors)")
    }
}
