import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// What Core Data always writes into the header of a binary store, beyond what a reader needs (core-data-binary-store(5),
/// 1). A file with another header was changed after it was written.
enum BinaryStoreRules {
    /// No store has as many objects as this; a greater counter is damaged.
    private static let largestCounter: UInt64 = 1 << 48

    /// What is wrong with the header; nil for a sound one, and for files that are not binary stores.
    /// - Parameters:
    ///   - bytes: the whole store, which was opened without an error.
    ///   - largestKey: the largest primary key of its objects.
    static func problem(of bytes: SharedBytes, largestKey: Int64, path: FilePath) -> FileProblem? {
        guard bytes.starts(with: BinaryStoreHeader.magic), bytes.count >= BinaryStoreHeader.size else {
            return nil
        }
        func number(_ offset: Int) -> UInt64 { bytes.number(at: offset, width: 8) ?? 0 }
        func odd(_ offset: Int, _ expected: String) -> FileProblem {
            FileProblem(
                .damaged, path: path, offset: offset, "the header of the binary store is damaged",
                expected: expected, found: "\(number(offset))")
        }
        let mapEnd = number(32).addingReportingOverflow(number(40))
        let metadataEnd = number(16).addingReportingOverflow(number(24))
        guard number(32) == UInt64(BinaryStoreHeader.size) else { return odd(32, "objects from byte 64") }
        guard !mapEnd.overflow, number(16) == mapEnd.partialValue else {
            return odd(16, "metadata right after the objects")
        }
        guard !metadataEnd.overflow, metadataEnd.partialValue == UInt64(bytes.count) else {
            return odd(24, "metadata up to the end of the file of \(bytes.count) bytes")
        }
        guard number(48) >= UInt64(clamping: largestKey), number(48) < largestCounter else {
            return odd(48, "a counter of primary keys of at least \(largestKey)")
        }
        return number(56) == 0 ? nil : odd(56, "0")
    }
}
