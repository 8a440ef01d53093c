import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

@testable import Rclone

/// The listing of a storage, as rclone answers it: every name is one step below a folder that is listed, too.
@Sendable func readListing(_ bytes: SharedBytes) throws {
    let listing = try RcloneListing(bytes.array, root: "rclone:fuzz:")
    for (folder, entries) in listing.folders {
        for entry in entries {
            let name = entry.name.bytes
            if name.isEmpty || name.contains(0) || name.contains(UInt8(ascii: "/")) || entry.size < 0
                || name.elementsEqual("..".utf8) || name.elementsEqual(".".utf8)
            {
                finding("\(folder.text) has \(entry)")
            }
            if entry.kind == .folder, listing.folders[folder.appending(entry.name)] == nil {
                finding("\(folder.text)/\(entry.name.text) is a folder without a listing")
            }
        }
    }
    for path in listing.digests.keys where listing.folders[path.parent] == nil {
        finding("\(path.text) has a digest, but is nowhere")
    }
}

@Sendable func listingSeeds() -> [[UInt8]] {
    [
        """
        {"list":[{"Path":"a","Name":"a","Size":-1,"ModTime":"2014-05-13T16:53:00.25+02:00","IsDir":true},
        {"Path":"a/b.plist","Name":"b.plist","Size":12,"ModTime":"2014-05-13T16:53:00.123456789Z","IsDir":false,
        "Hashes":{"md5":"x","sha256":"00ff"},"Unknown":[{"a":null}]},
        {"Path":"c/d/e","Size":0,"ModTime":"1969-12-31T23:59:59Z","IsDir":false},
        {"Path":"a/\\u00fc","Size":1,"ModTime":"2014-05-13T16:53:00Z","IsDir":false}]}
        """,
        "{\"list\":null}", "{\"list\":[{\"Path\":\"a/../b\",\"Size\":1,\"IsDir\":false}]}",
    ].map { Array($0.utf8) }
}
