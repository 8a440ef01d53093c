import Foundation
import TestSupport
import Testing

/// The next run compensates for a kill at any moment.
@Suite struct FleetKillTests {
    /// Reaching the file size limit of the process (`ulimit -f`) does not end the process that works on many remotes.
    @Test(.enabled(if: Python.available)) func lastingChildIgnoresTheSignalOfTheFileSizeLimit() throws {
        let script = """
            import json, os, socket, subprocess, sys, time
            ours, theirs = socket.socketpair()
            limits = json.dumps({'parent': os.getpid(), 'memory': 2 << 30, 'cores': 1})
            # It waits for a request, and has the usual action of the signal at its start.
            child = subprocess.Popen([sys.argv[1], '--many-of-a-fleet', limits], stdin=theirs)
            def ignored():
                with open(f'/proc/{child.pid}/status') as status:
                    line = [line for line in status if line.startswith('SigIgn')][0]
                return int(line.split()[1], 16) >> 24 & 1
            end = time.monotonic() + 20
            while not ignored() and time.monotonic() < end: time.sleep(0.01)
            print('ignored:', ignored(), 'ended:', child.poll())
            child.kill()
            """
        let result = try Program.shell(
            "python3 -c \"$SCRIPT\" '\(Program.path("ticds-verify"))'", environment: ["SCRIPT": script],
            seconds: 60)
        #expect(result.output == "ignored: 1 ended: None\n", "\(result.output)\(result.errors)")
    }

    /// The coordinator of a run, a process that works on one remote, or the worker of a shard is killed at fifty random
    /// moments. After another run, the database equals that of an undisturbed run, and no remote is missing.
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"))
    func survivesKillsAtRandomMoments() throws {
        let fleet = try FleetFixture(plain: 30)
        let start = ContinuousClock.now
        try fleet.expect(1, ["run", "--to", fleet.path("whole"), "verify"])
        let undisturbed = start.duration(to: .now)
        try fleet.expect(0, ["merge", fleet.path("whole"), "--to", fleet.path("whole.sqlite")])
        // A killed process counts as an attempt on its remote.
        let expected = try fleet.rows("whole.sqlite", attempts: false)
        var random = RandomNumbers(0xF1EE7)
        var kills = 0
        var round = 0
        // A process may have ended before the moment of its kill.
        while kills < 50, round < 250 {
            defer { round += 1 }
            let run = "run-\(round)"
            let order = ["run", "--to", fleet.path(run), "--shards", "3", "--dry-run", "verify"]
            try fleet.expect(0, order)
            var victims: [Process] = []
            if round % 3 == 2 {
                for shard in 1...3 {
                    victims.append(try fleet.start(["work", fleet.path(run), "--shard", "\(shard)/3"]))
                }
            } else {
                victims.append(try fleet.start(["work", fleet.path(run)]))
            }
            let moment = undisturbed * Double.random(in: 0..<1, using: &random)
            Thread.sleep(forTimeInterval: moment / .seconds(1))
            let victim = try #require(victims.randomElement(using: &random))
            if round % 3 == 1 {
                // After the end of a process that works on a remote, there is another one.
                for child in Self.children(of: victim.processIdentifier).prefix(1) {
                    kills += kill(child, SIGKILL) == 0 ? 1 : 0
                }
            } else if victim.isRunning {
                kill(victim.processIdentifier, SIGKILL)
                kills += 1
            }
            for process in victims { process.waitUntilExit() }
            // Its children end with it.
            let end = ContinuousClock.now + .seconds(20)
            while try fleet.isBusy(), ContinuousClock.now < end { usleep(1_000) }
            #expect(try !fleet.isBusy(), "round \(round)")
            let again = try fleet.run(["run", "--to", fleet.path(run), "verify"])
            #expect(
                again.status == 1,
                "round \(round), seed \(RandomNumbers.seed): \(again.output)\(again.errors)")
            try fleet.expect(0, ["merge", fleet.path(run), "--to", fleet.path("\(run).sqlite")])
            #expect(try fleet.rows("\(run).sqlite", attempts: false) == expected, "round \(round)")
        }
        #expect(kills == 50, "the processes ended too early: \(kills) in \(round) rounds")
    }

    /// The child processes of a process (proc(5)).
    private static func children(of parent: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let words = text.split(separator: ")").last?.split(separator: " ") ?? []
            return words.count > 1 && words[1] == "\(parent)"
        }
    }
}

extension FleetFixture {
    /// Starts `ticds-fleet`, without waiting for its end.
    fileprivate func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Program.path("ticds-fleet"))
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C", "XDG_STATE_HOME": path("state"), "TZ": "UTC",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Whether a process works on a remote of this fleet.
    fileprivate func isBusy() throws -> Bool {
        let home = Data("XDG_STATE_HOME=\(path("state"))".utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where pid_t(name) != nil {
            func holds(_ file: String, _ text: Data) -> Bool {
                // try?: it may have ended
                let all = try? Data(contentsOf: URL(filePath: "/proc/\(name)/\(file)"))
                return all?.range(of: text) != nil
            }
            if holds("cmdline", Data("-of-a-fleet".utf8)), holds("environ", home) { return true }
        }
        return false
    }
}
