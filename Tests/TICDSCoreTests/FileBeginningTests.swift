import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The quick look at the first bytes of a file agrees with the check of the whole file.
@Test func contentAtTheBeginningIsNoPlaceholder() throws {
    let folder = try TemporaryFolder(prefix: "ticds-beginning")
    let contents: [[UInt8]] = [
        [], [0], [1], [0, 0], [0, 1], [1, 0], Array(repeating: 0, count: 512),
        Array(repeating: 0, count: 511) + [1], Array(repeating: 0, count: 512) + [1],
        Array(repeating: 0, count: 5_000), Array("CoreData".utf8) + Array(repeating: 0, count: 5_000),
    ]
    let storage = LocalStorage(root: folder.path)
    let open = try #require(storage.openFolder(.root))
    var certain = 0
    for (number, bytes) in contents.enumerated() {
        let name = RemoteName("file \(number)")
        try TestFiles.write(folder.path.appending(name.text), bytes)
        guard open.beginsWithContent(name) else { continue }
        certain += 1
        #expect(try CloudPlaceholder.of(storage.open([name])) == nil, "\(number)")
        #expect(bytes.count > 1)
    }
    #expect(certain == 4)
    try TestFiles.makeFolder(folder.path.appending("folder"))
    try TestFiles.link(folder.path.appending("link"), to: "file 4")
    try TestFiles.makeFifo(folder.path.appending("fifo"))
    for name: RemoteName in ["folder", "link", "fifo", "missing"] {
        #expect(!open.beginsWithContent(name), "\(name)")
    }
}
