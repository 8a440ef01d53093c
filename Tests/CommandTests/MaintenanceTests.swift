import Foundation
import SystemPackage
import TestSupport
import Testing

/// `Examples/maintenance.sh` maintains a remote for a month, one night at a time.
@Suite struct MaintenanceTests {
    private static let needed = ["/usr/bin/faketime", "/usr/bin/jq"]
    private static let isPossible = needed.allSatisfy(FileManager.default.isExecutableFile)
    private static let script = ManualPage.package.appending(path: "Examples/maintenance.sh").path

    @Test(.enabled(if: isPossible, "needs faketime and jq")) func aMonth() throws {
        let demo = try DemoRemote(changeSets: 40)
        let scratch = demo.scratch
        try scratch.shell("mkdir backups")
        let stray = demo.root.appending("Documents").appending("cookbook").appending("SyncChanges")
            .appending("Thumbs.db")
        var reports: [String] = []
        for day in 1...31 {
            if day == 3 {
                try scratch.shell(
                    "cd backups; f=$(ls *-20260302T*); mv \"$f\" \"${f%.tar.zst}+keep.tar.zst\"")
            }
            if day == 10 { try TestFiles.write(stray, [1, 2, 3]) }
            if day == 16 { try FileManager.default.removeItem(atPath: stray.string) }
            if day == 24 { try scratch.shell("mv backups aside; touch backups") }
            if day == 25 { try scratch.shell("rm backups; mv aside backups") }
            let night = try run(day, demo)
            let expected: Int32 = day == 24 ? 2 : (10..<16).contains(day) ? 1 : 0
            #expect(night.status == expected, "\(day): \(night.output) \(night.errors)")
            #expect(night.errors.isEmpty, "\(day): \(night.errors)")
            reports.append(night.output)
        }
        expectWords(in: reports)
        try expectSnapshots(in: scratch)
        let sets = try RemoteFiles.named(".syncchg", below: demo.root.appending("Documents"))
        #expect(sets.count == 52 - 17, "the first vacuum takes what the last nights need no more")
    }

    /// The content of the mails: March 2026 begins on a Sunday.
    private func expectWords(in reports: [String]) {
        for (index, report) in reports.enumerated() {
            let day = index + 1
            let isSound = day != 24 && !(10..<16).contains(day)
            #expect(report.contains("/com.example.cookbook: "), "\(day): \(report)")
            #expect(report.contains(": all is well\n") == isSound, "\(day): \(report)")
            #expect(report.contains("Thumbs.db") == (10..<16).contains(day), "\(day): \(report)")
            #expect(report.contains("No snapshot was written") == (day == 24), "\(day): \(report)")
            #expect(report.contains("Vacuumed: ") == [1, 8, 22, 29].contains(day), "\(day): \(report)")
            #expect(report.contains("Not vacuumed") == (day == 15), "\(day): \(report)")
            #expect(report.contains("82 files, all intact") == (day == 1), "\(day): \(report)")
        }
        #expect(reports[0].contains("Vacuumed: 17 change sets removed, operation 1\n"))
        #expect(reports[1].contains(" 0 files read, 65 known from earlier nights\n"))
    }

    /// The last snapshot of seven days, of five weeks, and of the month, and the one that got a tag by hand.
    private func expectSnapshots(in scratch: Scratch) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/backups")
            .filter { $0.hasSuffix(".tar.zst") }.sorted()
        let days = names.map { $0.dropFirst("com.example.cookbook-0123456789abcdef-202603".count).prefix(2) }
        #expect(days == ["02", "08", "15", "22", "25", "26", "27", "28", "29", "30", "31"])
    }

    private func run(_ day: Int, _ demo: DemoRemote, _ options: String = "-v") throws -> Program.Result {
        let time = "2026-03-\(day < 10 ? "0" : "")\(day) 03:30:00"
        return try Program.shell(
            "cd '\(demo.scratch.path)'; exec faketime '\(time)' '\(Self.script)' \(options) '\(demo.path)' backups",
            environment: [
                "HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state",
                "TZ": "UTC", "NO_FAKE_STAT": "1",
            ])
    }

    /// A remote that cannot be opened is not reported as intact.
    @Test(.enabled(if: isPossible, "needs faketime and jq")) func withoutThePassword() throws {
        let demo = try DemoRemote(.encrypted)
        try demo.scratch.shell("mkdir backups")
        let night = try run(2, demo)
        #expect(night.status == 2, "\(night.errors)")
        #expect(!night.output.contains("all is well"), "\(night.output)")
        #expect(night.output.contains("ticds-verify did not open "), "\(night.output)")
    }

    @Test func saysHowItIsUsed() throws {
        let result = try Program.launch("/bin/sh", [Self.script], environment: [:], seconds: 20)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("usage: "))
    }
}
