import Foundation
import SystemCalls
import Testing
import TICDSCore

@testable import TICDSCommandLine

@Suite struct TextStyleTests {
    private static let time = FileTime(seconds: 1_364_900_580, nanoseconds: 250_000_000)
    private static let now = FileTime(seconds: 1_364_900_580 + 8 * 31_556_952)

    @Test func timesInUTC() {
        let style = TextStyle(isUTC: true)
        #expect(style.minute(Self.time) == "2013-04-02 11:03")
        #expect(style.second(Self.time) == "2013-04-02 11:03:00")
        #expect(style.minuteWithAge(Self.time, now: Self.now) == "2013-04-02 11:03 (8 years ago)")
    }

    @Test func timesAsISO() {
        let style = TextStyle(isUTC: true, isISO: true)
        for text in [
            style.minute(Self.time), style.second(Self.time), style.minuteWithAge(Self.time, now: Self.now),
        ] { #expect(text == "2013-04-02T11:03:00Z") }
    }

    @Test func sizes() {
        #expect(TextStyle().size(1_234_567) == "1.2 MB")
        #expect(TextStyle(hasExactSizes: true).size(1_234_567) == "1,234,567 B")
        #expect(TextStyle(hasExactSizes: true).size(-5) == "-5 B")
    }

    /// The options reach every command, and JSON stays as it is.
    @Test func optionsOfCommands() throws {
        let demo = try DemoRemote()
        func tree(_ options: [String], _ zone: String) throws -> String {
            let words = ["tree", demo.path] + options
            let result = try Program.run("ticds-inspect", words, environment: ["TZ": zone])
            let lines = result.output.split(separator: "\n").filter { $0.hasSuffix("/deviceInfo.plist") }
            return lines.first.map { $0.split(separator: " ").dropLast().joined(separator: " ") } ?? ""
        }
        let local = try tree([], "Asia/Kolkata")
        let utc = try tree(["--utc"], "Asia/Kolkata")
        #expect(try tree([], "UTC") == utc)
        #expect(local != utc)
        let iso = try tree(["--iso"], "Asia/Kolkata")
        #expect(iso.contains(/T\d\d:\d\d:\d\d\+05:30\s/), "\(iso)")
        #expect(try tree(["--iso"], "America/St_Johns").contains(/T\d\d:\d\d:\d\d-0[23]:30\s/))
        #expect(try tree(["--iso", "--utc"], "Asia/Kolkata").contains(/T\d\d:\d\d:\d\dZ\s/))
        let json = try ["Asia/Kolkata", "UTC"].map {
            try Program.run(
                "ticds-inspect", ["tree", demo.path, "--json", "--iso", "--bytes"], environment: ["TZ": $0])
        }
        #expect(json[0].bytes == json[1].bytes)
        let status = try Program.run("ticds-inspect", ["status", demo.path, "--bytes"])
        #expect(status.output.contains(/\d{1,3},\d{3} B/) && !status.output.contains(" kB"))
    }

    /// Plans and pages write times and sizes like tables.
    @Test(arguments: [
        "ticds-document delete R pantry --dry-run",
        "ticds-integrity reset R --document pantry --dry-run", "ticds-remote remove R --dry-run",
        "ticds-inspect report R --level none --html -",
    ])
    func plansAndPages(line: String) throws {
        let demo = try DemoRemote()
        let words = line.split(separator: " ").map { $0 == "R" ? demo.path : String($0) }
        func text(_ options: [String]) throws -> String {
            let result = try Program.run(
                words[0], Array(words.dropFirst()) + options,
                environment: ["TZ": "Asia/Kolkata", "XDG_STATE_HOME": "\(demo.scratch.path)/state"])
            try #require(result.status == 0, "\(result.errors)")
            return result.output
        }
        let time = /(">|on |of )2013-\d\d-\d\d \d\d:\d\d/
        let local = try text([]).matches(of: time).map { String($0.output.0) }
        let utc = try text(["--utc"]).matches(of: time).map { String($0.output.0) }
        #expect(!local.isEmpty && local.count == utc.count)
        #expect(zip(local, utc).allSatisfy { $0 != $1 }, "\(local) \(utc)")
        let iso = try text(["--iso"])
        #expect(!iso.contains(time) && iso.contains(/2013-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30/), "\(iso)")
        let sizes = try text(["--bytes"])
        #expect(!sizes.contains(/\d (kB|MB)/))
        #expect(try text([]).contains(/\d (kB|MB)/) == sizes.contains(/\d,\d{3} B/))
    }

    @Test func plansInJSONAreInUTC() throws {
        let demo = try DemoRemote()
        let words = ["delete", demo.path, "pantry", "--dry-run", "--json"]
        let plans = try ["Asia/Kolkata", "UTC"].map {
            try Program.run(
                "ticds-document", words,
                environment: ["TZ": $0, "XDG_STATE_HOME": "\(demo.scratch.path)/state"])
        }
        #expect(plans[0].status == 0 && plans[0].bytes == plans[1].bytes, "\(plans[0].errors)")
        #expect(
            plans[0].output.contains(/the newest store of 2013-\d\d-\d\dT\d\d:\d\d:\d\dZ/),
            "\(plans[0].output)")
    }

    @Test func tellsAges() throws {
        let demo = try DemoRemote()
        let plain = try Program.run("ticds-inspect", ["clients", demo.path])
        #expect(plain.output.contains(/2013-\d\d-\d\d \d\d:\d\d \(\d+ years ago\)/))
        let iso = try Program.run("ticds-inspect", ["clients", demo.path, "--iso"])
        #expect(!iso.output.contains("ago"))
    }
}
