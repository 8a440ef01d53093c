internal import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A value that a new store cannot contain as it is.
public struct StoreLoss: Sendable, Hashable {
    /// The reasons.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The model does not have the property; it is left out.
        case unknownProperty
        /// The value is not of the type of the attribute, or the relationship is to-one and has several objects; it is
        /// left out, or only the first object counts.
        case wrongType
        /// The value is a number that is not finite or has too large an exponent, which the kind of store cannot
        /// contain; it is left out.
        case notFinite
        /// The nearest value that the kind of store can contain takes its place.
        case rounded
        /// The file of external data does not exist, is empty or cannot be read; the value is left out.
        case missingFile
        /// A keyed archive cannot contain the value; it is left out.
        case notArchivable
        /// The data of a value transformer are no keyed archive; a binary store, which should contain the object, gets
        /// the data.
        case untransformed
        /// A value transformer of the app is unknown; the value is converted as if it were one of Core Data. Nothing is
        /// left out.
        case transformer

        /// Whether the new store lacks something of the old one.
        public var isLoss: Bool { self != .transformer }

        /// The reason in words, without a full stop.
        public var text: String {
            switch self {
            case .unknownProperty: "the model does not have the property"
            case .wrongType: "the value is not of the type in the model"
            case .notFinite: "this kind of store cannot contain the number"
            case .rounded: "this kind of store cannot contain all digits of the number"
            case .missingFile: "the file of external data does not exist, is empty or cannot be read"
            case .notArchivable: "a keyed archive cannot contain the value"
            case .untransformed: "a binary store should contain the object, and gets the data"
            case .transformer: "the app's own value transformer is unknown; the data count as a keyed archive"
            }
        }
    }

    /// The entity of the object.
    public var entity: String
    /// The primary key of the object.
    public var primaryKey: Int64
    /// The name of the property.
    public var property: String
    /// The reason.
    public var kind: Kind

    /// The loss as an error of the store `path`.
    public func problem(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "\(entity).\(property) of object \(primaryKey) cannot be written",
            found: kind.text, advice: "Check the source with ticds-store check")
    }
}
