import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A register that is written whole: whoever reads it meanwhile sees the old one or the new one.
enum RegisterFile {
    static func write(_ lines: [RegisteredChangeSet], to path: FilePath) throws(FileProblem) {
        try replace(path) { (new) throws(FileProblem) in
            try ChangeSetRegisterWriter.write(lines, to: new)
        }
    }

    /// - Parameter make: makes the new file at a place that is not there yet.
    static func replace(
        _ path: FilePath, _ make: (FilePath) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let scratch = try TemporaryFolder(in: path.removingLastComponent(), prefix: ".register")
        let new = scratch.path.appending("register")
        try make(new)
        try AtomicFile.write(try FileBytes.read(new, limit: .register).array, to: path)
    }
}
