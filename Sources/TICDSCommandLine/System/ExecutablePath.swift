import Glibc
import SystemCalls
package import SystemPackage

/// Finds programs, and replaces this process by one of them.
package enum ExecutablePath {
    /// The folder that contains the running program, with links followed.
    package static let ownFolder: FilePath? = {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        return FilePath(platformString: resolved).removingLastComponent()
    }()

    /// The known name by which this process was started: that of the executed file, otherwise that of a file in its
    /// chain of links, otherwise the first argument.
    package static func calledName(isKnown: (String) -> Bool) -> String? {
        var file = CurrentExecutable.path
        for _ in 0..<16 {
            guard let path = file, let name = path.lastComponent?.string else { break }
            if isKnown(name) { return name }
            file = linkTarget(path)
        }
        let name = FilePath(CommandLine.arguments.first ?? "").lastComponent?.string
        return name.flatMap { isKnown($0) ? $0 : nil }
    }

    private static func linkTarget(_ path: FilePath) -> FilePath? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &bytes, bytes.count - 1) }
        guard count > 0 else { return nil }
        return path.removingLastComponent().pushing(FilePath(platformString: bytes))
    }

    /// The folders that are searched for programs: the program's own, then those of `PATH`.
    package static var folders: [FilePath] {
        let path = Environment["PATH"]?.split(separator: ":").map { FilePath(String($0)) } ?? []
        return (ownFolder.map { [$0] } ?? []) + path
    }

    /// The program of this name in the first folder that contains one.
    package static func find(_ name: String) -> FilePath? {
        folders.lazy.map { $0.appending(name) }.first(where: isProgram)
    }

    /// The names of all programs that begin with `prefix`, each once, sorted.
    package static func names(beginningWith prefix: String) -> [String] {
        var names: Set<String> = []
        for folder in folders {
            for name in fileNames(in: folder) where name.hasPrefix(prefix) && !name.contains(".") {
                if !names.contains(name), isProgram(folder.appending(name)) { names.insert(name) }
            }
        }
        return names.sorted()
    }

    /// Replaces the process by `program` (execv(3)); `arguments` do not include its name.
    /// - Returns: the reason, only if it fails.
    package static func exec(_ program: FilePath, _ arguments: [UnsafePointer<CChar>]) -> Errno {
        program.withPlatformString { path in
            var list: [UnsafeMutablePointer<CChar>?] = [UnsafeMutablePointer(mutating: path)]
            list += arguments.map { UnsafeMutablePointer(mutating: $0) }
            list.append(nil)
            execv(path, &list)
            return Errno(rawValue: errno)
        }
    }

    /// Replaces the process by `program`, with arguments as text.
    package static func exec(_ program: FilePath, _ arguments: [String]) -> Errno {
        let copies = arguments.compactMap { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return exec(program, copies.map { UnsafePointer($0) })
    }

    /// Whether the path is a regular file that may be executed.
    private static func isProgram(_ path: FilePath) -> Bool {
        path.withPlatformString { text in
            var status = stat()
            return stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(text, X_OK) == 0
        }
    }

    private static func fileNames(in folder: FilePath) -> [String] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { names.append(String(cString: $0)) }
            }
        }
        return names
    }
}
