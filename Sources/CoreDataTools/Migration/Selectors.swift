import KeyedArchive

/// The reason why a selector has no meaning in a migration without the app's code.
struct SelectorProblem: Error, Hashable {
    /// The problem: a sentence without a full stop.
    var problem: String
}

extension MigrationExpression.Function {
    /// The cast to a class of Foundation; nil for another class.
    init?(castTo type: String) {
        switch type {
        case "NSString": self = .castToText
        case "NSNumber": self = .castToNumber
        case "NSDate": self = .castToDate
        default: return nil
        }
    }

    /// The predefined function of NSExpression with this selector; nil for another one.
    init?(predefined selector: String) {
        switch selector {
        case "lowercase:": self = .lowercase
        case "uppercase:": self = .uppercase
        case "add:to:": self = .add
        case "from:subtract:": self = .subtract
        case "multiply:by:": self = .multiply
        case "divide:by:": self = .divide
        default: return nil
        }
    }
}

extension MigrationExpression {
    /// The value of a message to the migration manager, which knows the objects that mappings made.
    init(manager selector: String, _ arguments: [MigrationExpression]) throws(SelectorProblem) {
        guard selector == "destinationInstancesForEntityMappingNamed:sourceInstances:" else {
            throw SelectorProblem(
                problem:
                    "the function \(selector.prefix(80)) of the migration manager is not carried out")
        }
        guard arguments.count == 2, case .constant(.string(let name)) = arguments[0] else {
            throw SelectorProblem(
                problem: "\(selector) needs the name of an entity mapping, and source objects")
        }
        self = .destinations(mappings: [name], sources: arguments[1])
    }

    /// The value of a message to another value.
    init(
        _ receiver: MigrationExpression, _ selector: String, _ arguments: [MigrationExpression]
    ) throws(SelectorProblem) {
        switch (receiver, selector, arguments.count) {
        case (.source(let path), "valueForKey:", 1), (.source(let path), "valueForKeyPath:", 1):
            guard case .constant(.string(let key)) = arguments[0],
                let names = ArchivedValue.keyPath(key), selector == "valueForKeyPath:" || names.count == 1
            else { throw SelectorProblem(problem: "\(selector) needs a key path in quotation marks") }
            if let fault = ExpressionParser.fault(ofPath: path + names) {
                throw SelectorProblem(problem: fault)
            }
            self = .source(path: path + names)
        case (_, "lowercaseString", 0): self = .function(.lowercase, [receiver])
        case (_, "uppercaseString", 0): self = .function(.uppercase, [receiver])
        case (_, "stringByAppendingString:", 1): self = .function(.concatenate, [receiver, arguments[0]])
        default:
            throw SelectorProblem(problem: "the function \(selector.prefix(80)) is not carried out")
        }
    }
}

extension ObjectPredicate {
    /// The condition with key paths from the source object, whether or not they begin with `$source` or `SELF`.
    var ofSource: ObjectPredicate {
        mappingKeyPaths { path in
            path.count > 1 && (path.first == "$source" || path.first == "SELF")
                ? Array(path.dropFirst()) : path
        }
    }
}
