import Base
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Failing servers: an error is never an absence, temporary errors are retried, and a silent server ends the wait.
@Suite(
    .enabled(if: LongTests.areWanted, "long: make check runs it"),
    .enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"),
    .enabled(if: StorageServer.Kind.webdav.isInstalled && Python.available, "needs python3"))
struct StorageFaultTests {
    /// The result of a command on a remote.
    private struct Outcome: Equatable {
        var status: Int32
        var output: String
        /// The written bytes of an archive, or the files of a copy.
        var written: [UInt8]
    }

    /// Every reading command, and the downloading ones.
    private static func commands(_ place: String, _ target: FilePath) -> [ReadingCommand] {
        ReadingCommand.all(on: place) + [
            ReadingCommand(
                program: "ticds-archive", arguments: ["export", place, "\(target)/archive.tar.zst"],
                schema: nil),
            ReadingCommand(
                program: "ticds-remote", arguments: ["copy", place, "\(target)/copy", "--yes"], schema: nil),
        ]
    }

    /// One server with a remote, and a proxy before it.
    private struct Setting {
        let proxy: FaultProxy
        let place: ServedFolder

        init(_ demo: DemoRemote) throws {
            let server = try StorageServer.shared(.webdav)
            place = try server.place(copying: demo.root)
            proxy = try FaultProxy(to: server)
        }

        func run(
            _ number: Int, _ variables: [String: String] = [:]
        ) throws -> (outcome: Outcome, errors: String, text: String) {
            let scratch = try Scratch()
            let command = commands(place.address(port: proxy.port), scratch.path)[number]
            var environment = [
                "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.path.string,
                "XDG_CACHE_HOME": "\(scratch.path)/cache", "XDG_STATE_HOME": "\(scratch.path)/state",
                "TMPDIR": scratch.path.string,
            ]
            environment.merge(variables) { $1 }
            let result = try command.run(environment: environment)
            var written: [UInt8] = []
            let archive = scratch.path.appending("archive.tar.zst")
            if try FileStatus.ifPresent(archive) != nil { written = try FileBytes.read(archive).array }
            let copy = scratch.path.appending("copy")
            if try FileStatus.ifPresent(copy) != nil {
                written = Array("\(try TreeImage(of: copy).withoutIdentity)".utf8)
            }
            let output = result.output.replacing("\(scratch.path)", with: "HERE")
                .replacing(":\(proxy.port)", with: ":PORT").replacing(#/ in [0-9.]+ m?s\./#, with: "")
            return (
                Outcome(status: result.status, output: output, written: written), result.errors, command.text
            )
        }
    }

    /// Each single call fails in one of several ways. The command then reports it; results that it reports as good are
    /// the same as without the fault.
    @Test func noCallFailsInSilence() throws {
        let demo = try DemoRemote(changeSets: 4)
        let numbers = Array(Self.commands("x", "x").indices)
        let problems = Mutex<[String]>([])
        let failed = Mutex(0)
        let chosen = CrashTests.isThorough ? numbers : [0, 12, 17, numbers.count - 2, numbers.count - 1]
        var random = RandomNumbers(17)
        let seeds = chosen.map { _ in Int.random(in: 0..<1_000, using: &random) }
        DispatchQueue.concurrentPerform(iterations: chosen.count) { index in
            let number = chosen[index]
            do {
                let setting = try Setting(demo)
                let once = ["RCLONE_LOW_LEVEL_RETRIES": "1", "TICDS_STORAGE_TIMEOUT": "4"]
                try setting.proxy.set(.cut, from: .max, distinct: true)
                let clean = try setting.run(number, once)
                let count = try setting.proxy.count
                let calls =
                    CrashTests.isThorough ? Array(0..<count) : (0..<3).map { (seeds[index] + $0 * 7) % count }
                for call in calls {
                    let fault = FaultProxy.Fault.failing[
                        (call + seeds[index]) % FaultProxy.Fault.failing.count]
                    try setting.proxy.set(fault, from: call, to: call, distinct: true)
                    let (outcome, errors, text) = try setting.run(number, once)
                    if outcome.status != clean.outcome.status { failed.withLock { $0 += 1 } }
                    // A command reports it on standard error, or by a different status, as ticds-verify does with a
                    // finding.
                    let isSilent = errors.isEmpty && outcome.status == clean.outcome.status
                    if outcome != clean.outcome, outcome.status == 0 || isSilent {
                        problems.withLock { $0.append("\(text): call \(call), \(fault): \(outcome.output)") }
                    }
                }
            } catch {
                problems.withLock { $0.append("\(number): \(error)") }
            }
        }
        #expect(problems.withLock(\.self) == [])
        #expect(failed.withLock(\.self) > 0)
    }

