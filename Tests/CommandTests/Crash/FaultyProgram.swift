import Foundation
import SystemCalls
import SystemPackage
import TestSupport

/// A ticds program that is stopped, or that has a failing call, at a chosen moment (see Tests/Faults/faults.c).
struct FaultyProgram: Sendable {
    enum Fault: CustomStringConvertible, Sendable {
        case kill(Int)
        case killAfter(Int)
        /// The call writes only a half, and is the last one.
        case short(Int)
        case fail(Int, Errno)
        /// The call fails; some calls later the process is killed.
        case failAndKill(Int, Errno, later: Int)
        /// The call and all later ones fail, as on a lost volume.
        case failFrom(Int, Errno)
        /// Every call of a function fails, as on a file system that lacks it.
        case lacks(String, Errno)
        /// No thread can be made but the first.
        case noThreads
        /// No more than so many bytes of memory can be had at a time.
        case memory(Int)
        /// The clock that can be set goes back with each look at it.
        case clock
        /// The system clock is ahead by this many seconds.
        case ahead(Int)
        /// Times end at this second, and are multiples of this many nanoseconds.
        case times(last: Int, step: Int)
        /// A hard link has a separate inode number, as on some FUSE file systems.
        case numbers
        case count(FilePath)
        /// Counts the reading calls on files.
        case looks(FilePath)
        /// A reading call fails; its path is written into the file.
        case once(Int, Errno, FilePath)
        /// A reading call fails, and all later ones on the same path; the path is written into the file.
        case blind(Int, Errno, FilePath)
        case none

        var isThere: Bool { if case .none = self { false } else { true } }

        var description: String {
            switch self {
            case .kill(let number): "kill:\(number)"
            case .killAfter(let number): "after:\(number)"
            case .short(let number): "short:\(number)"
            case .fail(let number, let errno): "fail:\(number):\(errno.rawValue)"
            case .failAndKill(let number, let errno, let later): "fail:\(number):\(errno.rawValue):\(later)"
            case .failFrom(let number, let errno): "from:\(number):\(errno.rawValue)"
            case .lacks(let name, let errno): "lacks:\(name):\(errno.rawValue)"
            case .noThreads: "lacks:pthread:\(EAGAIN)"
            case .memory(let bytes): "memory:\(bytes)"
            case .clock: "clock"
            case .ahead(let seconds): "ahead:\(seconds)"
            case .times(let last, let step): "times:\(last):\(step)"
            case .numbers: "numbers"
            case .count(let file): "count:\(file)"
            case .looks(let file): "looks:\(file)"
            case .once(let number, let errno, let file): "once:\(number):\(errno.rawValue):\(file)"
            case .blind(let number, let errno, let file): "blind:\(number):\(errno.rawValue):\(file)"
            case .none: ""
            }
        }
    }

    /// The library that is loaded before the C library; nil without a C compiler.
    static let library: FilePath? = {
        guard let folder = try? TemporaryFolder(prefix: "ticds-faults") else { return nil }
        kept.append(folder)
        let source = FilePath(#filePath).removingLastComponent().removingLastComponent()
            .removingLastComponent().appending("Faults").appending("faults.c")
        let library = folder.path.appending("faults.so")
        for compiler in ["clang", "cc", "gcc"] {
            let line = "\(compiler) -shared -fPIC -O1 -o '\(library)' '\(source)' -ldl"
            let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"]
            if (try? Program.shell(line, environment: environment))?.status == 0 { return library }
        }
        return nil
    }()

    /// The environment that sets the clock of a program ahead; empty without a C compiler.
    static func environment(ahead seconds: Int) -> [String: String] {
        environment(.ahead(seconds))
    }

    /// What a program is started with to have a fault: without a C compiler, nothing.
    static func environment(_ fault: Fault) -> [String: String] {
        library.map { ["LD_PRELOAD": $0.string, "TICDS_FAULT": "\(fault)"] } ?? [:]
    }

    /// The number of calls that a run with `count` or `looks` wrote into the file.
    static func number(in file: FilePath) throws -> Int {
        Int(try String(contentsOfFile: file.string, encoding: .utf8).dropLast()) ?? 0
    }

    private nonisolated(unsafe) static var kept: [TemporaryFolder] = []

    let name: String
    let home: FilePath

    /// Runs the program to any end; returns its exit status, or the negative number of a signal.
    func run(_ arguments: [String], fault: Fault = .none, milliseconds: UInt32? = nil) throws -> Int32 {
        try result(arguments, fault: fault, milliseconds: milliseconds).status
    }

    /// Runs the program; returns its exit status with its standard error.
    func result(
        _ arguments: [String], fault: Fault = .none, milliseconds: UInt32? = nil
    ) throws -> (status: Int32, errors: String) {
        var environment = [
            "PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=\(home)", "XDG_STATE_HOME=\(home)",
            "TICDS_FAULT=\(fault)",
        ]
        if case .none = fault {
        } else if let library = Self.library {
            environment.append("LD_PRELOAD=\(library)")
        }
        guard let errors = tmpfile() else { throw Errno(rawValue: errno) }
        defer { fclose(errors) }
        let process = try spawn([Program.path(name)] + arguments, environment, errors: fileno(errors))
        if let milliseconds {
            usleep(milliseconds * 1_000)
            kill(process, SIGKILL)
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        rewind(errors)
        var text = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&text, 1, text.count, errors)
        return (signal == 0 ? (status >> 8) & 0xFF : -signal, String(decoding: text[..<count], as: UTF8.self))
    }

    private func spawn(_ arguments: [String], _ environment: [String], errors: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...1 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var process: pid_t = 0
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        let result = posix_spawn(&process, arguments[0], &actions, nil, words, variables)
        guard result == 0 else { throw Errno(rawValue: result) }
        return process
    }
}
