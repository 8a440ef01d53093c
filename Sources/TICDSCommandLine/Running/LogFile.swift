import Base
import Rclone
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// The log file of the process, if `--log-file` names one.
enum LogFile {
    enum Level: String, CaseIterable {
        case info, warning, error
    }

    private struct Open {
        let descriptor: FileDescriptor
        let path: FilePath
        let format: LogFormat
    }

    private static let current = Mutex<Open?>(nil)

    /// Opens the file, or warns that it cannot be opened.
    /// - Throws: `.refused` for a file in a remote, where it would harm the clients.
    static func open(_ output: OutputOptions) throws(FileProblem) {
        guard let name = output.logFile else { return }
        let path = Environment.path(argument: name)
        if let remote = try RemoteLocation.remote(around: path.resolvedInFolder() ?? path) {
            throw FileProblem(
                .refused, path: path, "the log file would lie in the remote \(remote)",
                advice: "Keep it elsewhere: foreign files harm the clients")
        }
        do {
            let descriptor = try FileDescriptor.open(
                path, .writeOnly, options: [.append, .create, .closeOnExec, .nonBlocking, .noFollow],
                permissions: [.ownerRead, .ownerWrite])
            current.withLock { $0 = Open(descriptor: descriptor, path: path, format: output.logFormat) }
        } catch {
            output.warn("\(path): the log file cannot be opened (\(error))")
        }
    }

    /// Appends a line in one piece, so that several processes may share the file.
    static func add(_ level: Level, _ message: @autoclosure () -> String) {
        guard let log = current.withLock({ $0 }) else { return }
        let now = FileTime.now
        let time = FileTime(seconds: now.seconds, nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
        let line = line(log.format, level, ConnectionString.hidden(in: message()), time: time)
        do {
            try log.descriptor.writeAll(line.utf8)
        } catch {
            current.withLock { $0 = nil }
            Messages.line("\(log.path): the log file cannot be written (\(error))")
        }
    }

    static func line(
        _ format: LogFormat, _ level: Level, _ message: String, time: FileTime,
        process: Int32 = Environment.process
    ) -> String {
        guard format == .json else {
            let who = "\(Environment.programName)[\(process)]"
            return "\(time.iso) \(level.rawValue) \(who): \(escapedText(message))\n"
        }
        var json = JSONWriter(nil)
        json.document((level, message, time, process), LogFile.schema)
        return json.text
    }

    static let schema = JSONSchema<(level: Level, message: String, time: FileTime, process: Int32)>(
        "ticds.log/1",
        "A line of the file that `--log-file` names, with `--log-format` `json`."
    ) {
        $0("time", "", { $0.time })
        $0("level", "", { $0.level })
        $0("program", "The program that writes it.", { _ in Environment.programName })
        $0("process", "The number of its process.", as: .number(from: 1), { Int64($0.process) })
        $0(
            "message",
            """
            The first message of a process begins with `begins:` and its arguments, the last one with \
            `ends` and its exit status.
            """, { $0.message })
    }
}
