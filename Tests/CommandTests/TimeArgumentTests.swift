import SystemCalls
import Testing
import TICDSCore

@testable import TICDSCommandLine

/// Times on the command line are read completely or refused.
@Suite struct TimeArgumentTests {
    /// 2013-10-31 00:00:00 UTC in seconds since 2001.
    private static let day = 404_870_400.0

    private static let forms: [(text: String, seconds: Double)] = [
        ("2013-10-31", 0.0), ("2013-10-31T21:50", 78_600), ("2013-10-31T21:50Z", 78_600),
        ("2013-10-31T21:50:07", 78_607), ("2013-10-31T21:50:07.25Z", 78_607.25),
        ("2013-10-31T21:50:07.250000000", 78_607.25), ("2013-10-31T21:50+02", 71_400),
        ("2013-10-31T21:50:00+0200", 71_400), ("2013-10-31T21:50:00-02:30", 87_600),
        ("2013-10-31 21:50Z", 78_600), ("2013-10-31 21:50:07+02:00", 71_407), ("2013-10", -2_592_000),
        ("2013", -26_179_200), ("2012-02-29", -52_704_000),
    ]

    @Test func readsEachForm() throws {
        for form in Self.forms {
            let time = try #require(TimeArgument(argument: form.text), "\(form.text)")
            #expect(
                try time.secondsSince2001(TextStyle(isUTC: true)) == Self.day + form.seconds, "\(form.text)")
        }
    }

    /// A time without an offset is local, and UTC with `--utc`.
    @Test func localTimes() throws {
        let demo = try DemoRemote(changeSets: 30)
        func count(_ options: [String]) throws -> Int {
            let result = try Program.run(
                "ticds-changes", ["dump", demo.path, "--json"] + options, environment: ["TZ": "Asia/Kolkata"])
            try #require(result.status == 0, "\(options): \(result.errors)")
            return result.output.split(separator: "\n").count
        }
        let times = try Program.run("ticds-changes", ["dump", demo.path, "--json"]).output
            .matches(of: /"time":"(\d{4}-\d\d-\d\d)T\d\d:\d\d/).map { String($0.output.1) }
        for day in Set(times).sorted().prefix(8) {
            let here = try count(["--until", day])
            #expect(try here == count(["--until", "\(day)T00:00+05:30"]))
            #expect(try here == count(["--until", "\(day) 00:00"]))
            #expect(try count(["--until", day, "--utc"]) == count(["--until", "\(day)T00:00Z"]))
        }
        #expect(try count(["--since", "today"]) == 0)
        #expect(try count(["--until", "yesterday"]) == count([]))
    }

    /// The span is in the zone in which the times are read, in each command that has one.
    @Test func spanWithoutTimesIsRefused() throws {
        let demo = try DemoRemote(changeSets: 30)
        let span = ["--since", "2013-05-01 03:00", "--until", "2013-05-01T00:00Z"]
        for command in ["dump", "list", "search soup", "stats"] {
            let words = command.split(separator: " ").map(String.init)
            let all = [words[0], demo.path] + words.dropFirst() + span
            let here = try Program.run("ticds-changes", all, environment: ["TZ": "Asia/Kolkata"])
            #expect([0, 1].contains(here.status), "\(command): \(here.errors)")
            let utc = try Program.run("ticds-changes", all + ["--utc"], environment: ["TZ": "Asia/Kolkata"])
            #expect(utc.status == 64 && utc.errors.contains("--since has to be before --until"), "\(command)")
        }
    }

    /// A day whose midnight the clocks skip or show twice begins with its first moment.
    @Test(arguments: [("2013-10-20", "2013-10-20T03:00:00Z"), ("2013-02-17", "2013-02-17T03:00:00Z")])
    func daysWithoutMidnight(day: String, first: String) throws {
        let demo = try DemoRemote(changeSets: 240)
        let zone = ["TZ": "America/Sao_Paulo"]
        let text = try Program.run(
            "ticds-changes", ["dump", demo.path, "--json", "--until", day], environment: zone)
        let same = try Program.run(
            "ticds-changes", ["dump", demo.path, "--json", "--until", first], environment: zone)
        #expect(text.status == 0 && text.bytes == same.bytes)
    }

    @Test(arguments: [
        "+5d", "2013-10-31 nonsense", "2013-10-31T25:00", "2013-10-31T24:00", "2013-10-31T21:60",
        "2013-10-31T21:50:60",
        "2013-10-31T21", "2013-10-31T", "2013-10-31 ", " 2013-10-31", "2013-02-30", "2013-13", "2013-00-01",
        "2013-02-29", "2013-10-31T21:50 (13 years ago)", "2013-10-31T21:50Zulu", "2013-10-31T21:50+24:00",
        "2013-10-31T21:50+02:60", "2013-10-31T21:50+2", "2013-10-31T21:50:00.",
        "2013-10-31T21:50:00.1234567890",
        "2013-10-31T21:50:00,5", "2013-1-5", "13-10-31", "20131031", "2013-10-3", "2013-10-311", "2013T21:50",
        "2013-10T21:50", "2013-10-31T21:50\u{0}", "٢٠١٣", "", "T", "Z", "30", "d", "tomorrow", "1e3", "-5d",
    ])
    func refusesWhatIsNotWholeOfAForm(text: String) {
        #expect(TimeArgument(argument: text) == nil, "\(text)")
    }

    /// Each command with a time refuses a time that it would have to shorten.
    @Test(arguments: [
        ["ticds-store", "replay", "--to", "none", "--until"], ["ticds-changes", "dump", "--since"],
        ["ticds-changes", "dump", "--until"], ["ticds-inspect", "timeline", "--since"],
        ["ticds-inspect", "timeline", "--until"], ["ticds-journal", "list", "--since"],
        ["ticds-journal", "prune", "--dry-run", "--older-than"], ["ticds-sync", "log", "--since"],
    ])
    func everyCommandRefuses(words: [String]) throws {
        for text in ["2013-10-31 nonsense", "2013-02-30", "2013-10-31T25:00"] {
            let result = try Program.run(words[0], Array(words.dropFirst()) + [text, "/nowhere"])
            #expect(
                result.status == 64 && result.errors.contains("A time is a date"),
                "\(words): \(result.errors)")
        }
    }

    /// A time that a table prints means the same as an argument, in the zone of the table.
    @Test(arguments: [[], ["--utc"], ["--iso"], ["--utc", "--iso"]])
    func printedTimesAreAccepted(style: [String]) throws {
        let demo = try DemoRemote(changeSets: 30)
        let zone = ["TZ": "America/St_Johns"]
        let form = style.contains("--iso") ? /2013-\d\d-\d\dT\S+/ : /2013-\d\d-\d\d \d\d:\d\d:\d\d/
        func changes(_ options: [String]) throws -> [(time: String, what: Substring)] {
            let result = try Program.run(
                "ticds-changes", ["dump", demo.path] + style + options, environment: zone)
            try #require(result.status == 0, "\(options): \(result.errors)")
            return result.output.split(separator: "\n").compactMap { line in
                guard line.first?.isNumber == true, let time = line.firstMatch(of: form)?.output else {
                    return nil
                }
                return (String(time), line.drop { $0 != "\t" })
            }
        }
        let all = try changes([])
        for time in [all[5].time, all[all.count / 2].time] {
            let later = all.filter { $0.time >= time }
            #expect(try changes(["--since", time]).map(\.what) == later.map(\.what), "\(time)")
            #expect(later.count < all.count)
        }
    }

    /// A local hour that the clocks skip or show twice is invalid without an offset.
    @Test func localHoursThatAreNotOne() throws {
        let demo = try DemoRemote(changeSets: 2)
        func status(_ time: String) throws -> Int32 {
            try Program.run(
                "ticds-inspect", ["timeline", demo.path, "--since", time],
                environment: ["TZ": "Europe/Berlin"]
            ).status
        }
        #expect(try status("2013-03-31 02:30") == 64)
        #expect(try status("2013-10-27 02:30") == 64)
        #expect(try status("2013-10-27 02:30+02:00") == 0)
        #expect(try status("2013-03-31 03:00") == 0)
        #expect(try status("2013-10-27 01:59:59") == 0)
    }

    /// UTC has each hour once, whatever the local clocks show.
    @Test(arguments: [
        ["ticds-changes", "dump", "--since"], ["ticds-inspect", "timeline", "--until"],
        ["ticds-journal", "prune", "--dry-run", "--older-than"], ["ticds-journal", "list", "--since"],
    ])
    func utcReadsHoursThatLocalClocksSkip(words: [String]) throws {
        let demo = try DemoRemote(changeSets: 2)
        func run(_ time: String, _ options: [String]) throws -> Program.Result {
            try Program.run(
                words[0], [words[1], demo.path] + words.dropFirst(2) + [time] + options,
                environment: ["TZ": "Europe/Berlin", "XDG_STATE_HOME": "\(demo.scratch.path)/state"])
        }
        for time in ["2013-03-31 02:30", "2013-10-27 02:30"] {
            let local = try run(time, [])
            #expect(local.status == 64 && local.errors.contains("--utc"), "\(words): \(local.errors)")
            #expect(local.output.isEmpty)
            let utc = try run(time, ["--utc"])
            #expect(utc.status == 0, "\(words): \(utc.errors)")
            #expect(try utc.output == run(time.replacing(" ", with: "T") + "Z", ["--utc"]).output)
        }
    }
}
