public import Base

/// The length of a store according to its first bytes.
public enum WholeStoreLength {
    /// The number of first bytes of a file that are enough.
    public static let headSize = 100

    /// The length in bytes according to the header of a store that is neither encrypted nor zipped; nil if the header
    /// does not contain it. A truncated header gives its own length. From the formats: core-data-binary-store(5), 1,
    /// and the header of SQLite.
    public static func told(by head: SharedBytes) -> Int64? {
        func number(_ offset: Int, _ width: Int) -> UInt64 { head.bigEndian(at: offset, width: width) }
        switch PlainSignature(head) {
        case .sqlite:
            guard head.count >= headSize else { return Int64(headSize) }
            // An older SQLite does not count pages; the number of its last change then differs.
            guard number(24, 4) == number(92, 4) else { return nil }
            let page = number(16, 2)
            // bounded: 17 and 32 bits
            return Int64(clamping: (page == 1 ? 65_536 : page) * number(28, 4))
        case .binaryStore:
            guard head.count >= 48 else { return 48 }
            let ends = [number(16, 8) +| number(24, 8), number(32, 8) +| number(40, 8)]
            return Int64(clamping: ends.max() ?? 0)
        default: return nil
        }
    }
}
