import SystemCalls
import SystemPackage
public import TICDSCore

/// Names, paths and totals of a remote.
extension JSONWriter {
    /// A name by the rules of a path.
    public mutating func field(_ name: String, _ remoteName: RemoteName) {
        field(name, FilePath(nameBytes: remoteName.bytes))
    }

    /// A path inside the remote.
    public mutating func field(_ name: String, _ path: RemotePath) {
        field(name, FilePath(nameBytes: path.bytes))
    }

    /// Names as they are; one that is not UTF-8 escaped.
    public mutating func field(_ name: String, _ names: [RemoteName]) {
        field(name, names.map { $0.isUTF8 ? $0.text : $0.description })
    }

    public mutating func field(_ name: String, _ totals: FileTotals) {
        beginObject(name)
        field("count", totals.count)
        field("bytes", totals.bytes)
        endObject()
    }

    /// A name by the rules of a path, or `null`.
    public mutating func field(_ name: String, orNull remoteName: RemoteName?) {
        if let remoteName { field(name, remoteName) } else { field(name, String?.none) }
    }
}
