import Base
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSStorages

/// The file that `--log-file` names.
struct LogFile: Sendable {
    enum Level: String, CaseIterable {
        case info, warning, error
    }

    private let descriptor: FileDescriptor
    private let path: FilePath
    private let format: LogFormat

    /// Opens the file.
    /// - Returns: the log file, or the reason why it cannot be opened; nil if no option names one.
    /// - Throws: `.refused` for a file in a remote, in which it would harm the clients.
    static func open(_ options: OutputOptions) throws(FileProblem) -> Result<LogFile, FileProblem>? {
        guard let name = options.logFile else { return nil }
        let path = try Environment.file(argument: name)
        if let remote = try RemoteLocation.remote(around: path.resolvedInFolder() ?? path) {
            throw FileProblem(
                .refused, path: path, "the log file would lie in the remote \(remote)",
                advice: "Keep it elsewhere: foreign files harm the clients")
        }
        do {
            let descriptor = try FileDescriptor.open(
                path, .writeOnly, options: [.append, .create, .closeOnExec, .nonBlocking, .noFollow],
                permissions: [.ownerRead, .ownerWrite])
            return .success(LogFile(descriptor: descriptor, path: path, format: options.logFormat))
        } catch {
            return .failure(
                FileProblem(.writeFailed, path: path, "the log file cannot be opened", found: "\(error)"))
        }
    }

    /// Appends a line in one piece, so that several processes may share the file.
    /// - Throws: the error of writing.
    func add(_ level: Level, _ message: String) throws(FileProblem) {
        let now = FileTime.now
        let time = FileTime(seconds: now.seconds, nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
        let line = Self.line(format, level, StorageSchemes.hidden(in: message), time: time)
        do {
            try descriptor.writeAll(line.utf8)
        } catch {
            throw FileProblem(.writeFailed, path: path, "the log file cannot be written", found: "\(error)")
        }
    }

    static func line(
        _ format: LogFormat, _ level: Level, _ message: String, time: FileTime,
        process: Int32 = Environment.processNumber
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