    /// Sizes in a listing are claims: the sent data is longer or shorter, and no command accepts that.
    @Test(arguments: [.more, .fewer, .none, .huge] as [FaultProxy.Fault])
    func wrongSizesAreErrors(_ fault: FaultProxy.Fault) throws {
        let demo = try DemoRemote(changeSets: 2)
        let setting = try Setting(demo)
        try setting.proxy.set(fault, from: 0)
        let last = Self.commands("x", "x").count - 1
        let (export, _, _) = try setting.run(last - 1)
        #expect(export.status != 0, "\(export.output)")
        let (copy, _, _) = try setting.run(last)
        #expect(copy.status != 0 && copy.written.isEmpty, "\(copy.output)")
        let scratch = try Scratch()
        let verified = try Program.run(
            "ticds-verify", ["--level", "deep", setting.place.address(port: setting.proxy.port)],
            environment: [
                "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.path.string,
                "XDG_CACHE_HOME": "\(scratch.path)/cache", "XDG_STATE_HOME": "\(scratch.path)/state",
            ])
        #expect(verified.status != 0 && !verified.output.contains("TICDS-0718"), "\(verified.output)")
        #expect(!verified.output.contains(" EB)"), "\(verified.output)")
        // An unread file is not a damaged file: nothing is set aside.
        #expect(verified.output.contains("TICDS-0717") || fault == .huge, "\(verified.output)")
    }

    /// A temporary fault is retried: the outcome is the same as without it.
    @Test(arguments: [.tooMany, .broken, .unavailable, .cut, .short, .stall] as [FaultProxy.Fault])
    func transientFaultsPass(_ fault: FaultProxy.Fault) throws {
        let demo = try DemoRemote(changeSets: 2)
        let setting = try Setting(demo)
        let export = Self.commands("x", "x").count - 2
        try setting.proxy.clear()
        let clean = try setting.run(export)
        #expect(clean.outcome.status == 0, "\(clean.errors)")
        let count = try setting.proxy.count
        for call in [0, count / 2] {
            try setting.proxy.set(fault, from: call, to: call)
            let (outcome, errors, _) = try setting.run(export, ["TICDS_STORAGE_TIMEOUT": "6"])
            #expect(outcome == clean.outcome, "call \(call) of \(count): \(errors)")
        }
    }

    /// A server that never answers again does not block a command permanently, over HTTP and over SFTP.
    @Test(arguments: [true, false]) func stallsEnd(isWebDAV: Bool) throws {
        let demo = try DemoRemote(changeSets: 2)
        let start = ContinuousClock.now
        let limit = ["TICDS_STORAGE_TIMEOUT": "2"]
        let result: Program.Result
        if isWebDAV {
            let setting = try Setting(demo)
            try setting.proxy.set(.stall, from: 3)
            let outcome = try setting.run(0, limit)
            result = Program.Result(status: outcome.outcome.status, bytes: [], errors: outcome.errors)
        } else {
            try demo.scratch.script("ssh", "exec sleep 1000")
            var environment = limit.merging(["TICDS_RCLONE": InstalledRclone.path?.string ?? ""]) { $1 }
            for (name, value) in [("HOME", ""), ("XDG_CACHE_HOME", "/cache"), ("TMPDIR", "")] {
                environment[name] = demo.scratch.path.string + value
            }
            result = try Program.run(
                "ticds-inspect", ["status", "rclone::sftp,ssh='\(demo.scratch.path)/ssh':x"],
                environment: environment)
        }
        #expect(result.status != 0 && !result.errors.isEmpty, "\(result.errors)")
        #expect(ContinuousClock.now - start < .seconds(60), "\(result.errors)")
    }

