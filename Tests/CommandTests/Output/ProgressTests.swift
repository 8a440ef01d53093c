import Foundation
import Synchronization
import Testing

@testable import TICDSCommandLine

/// Progress with a clock that the test sets.
@Suite struct ProgressTests {
    /// A clock, and the output by that clock.
    private final class Stage: Sendable {
        let time = Mutex<Int64>(5_000)
        let written = Mutex<[String]>([])

        /// The output when the state is reported at each of these times, in milliseconds from the beginning.
        func run(_ form: TICDSCommandLine.Progress.Form, _ states: [(time: Int64, state: ProgressState)])
            -> [String]
        {
            let start = time.withLock { $0 }
            var progress = TICDSCommandLine.Progress(
                "verifying", form, clock: { self.time.withLock { $0 } },
                write: { text in self.written.withLock { $0.append(text.raw) } })
            for one in states {
                time.withLock { $0 = start + one.time }
                progress.update(one.state)
            }
            return written.withLock { $0 }
        }
    }

    private static func bytes(every milliseconds: Int64, until end: Int64) -> [(
        time: Int64, state: ProgressState
    )] {
        stride(from: 0, through: end, by: Int(milliseconds)).map {
            ($0, ProgressState($0 * 1_000, of: 60_000_000, .bytes, details: "3 findings"))
        }
    }

    @Test func aLineOnATerminal() {
        let written = Stage().run(.line(columns: 80), Self.bytes(every: 50, until: 2_000))
        #expect(written.count == 20)
        #expect(written.first == "\rverifying 100 kB of 60 MB; 3 findings\u{1B}[K")
        #expect(written.last == "\rverifying 2.0 MB of 60 MB, 1.0 MB/s, 58 s left; 3 findings\u{1B}[K")
        let narrow = Stage().run(.line(columns: 30), Self.bytes(every: 50, until: 2_000))
        #expect(narrow.last == "\rverifying 2.0 MB of 60 MB, 1…\u{1B}[K")
    }

    @Test func theLineIsTakenAway() {
        let stage = Stage()
        _ = stage.run(.line(columns: 80), Self.bytes(every: 50, until: 200))
        #expect(stage.written.withLock { $0.last } == "\r\u{1B}[K")
    }

    @Test func plainLinesEveryTenSeconds() {
        let written = Stage().run(.plain, Self.bytes(every: 100, until: 30_500))
        #expect(written.count == 3)
        #expect(written.allSatisfy { $0.hasSuffix("\n") && !$0.contains("\u{1B}") })
        #expect(written[1].hasSuffix(": verifying 20 MB of 60 MB, 1.0 MB/s, 40 s left; 3 findings\n"))
    }

    @Test func jsonAtMostOnceASecond() throws {
        let written = Stage().run(.json, Self.bytes(every: 300, until: 3_000))
        let lines = try written.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["seconds"] as? Double } == [0, 1.2, 2.4])
        #expect(lines.map { $0["done"] as? Int } == [0, 1_200_000, 2_400_000])
        #expect(lines[0]["rate"] is NSNull && lines[0]["secondsLeft"] is NSNull)
        #expect(lines[2]["rate"] as? Double == 1_000_000)
        #expect(lines[2]["secondsLeft"] as? Int == 58)
        #expect(lines[2]["details"] as? String == "3 findings")
    }

    @Test func nothingAtAll() { #expect(Stage().run(.none, Self.bytes(every: 100, until: 30_000)).isEmpty) }

    /// The part that was read first does not count for the rate of the later part.
    @Test func anotherUnitBeginsAnew() {
        let read = (0...10).map { (time: Int64($0 * 200), state: ProgressState(Int64($0), of: 10, .files)) }
        let written = (11...30).map {
            (time: Int64($0 * 200), state: ProgressState(Int64($0 - 10) * 1_000, of: nil, .bytes))
        }
        let lines = Stage().run(.line(columns: 80), read + written)
        #expect(lines[9] == "\rverifying 10 of 10 files, 5/s, 0 s left\u{1B}[K")
        #expect(lines[10] == "\rverifying 1.0 kB\u{1B}[K")
        #expect(lines.last == "\rverifying 20 kB, 5.0 kB/s\u{1B}[K")
    }

    @Test(arguments: [
        (0, "0 s"), (99, "99 s"), (100, "2 min"), (5_999, "100 min"), (12_000, "3 h 20 min"),
        (200_000, "2 days"),
    ])
    func durations(seconds: Int64, text: String) { #expect(ProgressState.duration(seconds) == text) }

    /// Programs print no progress without a terminal by default, and JSON on request.
    @Test func ofAProgram() throws {
        let demo = try DemoRemote()
        func errors(_ options: [String]) throws -> [String] {
            try Program.run("ticds-verify", [demo.path] + options).errors.split(separator: "\n").map(
                String.init)
        }
        #expect(try errors([]).isEmpty)
        #expect(try errors(["--progress", "plain"]).isEmpty)
        #expect(try errors(["--json", "--progress", "json", "--quiet"]).isEmpty)
        let lines = try errors(["--json", "--progress", "json"])
        #expect(
            lines.first?.hasPrefix(
                "{\"schema\":\"ticds.progress/1\",\"program\":\"ticds-verify\",\"task\":\"verifying\"")
                == true)
    }
}
