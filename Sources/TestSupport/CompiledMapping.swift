package import KeyedArchive

/// Compiled mapping models as archives of the classes of Core Data and Foundation, in the form of NSKeyedArchiver. The
/// names of classes and fields are those that public decoders of such files read; none was written by Xcode.
package enum CompiledMapping {
    /// The archive of a mapping model.
    package static func bytes(_ entities: [ArchivedValue]) throws -> [UInt8] {
        try KeyedArchiveWriter.bytes(
            root: object("NSMappingModel", [("NSEntityMappings", .array(entities))]))
    }

    /// An object with these fields.
    package static func object(_ name: String, _ fields: [(String, ArchivedValue)]) -> ArchivedValue {
        .object(
            ArchivedObject(
                className: name,
                fields: fields.map { field in
                    switch field.1 {
                    case .integer, .boolean: ArchivedField(field.0, field.1, isInline: true)
                    default: ArchivedField(field.0, field.1)
                    }
                }))
    }

    /// The mapping of an entity.
    package static func entity(
        _ name: String?, kind: Int, from source: String?, to destination: String?,
        hashes: [[UInt8]?] = [nil, nil],
        policy: String? = nil, fetch: ArchivedValue = .none, attributes: [(String, ArchivedValue)] = [],
        relationships: [(String, ArchivedValue)] = []
    ) -> ArchivedValue {
        func text(_ text: String?) -> ArchivedValue { text.map { .string($0) } ?? .none }
        func properties(_ pairs: [(String, ArchivedValue)]) -> ArchivedValue {
            .array(
                pairs.map { name, value in
                    object(
                        "NSPropertyMapping",
                        [("NSDestinationPropertyName", .string(name)), ("NSValueExpression", value)])
                })
        }
        return object(
            "NSEntityMapping",
            [
                ("NSMappingName", text(name)), ("NSMappingType", .integer(Int128(kind))),
                ("NSSourceEntityName", text(source)), ("NSDestinationEntityName", text(destination)),
                ("NSSourceEntityVersionHash", hashes[0].map { .data($0) } ?? .none),
                ("NSDestinationEntityVersionHash", hashes[1].map { .data($0) } ?? .none),
                ("NSSourceExpression", fetch), ("NSEntityMigrationPolicyClassName", text(policy)),
                ("NSAttributeMappings", properties(attributes)),
                ("NSRelationshipMappings", properties(relationships)),
            ])
    }

    package static func constant(_ value: ArchivedValue) -> ArchivedValue {
        // A number is an object of its own here.
        .object(
            ArchivedObject(
                className: "NSConstantValueExpression",
                fields: [
                    ArchivedField("NSExpressionType", .integer(0), isInline: true),
                    ArchivedField("NSConstantValue", value),
                ]))
    }

    package static func variable(_ name: String) -> ArchivedValue {
        object("NSVariableExpression", [("NSExpressionType", .integer(2)), ("NSVariable", .string(name))])
    }

    package static func function(
        _ receiver: ArchivedValue, _ selector: String, _ arguments: [ArchivedValue],
        className: String = "NSFunctionExpression"
    ) -> ArchivedValue {
        object(
            className,
            [
                ("NSExpressionType", .integer(4)), ("NSOperand", receiver),
                ("NSSelectorName", .string(selector)), ("NSArguments", .array(arguments)),
            ])
    }

    /// A function of Foundation itself, such as `add:to:`.
    package static func predefined(_ selector: String, _ arguments: [ArchivedValue]) -> ArchivedValue {
        function(
            object(
                "NSConstantValueExpression",
                [
                    ("NSExpressionType", .integer(0)),
                    ("NSConstantValueClassName", .string("_NSPredicateUtilities")),
                ]),
            selector, arguments)
    }

    /// `$variable.path`.
    package static func path(_ path: String, of variable: String = "source") -> ArchivedValue {
        function(
            self.variable(variable), "valueForKeyPath:", [specifier(path)], className: "NSKeyPathExpression")
    }

    package static func specifier(_ path: String) -> ArchivedValue {
        object(
            "NSKeyPathSpecifierExpression",
            [("NSExpressionType", .integer(10)), ("NSKeyPath", .string(path))])
    }

    /// The usual fetch of the objects of an entity.
    package static func fetch(_ entity: String, _ condition: String = "TRUEPREDICATE") -> ArchivedValue {
        object(
            "NSFetchRequestExpression",
            [
                ("NSExpressionType", .integer(50)),
                (
                    "NSFRExpression",
                    function(
                        variable("manager"), "fetchRequestForSourceEntityNamed:predicateString:",
                        [constant(.string(entity)), constant(.string(condition))])
                ), ("NSMOCExpression", path("sourceContext", of: "manager")),
                ("NSCountOnlyFlag", .boolean(false)),
            ])
    }

    /// A comparison of a key path of the object with a value.
    package static func comparison(
        _ path: String, type: Int, _ value: ArchivedValue, options: Int = 0, modifier: Int = 0
    ) -> ArchivedValue {
        let evaluated = object("NSSelfExpression", [("NSExpressionType", .integer(1))])
        return object(
            "NSComparisonPredicate",
            [
                (
                    "NSLeftExpression",
                    function(
                        evaluated, "valueForKeyPath:", [specifier(path)], className: "NSKeyPathExpression")
                ), ("NSRightExpression", value),
                (
                    "NSPredicateOperator",
                    object(
                        "NSPredicateOperator",
                        [
                            ("NSOperatorType", .integer(Int128(type))),
                            ("NSModifier", .integer(Int128(modifier))),
                            ("NSOptions", .integer(Int128(options))),
                        ])
                ),
            ])
    }

    /// `TERNARY(condition, value, value)`.
    package static func ternary(
        _ condition: ArchivedValue, _ first: ArchivedValue, _ second: ArchivedValue
    ) -> ArchivedValue {
        object(
            "NSTernaryExpression",
            [
                ("NSExpressionType", .integer(20)), ("NSPredicate", condition), ("NSTrueExpression", first),
                ("NSFalseExpression", second),
            ])
    }
}
