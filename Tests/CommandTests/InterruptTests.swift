import Foundation
import TestSupport
import Testing

/// The remains of a program that a signal ends.
@Suite struct InterruptTests {
    private static let signals = [
        "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGABRT", "SIGALRM", "SIGUSR2", "SIGXCPU", "SIGKILL",
    ]

    @Test(arguments: LongTests.areWanted ? signals : ["SIGINT", "SIGTERM", "SIGUSR2", "SIGKILL"])
    func leavesNoPlainTextBehind(_ signal: String) throws {
        let result = try run("program.send_signal(signal.\(signal))")
        #expect(result.output.contains("before: 0 names, 1 file without"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("status: -\(signal)"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("after: []"), "\(result.output)")
    }

    @Test func leavesNothingBehindWhereThePipeIsClosed() throws {
        let result = try run("program.stdout.close()")
        #expect(result.output.contains("before: 0 names, 1 file without"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("status: -SIGPIPE"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("after: []"), "\(result.output)")
        #expect(!result.errors.contains("written"), "\(result.errors)")
    }

    @Test func commandsWithoutProgressIgnoreSIGUSR1() throws {
        let result = try run("program.send_signal(signal.SIGUSR1); program.stdout.read()")
        #expect(result.output.contains("status: 0"), "\(result.output)\(result.errors)")
    }

    @Test func anIgnoredSignalStaysIgnored() throws {
        let result = try run("program.send_signal(signal.SIGHUP); program.stdout.read()", ignored: "SIGHUP")
        #expect(result.output.contains("status: 0"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("after: []"), "\(result.output)")
    }

    /// Dumps a large encrypted store into a pipe; `step`, in Python, follows when the pipe is full.
    private func run(_ step: String, ignored: String = "") throws -> Program.Result {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "ticds-interrupt-\(UUID().uuidString)")
        let temporary = folder.appending(path: "tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            import array, fcntl, glob, os, signal, subprocess, sys, termios, time
            ticds, store, folder, temporary = sys.argv[1:]
            password = folder + '/password'
            open(password, 'w').write('open sesame')
            environment = {'PATH': os.environ['PATH'], 'TICDS_PASSWORD_FILE': password, 'TMPDIR': temporary}
            subprocess.run([ticds, 'demo', '--quiet', '--encrypt', '--change-sets', '1000', folder + '/demo'],
                env=environment, check=True, stdout=subprocess.DEVNULL)
            def begin():
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGQUIT, signal.SIGALRM,
                        signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU):
                    ignored = number.name == '\(ignored)'
                    signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
            stores = glob.glob(folder + '/demo/*/Documents/cookbook/WholeStore/*/WholeStore.ticdsync')
            program = subprocess.Popen([store, 'dump', max(stores, key=os.path.getsize)], env=environment,
                stdout=subprocess.PIPE, preexec_fn=begin)
            os.read(program.stdout.fileno(), 1)
            waiting = array.array('i', [0])
            while waiting[0] < 61440:
                assert program.poll() is None, 'the pipe holds everything'
                fcntl.ioctl(program.stdout.fileno(), termios.FIONREAD, waiting)
                time.sleep(0.002)
            own = f'/proc/{program.pid}/fd'
            open_files = [os.readlink(f'{own}/{one}') for one in os.listdir(own)]
            nameless = [one for one in open_files if one.startswith(temporary) and one.endswith('(deleted)')]
            print('before:', len(os.listdir(temporary)), 'names,', len(nameless), 'file without')
            \(step)
            status = program.wait()
            print('status:', '-' + signal.Signals(-status).name if status < 0 else status)
            print('after:', os.listdir(temporary))
            """
        return try Program.launch(
            "/usr/bin/env",
            [
                "python3", "-c", script, Program.path("ticds"), Program.path("ticds-store"), folder.path,
                temporary.path,
            ],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            seconds: 240
        )
    }
}
