import SystemCalls
public import SystemPackage

/// Creates the URIs with which SQLite opens files.
public enum SQLiteURI {
    /// A `file:` URI for a path of any bytes. An immutable file is read without locks and without a search for a
    /// journal.
    public static func uri(of path: FilePath, immutable: Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text = Array((path.isAbsolute ? "file://" : "file:").utf8)
        for byte in path.bytes {
            if isPlain(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self) + (immutable ? "?immutable=1" : "")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
