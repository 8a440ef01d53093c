import Base
import SystemCalls

/// The files and folders that programs have open, by the numbers that the kernel got.
struct FuseHandles {
    enum Handle {
        case folder(VirtualListing)
        case file(any VirtualContent, modified: FileTime)

        /// The memory that it may take.
        fileprivate var weight: Int64 {
            if case .file(let content, _) = self, content is SharedBytes { content.size } else { 0 }
        }
    }

    /// The bytes of memory that the contents of open files may take together.
    static let mostBytes: Int64 = 512 << 20

    private var open: [UInt64: Handle] = [:]
    private var last: UInt64 = 0
    private var bytes: Int64 = 0

    subscript(number: UInt64) -> Handle? { open[number] }

    /// A number for a handle; nil if there is no memory for its content.
    mutating func keep(_ handle: Handle) -> UInt64? {
        guard bytes +| handle.weight <= Self.mostBytes || bytes == 0 else { return nil }
        last += 1
        bytes +|= handle.weight
        open[last] = handle
        return last
    }

    mutating func close(_ number: UInt64) {
        guard let handle = open.removeValue(forKey: number) else { return }
        bytes = bytes -| handle.weight
    }
}
