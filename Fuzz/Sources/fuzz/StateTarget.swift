import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
@testable import TICDSVerification

private let root: FilePath = "r"

/// The state file of a verification. What is read from it is the same when it was written again.
@Sendable func readState(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("state")
    try NewFile.write(bytes.array, to: path)
    let known = try VerificationState.read(path, of: root)
    let again = folder.path.appending("again")
    try VerificationState.write(known, to: again, of: root)
    let copy = try VerificationState.read(again, of: root)
    precondition(copy == known)
}

@Sendable func stateSeeds() throws -> [[UInt8]] {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("state")
    return try [0, 1, 3].map { count in
        var known = KnownFiles(isInUse: true)
        for number in 0..<count {
            let name: RemotePath = ["Documents", "cookbook", RemoteName("set \(number)")]
            known[name] = KnownFile(
                size: Int64(number) << 40, modified: FileTime(seconds: 400_000_000, nanoseconds: 5),
                inode: .max, digest: Array(repeating: UInt8(number), count: 32),
                checked: FileTime(seconds: -1))
        }
        try VerificationState.write(known, to: path, of: root)
        return try FileBytes.read(path, limit: .verificationState).array
    }
}
