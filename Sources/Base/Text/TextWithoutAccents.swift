@_spi(_Unicode) import Swift

extension String {
    /// The scalars of the decomposed text without marks, so that `é` is `e`.
    public var scalarsWithoutAccents: [Unicode.Scalar] {
        _nfd.filter { $0.properties.generalCategory != .nonspacingMark }
    }

    /// The scalars of the composed text, the same for all spellings of a letter with accents.
    public var composedScalars: [Unicode.Scalar] {
        utf8.allSatisfy { $0 < 0x80 } ? Array(unicodeScalars) : Array(_nfc)
    }
}
