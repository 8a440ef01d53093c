public import KeyedArchive
public import SystemCalls
public import SystemPackage

extension FileProblem {
    /// A damaged property list or keyed archive inside `path`.
    public init(_ error: PropertyListError, path: FilePath, advice: String? = nil) {
        self.init(
            .damaged, path: path, offset: error.offset, "damaged property list", expected: error.expected,
            found: error.found, advice: advice)
    }
}

extension ManagedObjectModel {
    /// The model that `read` returns, if it is consistent; a damaged archive becomes a problem of the file `path`.
    package static func decoded(
        _ path: FilePath, _ read: () throws(PropertyListError) -> Self
    ) throws(FileProblem) -> Self {
        let model: Self
        do throws(PropertyListError) { model = try read() } catch { throw FileProblem(error, path: path) }
        return try model.checked(path)
    }
}