    /// Rclone, or the server, is killed while a command waits for it.
    @Test(arguments: [true, false]) func killedInTheMiddle(isRclone: Bool) throws {
        let demo = try DemoRemote(changeSets: 2)
        let server = try StorageServer(.webdav)
        let place = try server.place(copying: demo.root)
        let proxy = try FaultProxy(to: server)
        try proxy.set(.stall, from: 12)
        let scratch = demo.scratch.path
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            while (try? proxy.count) ?? 0 < 13 { usleep(20_000) }
            if isRclone {
                // The rclone that the command started, found by its socket.
                _ = system("pkill -9 -f 'rcd --rc-addr unix://\(scratch)/'")
            } else {
                server.stop()
                try? proxy.clear()
                proxy.stop()
            }
            done.signal()
        }
        let result = try Program.run(
            "ticds-verify", [place.address(port: proxy.port)],
            environment: [
                "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.string,
                "XDG_CACHE_HOME": "\(scratch)/cache", "XDG_STATE_HOME": "\(scratch)/state",
                "TMPDIR": scratch.string, "RCLONE_LOW_LEVEL_RETRIES": "1",
            ])
        done.wait()
        #expect(result.status != 0 && !result.errors.isEmpty, "\(result.output)")
        if isRclone { #expect(result.errors.contains("rclone has ended"), "\(result.errors)") }
    }

    /// No password appears in the arguments of started programs, nor in logs, caches, the journal, JSON or errors.
    @Test func secretsStaySecret() throws {
        let demo = try DemoRemote(changeSets: 2)
        let setting = try Setting(demo)
        let scratch = demo.scratch.path
        let clear = "geheim-\(UUID())"
        let obscured = try demo.scratch.shell("\(InstalledRclone.path?.string ?? "rclone") obscure \(clear)")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        var environment = [
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": scratch.string,
            "XDG_CACHE_HOME": "\(scratch)/cache", "XDG_STATE_HOME": "\(scratch)/state",
            "TMPDIR": scratch.string,
            "RCLONE_CONFIG_NAS_TYPE": "webdav", "RCLONE_CONFIG_NAS_VENDOR": "rclone",
            "RCLONE_CONFIG_NAS_URL": "http://127.0.0.1:\(setting.proxy.port)",
            "RCLONE_CONFIG_NAS_USER": "anna",
            "RCLONE_CONFIG_NAS_PASS": obscured, "TICDS_STORAGE_TIMEOUT": "4",
        ]
        let configured = "rclone:nas:" + setting.place.location().split(separator: ":").last!
        let typed = setting.place.address(port: setting.proxy.port).replacing(
            "vendor=", with: "user=anna,pass=\(obscured),vendor=")
        var seen = ""
        for (place, isConfigured) in [(configured, true), (typed, false)] {
            for fault in [nil, .unauthorized, .broken, .stall] as [FaultProxy.Fault?] {
                if let fault { try setting.proxy.set(fault, from: 2) } else { try setting.proxy.clear() }
                environment["RCLONE_LOW_LEVEL_RETRIES"] = "1"
                let command = Mutex<Program.Result?>(nil)
                let end = DispatchSemaphore(value: 0)
                DispatchQueue.global().async { [environment] in
                    let result = try? Program.run(
                        "ticds", ["inspect", "status", place, "--json", "--verbose"], environment: environment
                    )
                    command.withLock { $0 = result }
                    end.signal()
                }
                while end.wait(timeout: .now() + 0.05) == .timedOut {
                    seen += Self.arguments(mentioning: "\(scratch)/", without: isConfigured ? nil : typed)
                }
                let ended = command.withLock(\.self)
                let result = try #require(ended)
                if fault == nil { #expect(result.status == 0, "\(result.errors)") }
                seen += result.output + result.errors
            }
        }
        #expect(seen.contains("rcd"), "no rclone was seen")
        seen += try demo.scratch.shell("grep -rl -e '\(clear)' -e '\(obscured)' . || true")
        #expect(!seen.contains(clear) && !seen.contains(obscured) && !seen.contains("cache/"))
    }

    /// The arguments of all processes that contain `text`, except those in which a user typed `typed`.
    private static func arguments(mentioning text: String, without typed: String?) -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int($0) != nil }.compactMap { number in
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else {
                return nil
            }
            let line = String(decoding: bytes, as: UTF8.self)
            return line.contains(text) && typed.map { !line.contains($0) } ?? true ? line : nil
        }.joined(separator: "\n")
    }
}
