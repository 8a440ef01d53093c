public import SystemPackage

extension FilePath {
    /// A path from the bytes of a folder listing: one name, or several with `/` between them.
    public init(nameBytes: some Sequence<UInt8>) { self.init(pathBytes: Array(nameBytes)) }

    /// A path from its bytes.
    public init(pathBytes bytes: [UInt8]) {
        self = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { characters in
            for (position, byte) in bytes.enumerated() { characters[position] = CChar(bitPattern: byte) }
            characters[bytes.count] = 0
            return characters.baseAddress.map { FilePath(platformString: UnsafePointer($0)) } ?? FilePath()
        }
    }
}
