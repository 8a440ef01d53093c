@_spi(_Unicode) import Swift

extension String {
    /// The scalars of the decomposed text without marks, so that `é` is `e`.
    public var scalarsWithoutAccents: [Unicode.Scalar] {
        _nfd.filter { $0.properties.generalCategory != .nonspacingMark }
    }
}
