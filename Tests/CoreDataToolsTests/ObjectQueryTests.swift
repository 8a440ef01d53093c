import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Conditions on objects, compared with SQL that the sqlite3 shell evaluates.
@Suite("Queries of objects") struct ObjectQueryTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Author", attributes: [AttributeDescription(name: "name", type: .string)],
            relationships: [
                RelationshipDescription(name: "notes", destination: "Note", inverse: "author", maxCount: 0)
            ]),
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "stars", type: .integer32),
                AttributeDescription(name: "made", type: .date),
                AttributeDescription(name: "done", type: .boolean),
            ],
            relationships: [RelationshipDescription(name: "author", destination: "Author", inverse: "notes")]),
    ])

    private static let words = ["", "a", "ab", "Abc", "bca", "cab", "aab*", "b?c", "ABC", "abcabc", "x y"]

    private func store(_ scratch: ScratchFolder, _ numbers: inout RandomNumbers) throws -> SQLiteStore {
        let path = scratch.path.appending("random.sqlite")
        var writer = try SQLiteStoreWriter(creating: path, model: Self.model)
        func text() -> ArchivedValue {
            Self.words.randomElement(using: &numbers).map { .string($0) } ?? .none
        }
        func maybe(_ value: ArchivedValue) -> ArchivedValue {
            Int.random(in: 0..<5, using: &numbers) == 0 ? .none : value
        }
        for key in 1...12 {
            try writer.insert(
                StoredObject(
                    entity: "Author", primaryKey: Int64(key),
                    attributes: [StoredAttribute(name: "name", value: maybe(text()))], relationships: []))
        }
        for key in 1...80 {
            let author = Int64.random(in: -2...10, using: &numbers)
            try writer.insert(
                StoredObject(
                    entity: "Note", primaryKey: Int64(key),
                    attributes: [
                        StoredAttribute(name: "text", value: maybe(text())),
                        StoredAttribute(
                            name: "stars", value: maybe(.integer(.random(in: -3...6, using: &numbers)))),
                        StoredAttribute(
                            name: "made",
                            value: maybe(.date(Double.random(in: 0...9, using: &numbers).rounded()))),
                        StoredAttribute(name: "done", value: maybe(.boolean(.random(using: &numbers)))),
                    ],
                    relationships: [
                        StoredRelationship(name: "author", target: .toOne(author > 0 ? author : nil))
                    ]))
        }
        try writer.finish()
        return try SQLiteStore(path, model: Self.model)
    }

    private func keys(_ store: SQLiteStore, _ query: ObjectQuery) throws -> [Int64] {
        var keys: [Int64] = []
        try query.forEachObject(of: store, onDamage: { problem throws(FileProblem) in throw problem }) {
            keys.append($0.primaryKey)
        }
        return keys
    }

    /// A condition as a format string and in SQL, in which a comparison with NULL is false and `!=` is true.
    private struct Condition {
        var format: String
        var sql: String

        /// A comparison of the attributes of a note, in SQL those of the table `t`.
        static func simple(_ path: String, _ numbers: inout RandomNumbers) -> Condition {
            let word = ObjectQueryTests.words.randomElement(using: &numbers) ?? ""
            let plain = word.filter { $0 != "*" && $0 != "?" }
            let number = Int.random(in: -3...6, using: &numbers)
            let sign = ["<", "<=", ">", ">="].randomElement(using: &numbers) ?? "<"
            func sure(_ sql: String) -> String { "coalesce(\(sql), 0)" }
            switch Int.random(in: 0..<14, using: &numbers) {
            case 0:
                return Condition(
                    format: "\(path)stars \(sign) \(number)", sql: sure("t.ZSTARS \(sign) \(number)"))
            case 1: return Condition(format: "\(path)stars == \(number)", sql: "t.ZSTARS IS \(number)")
            case 2: return Condition(format: "\(path)stars != \(number)", sql: "t.ZSTARS IS NOT \(number)")
            case 3:
                return Condition(
                    format: "\(path)stars BETWEEN {\(number), \(number + 2)}",
                    sql: sure("t.ZSTARS BETWEEN \(number) AND \(number + 2)"))
            case 4:
                return Condition(
                    format: "\(path)stars IN { \(number),0, 5 }", sql: sure("t.ZSTARS IN (\(number), 0, 5)"))
            case 5: return Condition(format: "\(path)text = '\(word)'", sql: "t.ZTEXT IS '\(word)'")
            case 6: return Condition(format: "\(path)text <> \"\(word)\"", sql: "t.ZTEXT IS NOT '\(word)'")
            case 7: return Condition(format: "\(path)text = NIL", sql: "t.ZTEXT IS NULL")
            case 8:
                return Condition(
                    format: "\(path)text contains '\(plain)'", sql: sure("instr(t.ZTEXT, '\(plain)') > 0"))
            case 9:
                return Condition(
                    format: "\(path)text BEGINSWITH[c] '\(plain)'",
                    sql: sure("substr(lower(t.ZTEXT), 1, \(plain.count)) = lower('\(plain)')"))
            case 10:
                return Condition(
                    format: "\(path)text ENDSWITH '\(plain)'",
                    sql: sure(
                        "length(t.ZTEXT) >= \(plain.count) AND substr(t.ZTEXT, length(t.ZTEXT) - \(plain.count) + 1) = '\(plain)'"
                    ))
            case 11:
                let pattern = ["*a*", "?b*", "*", "a?", "*c", "a*b*"].randomElement(using: &numbers) ?? "*"
                return Condition(
                    format: "\(path)text LIKE '\(pattern)'", sql: sure("t.ZTEXT GLOB '\(pattern)'"))
            case 12:
                return Condition(
                    format: "\(path)made \(sign) CAST(\(number), \"NSDate\")",
                    sql: sure("t.ZMADE \(sign) \(number)"))
            default: return Condition(format: "\(path)done == YES", sql: "t.ZDONE IS 1")
            }
        }

        static func note(_ depth: Int, _ numbers: inout RandomNumbers) -> Condition {
            let kind = depth == 0 ? 0 : Int.random(in: 0..<6, using: &numbers)
            switch kind {
            case 1, 2:
                let (one, other) = (note(depth - 1, &numbers), note(depth - 1, &numbers))
                let (word, sign) = kind == 1 ? ("AND", "&&") : ("OR", "||")
                return Condition(
                    format: "(\(one.format)) \(Bool.random(using: &numbers) ? word : sign) (\(other.format))",
                    sql: "((\(one.sql)) \(word) (\(other.sql)))")
            case 3:
                let one = note(depth - 1, &numbers)
                return Condition(format: "NOT (\(one.format))", sql: "(NOT (\(one.sql)))")
            case 4:
                let word = ObjectQueryTests.words.randomElement(using: &numbers) ?? ""
                return Condition(
                    format: "author.name == '\(word)'",
                    sql: "(SELECT ZNAME FROM ZAUTHOR a WHERE a.Z_PK = t.ZAUTHOR) IS '\(word)'")
            case 5: return Condition(format: "author = nil", sql: "t.ZAUTHOR IS NULL")
            default: return simple("", &numbers)
            }
        }

        static func author(_ numbers: inout RandomNumbers) -> Condition {
            let inner = simple("notes.", &numbers)
            let mine = "SELECT 1 FROM ZNOTE t WHERE t.ZAUTHOR = a.Z_PK"
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: return Condition(format: "ANY \(inner.format)", sql: "EXISTS (\(mine) AND \(inner.sql))")
            case 1:
                return Condition(
                    format: "ALL \(inner.format)", sql: "NOT EXISTS (\(mine) AND NOT (\(inner.sql)))")
            case 2:
                return Condition(format: "NONE \(inner.format)", sql: "NOT EXISTS (\(mine) AND \(inner.sql))")
            default:
                let number = Int.random(in: 0...9, using: &numbers)
                return Condition(
                    format: "notes.@count > \(number)",
                    sql: "(SELECT count(*) FROM ZNOTE t WHERE t.ZAUTHOR = a.Z_PK) > \(number)")
            }
        }
    }

    @Test(.enabled(if: SQLiteShell.available)) func randomConditionsFindWhatSQLFinds() throws {
        var numbers = RandomNumbers(7_311)
        for _ in 0..<3 {
            let scratch = try ScratchFolder()
            let store = try store(scratch, &numbers)
            let notes = (0..<120).map { _ in Condition.note(3, &numbers) }
            let authors = (0..<60).map { _ in Condition.author(&numbers) }
            let statements =
                notes.map {
                    "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZNOTE t WHERE \($0.sql) ORDER BY 1);"
                }
                + authors.map {
                    "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZAUTHOR a WHERE \($0.sql) ORDER BY 1);"
                }
            let text = try SQLiteShell.run(store.path, statements.joined(separator: " "))
            let expected = text.split(separator: "\n", omittingEmptySubsequences: false)
            try #require(expected.count == statements.count)
            var sizes: Set<Int> = []
            for (place, condition) in (notes + authors).enumerated() {
                let query = ObjectQuery(
                    entity: place < notes.count ? "Note" : "Author",
                    predicate: try ObjectPredicate(parsing: condition.format))
                let found = try keys(store, query)
                #expect(
                    found.map(String.init).joined(separator: ",") == expected[place],
                    "\(condition.format)\n\(condition.sql)")
                sizes.insert(found.count)
            }
            #expect(sizes.count > 20)
        }
    }

    @Test(.enabled(if: SQLiteShell.available)) func orderAndLimit() throws {
        var numbers = RandomNumbers(7_312)
        let scratch = try ScratchFolder()
        let store = try store(scratch, &numbers)
        for (paths, sql) in [
            ([("stars", false), ("text", true)], "t.ZSTARS, t.ZTEXT DESC, t.Z_PK"),
            ([("author.name", true), ("made", false)], "a.ZNAME DESC, t.ZMADE, t.Z_PK"),
        ] {
            var query = ObjectQuery(entity: "Note")
            query.keys = paths.map {
                ObjectQuery.Key(path: ArchivedValue.keyPath($0.0) ?? [], isDescending: $0.1)
            }
            query.limit = 33
            let rows = try SQLiteShell.run(
                store.path,
                "SELECT t.Z_PK FROM ZNOTE t LEFT JOIN ZAUTHOR a ON a.Z_PK = t.ZAUTHOR ORDER BY \(sql) LIMIT 33"
            )
            #expect(try keys(store, query).map(String.init).joined(separator: "\n") == rows)
        }
        #expect(try keys(store, ObjectQuery(entity: "Note", limit: 0)) == [])
        #expect(try keys(store, ObjectQuery(entity: "Note", limit: 2)) == [1, 2])
    }

    @Test func columnsAreKeyPaths() throws {
        var numbers = RandomNumbers(7_313)
        let scratch = try ScratchFolder()
        let store = try store(scratch, &numbers)
        let columns = ["author.name", "stars", "author"].compactMap(ArchivedValue.keyPath)
        var query = ObjectQuery(entity: "Note", limit: 5, columns: columns)
        try query.forEachObject(of: store, onDamage: { problem throws(FileProblem) in throw problem }) {
            object in
            #expect(object.attributes.map(\.name) == ["author.name", "stars"])
            #expect(object.relationships.map(\.name) == ["author"])
        }
        query.columns = [["author", "notes", "text"]]
        #expect(throws: FileProblem.self) { try keys(store, query) }
    }

    @Test(arguments: [
        ("author.nam = 1", FileProblem.Kind.unknownName), ("nothing = 1", .unknownName),
        ("text.more = 1", .refused), ("SELF = 1", .refused),
        ("ANY text = 'a'", .refused), ("author.notes.text = 'a'", .refused),
        ("1 = author.notes.stars", .refused),
    ]) func wrongKeyPaths(_ text: String, _ kind: FileProblem.Kind) throws {
        var numbers = RandomNumbers(7_314)
        let scratch = try ScratchFolder()
        let store = try store(scratch, &numbers)
        let query = ObjectQuery(entity: "Note", predicate: try ObjectPredicate(parsing: text))
        let problem = #expect(throws: FileProblem.self) { try keys(store, query) }
        #expect(problem?.kind == kind)
    }

    @Test(arguments: [
        "", "(", "a", "a ==", "a == 1)", "== 1", "a IN 1", "a IN {1", "a IN {b}", "a BETWEEN {1}",
        "a BETWEEN {1,2,3}", "a = 'x",
        "a LIKE[x] 'b'", "a LIKE[c 'b'", "a .. b = 1", "a.b. = 1", "NOT", "a = 1 OR", "{1} = a",
        "CAST(1, 'NSDate')",
        "a = CAST(1, 'NSData')", "a = CAST('x', 'NSDate')", "a = 1.2.3", "a = 1e999", "a = -", "a = \u{0}",
        "a = 1 2",
    ]) func damagedConditions(_ text: String) {
        #expect(throws: PredicateProblem.self) { try ObjectPredicate(parsing: text) }
    }

    @Test func largeConditionsHaveLimits() throws {
        func parse(_ text: String) throws -> ObjectPredicate { try ObjectPredicate(parsing: text) }
        let deep = String(repeating: "(", count: 150) + "a = 1" + String(repeating: ")", count: 150)
        #expect(try parse(deep) == parse("a = 1"))
        #expect(throws: PredicateProblem.self) { try parse(String(repeating: "(", count: 30_000)) }
        #expect(throws: PredicateProblem.self) {
            try parse(String(repeating: "NOT ", count: 10_000) + "a = 1")
        }
        #expect(throws: PredicateProblem.self) {
            try parse(Array(repeating: "a = 1", count: 5_000).joined(separator: " OR "))
        }
        #expect(throws: PredicateProblem.self) {
            try parse("a IN {" + String(repeating: "1,", count: 20_000) + "1}")
        }
        #expect(throws: PredicateProblem.self) {
            try parse("a = '" + String(repeating: "x", count: 70_000) + "'")
        }
    }

    /// Precedence, spellings and options.
    @Test func howWordsAreRead() throws {
        func parse(_ text: String) throws -> ObjectPredicate { try ObjectPredicate(parsing: text) }
        #expect(try parse("a=1 or b=2 and not c=3") == parse("(a == 1) || ((b = 2) && (!(c = 3)))"))
        #expect(try parse("a => 1") == parse("a >= 1"))
        #expect(try parse("a = 'it\\'s'") == parse("a = \"it's\""))
        #expect(try parse("a = CAST(\"2001-01-02\", 'NSDate')") == parse("a = CAST(86400, \"NSDate\")"))
        #expect(try parse("TRUEPREDICATE") == .constant(true))
        func finds(_ text: String, _ value: ArchivedValue) throws -> Bool {
            var numbers = RandomNumbers(1)
            let scratch = try ScratchFolder()
            _ = numbers.next()
            var writer = try SQLiteStoreWriter(creating: scratch.path.appending("one"), model: Self.model)
            try writer.insert(
                StoredObject(
                    entity: "Author", primaryKey: 1,
                    attributes: [StoredAttribute(name: "name", value: value)],
                    relationships: []))
            try writer.finish()
            let store = try SQLiteStore(scratch.path.appending("one"), model: Self.model)
            return try !keys(store, ObjectQuery(entity: "Author", predicate: parse(text))).isEmpty
        }
        #expect(try finds("name CONTAINS[cd] 'creme'", .string("Die CRÈME")))
        #expect(try !finds("name CONTAINS[c] 'creme'", .string("Die CRÈME")))
        #expect(try finds("name ==[d] 'Ångström'", .string("Angstro\u{308}m")))
        #expect(try finds("name LIKE[c] 'ÄÖ?*'", .string("äöü")))
        #expect(try finds("name IN[c] {'B', 'C'}", .string("b")))
    }

    /// Conditions, each with the words of the error that show the right form.
    @Test(arguments: [
        ("made > '2013-06-01'", "made > CAST(\"2013-06-01\", \"NSDate\")"), ("made == 5", "CAST("),
        ("'2013-06-01' < made", "CAST(\"2013-06-01\", \"NSDate\")"),
        ("made BETWEEN {'2013-06-01', '2014-06-01'}", "made BETWEEN {CAST(\"2013-06-01\", \"NSDate\")"),
        ("stars == '7'", "stars == 7"), ("stars != '7'", "stars != 7"), ("stars IN {1, '2'}", "stars IN {2}"),
        ("stars CONTAINS '7'", "stars == 7"), ("stars LIKE 'x'", "stars == 5"),
        ("text == 5", "text == \"5\""), ("text CONTAINS 5", "text CONTAINS \"5\""),
        ("text > YES", "text > \"text\""), ("text < nil", "text == nil"), ("text LIKE nil", "text == nil"),
        ("done == 'YES'", "done == YES"), ("author == 'Anna'", "author.name"), ("text == stars", "same kind"),
        ("author.name == 5", "author.name == \"5\""), ("1 == 'a'", "same kind"),
        ("text.length > 4", "text LIKE \"?????*\""),
        ("text != 5 OR stars == 1", "text != \"5\""),
    ]) func kindsThatNeverMatch(_ text: String, _ advice: String) throws {
        var numbers = RandomNumbers(7_315)
        let scratch = try ScratchFolder()
        let store = try store(scratch, &numbers)
        func problem(_ store: SQLiteStore) throws -> FileProblem? {
            let query = ObjectQuery(entity: "Note", predicate: try ObjectPredicate(parsing: text))
            return #expect(throws: FileProblem.self) { try keys(store, query) }
        }
        let problem = try problem(store)
        #expect(problem?.kind == .refused)
        #expect(problem?.advice?.contains(advice) == true, "\(problem?.advice ?? "")")
    }

    @Test(arguments: [
        "stars == nil", "stars != nil", "stars IN {1, nil}", "text IN {}", "author == nil", "author == 3",
        "done == 1",
        "stars == YES", "stars > 1.5", "made < CAST(5, 'NSDate')", "text == author.name", "1 < 2",
    ]) func kindsThatMatch(_ text: String) throws {
        var numbers = RandomNumbers(7_316)
        let scratch = try ScratchFolder()
        let store = try store(scratch, &numbers)
        let query = ObjectQuery(entity: "Note", predicate: try ObjectPredicate(parsing: text))
        _ = try keys(store, query)
    }

    @Test func kindsOfColumnsCountWithoutModel() throws {
        var numbers = RandomNumbers(7_317)
        let scratch = try ScratchFolder()
        let path = try store(scratch, &numbers).path
        let store = try SQLiteStore(path)
        for text in ["MADE > '2013-06-01'", "STARS == '7'", "TEXT == 5"] {
            let query = ObjectQuery(entity: "Note", predicate: try ObjectPredicate(parsing: text))
            let problem = #expect(throws: FileProblem.self) { try keys(store, query) }
            #expect(problem?.kind == .refused)
        }
    }

    @Test(arguments: [
        ("a MATCHES 'b'", "LIKE"), ("SUBQUERY(a, $x, $x.b = 1) = 1", "functions"), ("a = %@", "%@"),
        ("a = now()", "functions"), ("a + 1 = 2", "calculate"), ("a > 2013-06-01", "CAST"),
        ("a.b[0] = 1", "brackets"), ("a IN 'text'", "CONTAINS"), ("a is 5", "is is no comparison"),
    ]) func unknownPartsAreNamed(_ text: String, _ word: String) {
        let problem = #expect(throws: PredicateProblem.self) { try ObjectPredicate(parsing: text) }
        #expect(problem?.problem.contains(word) == true, "\(problem?.problem ?? "")")
    }

    /// A store of one entity with a name, and links from each object to all.
    private func names(_ scratch: ScratchFolder, _ names: [String], isLinked: Bool = false) throws
        -> SQLiteStore
    {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Node",
                attributes: [
                    AttributeDescription(name: "name", type: .string),
                    AttributeDescription(name: "id", type: .uuid),
                ],
                relationships: [
                    RelationshipDescription(name: "links", destination: "Node", inverse: "back", maxCount: 0),
                    RelationshipDescription(name: "back", destination: "Node", inverse: "links", maxCount: 0),
                ])
        ])
        let path = scratch.path.appending("names")
        var writer = try SQLiteStoreWriter(creating: path, model: model)
        let all = isLinked ? names.indices.map { Int64($0 + 1) } : []
        for (place, name) in names.enumerated() {
            try writer.insert(
                StoredObject(
                    entity: "Node", primaryKey: Int64(place + 1),
                    attributes: [
                        StoredAttribute(name: "name", value: .string(name)),
                        StoredAttribute(
                            name: "id",
                            value: .uuid(try #require(ArchivedUUID(bytes: Array(repeating: 0xAB, count: 16))))
                        ),
                    ],
                    relationships: [StoredRelationship(name: "links", target: .toMany(all))]))
        }
        try writer.finish()
        return try SQLiteStore(path, model: model)
    }

    private func count(_ store: SQLiteStore, _ text: String) throws -> Int {
        try keys(store, ObjectQuery(entity: "Node", predicate: try ObjectPredicate(parsing: text))).count
    }

    /// Macs write some texts composed and others decomposed.
    @Test func spellingsOfLettersAreEqual() throws {
        let scratch = try ScratchFolder()
        let store = try names(
            scratch, ["Crème brûlée", "Cre\u{300}me bru\u{302}le\u{301}e", "Creme"])
        for part in ["Crème brûlée", "Cre\u{300}me bru\u{302}le\u{301}e"] {
            #expect(try count(store, "name == '\(part)'") == 2)
            #expect(try count(store, "name IN {'x', '\(part)'}") == 2)
            #expect(try count(store, "name BETWEEN {'\(part)', '\(part)'}") == 2)
            #expect(try count(store, "name LIKE[c] '\(part.uppercased())'") == 2)
            #expect(try count(store, "name CONTAINS '\(part.prefix(3))'") == 2)
            #expect(try count(store, "name BEGINSWITH '\(part.prefix(3))'") == 2)
            #expect(try count(store, "name ENDSWITH '\(part.suffix(4))'") == 2)
        }
        #expect(try count(store, "name LIKE 'Cr?me*'") == 3)
        #expect(try count(store, "name CONTAINS 'Cre'") == 1)
        #expect(try count(store, "id == 'abababab-abab-abab-abab-abababababab'") == 3)
        #expect(try count(store, "id IN {'x', 'ABABABAB-abab-abab-abab-abababababab'}") == 3)
        #expect(try count(store, "'abababab-abab-abab-abab-abababababab' == id") == 3)
        #expect(try count(store, "id == 'abababab-abab-abab-abab-abababababac'") == 0)
    }

    @Test(.enabled(if: SQLiteShell.available)) func randomPatternsFindWhatSQLFinds() throws {
        var numbers = RandomNumbers(7_318)
        let scratch = try ScratchFolder()
        func word(_ letters: String, _ length: Int) -> String {
            String(
                (0..<Int.random(in: 0...length, using: &numbers)).compactMap { _ in
                    letters.randomElement(using: &numbers)
                })
        }
        let store = try names(scratch, (0..<200).map { _ in word("ab", 14) })
        var conditions: [(String, String)] = []
        for _ in 0..<150 {
            let (part, pattern) = (word("ab", 5), word("ab?*", 8))
            conditions.append(("name LIKE '\(pattern)'", "ZNAME GLOB '\(pattern)'"))
            conditions.append(("name CONTAINS '\(part)'", "instr(ZNAME, '\(part)') > 0"))
            conditions.append(("name BEGINSWITH '\(part)'", "ZNAME GLOB '\(part)*'"))
            conditions.append(("name ENDSWITH '\(part)'", "ZNAME GLOB '*\(part)'"))
        }
        let list = (0..<40).map { _ in "'\(word("ab", 4))'" }.joined(separator: ", ")
        conditions.append(("name IN {\(list)}", "ZNAME IN (\(list))"))
        let sql = conditions.map { "SELECT count(*) FROM ZNODE WHERE \($0.1);" }.joined(separator: " ")
        let expected = try SQLiteShell.run(store.path, sql).split(separator: "\n")
        try #require(expected.count == conditions.count)
        for (place, condition) in conditions.enumerated() {
            #expect(try count(store, condition.0) == Int(expected[place]), "\(condition.0)")
        }
    }

    /// Each of these took minutes, or would take too long for a user.
    @Test func workGrowsWithTheData() throws {
        let clock = ContinuousClock()
        let scratches = try (0..<3).map { _ in try ScratchFolder() }
        let taken = try clock.measure {
            let linked = try names(scratches[0], (0..<40).map { "n\($0)" }, isLinked: true)
            #expect(try count(linked, "ANY links.links.links.links.links.name == 'none'") == 0)
            #expect(try count(linked, "ALL links.links.links.links.links.name LIKE 'n*'") == 40)
            #expect(try count(linked, "ANY links.links.links.links.links.name == name") == 40)
            #expect(try count(linked, "ANY links.links.back.links.links == 40") == 40)
            let long = String(repeating: "a", count: 60_000)
            let texts = try names(scratches[1], Array(repeating: long + long, count: 4))
            #expect(try count(texts, "name CONTAINS '\(long.dropLast())b'") == 0)
            #expect(try count(texts, "name LIKE '*\(long.dropLast())b*'") == 0)
            #expect(try count(texts, "name CONTAINS '\(long)'") == 4)
            let words = (0..<5_000).map { "x\($0)" }
            let many = try names(scratches[2], words)
            let list = words.map { "'\($0)'" }.joined(separator: ",")
            #expect(try count(many, "name IN {\(list)}") == words.count)
        }
        #expect(taken < .seconds(60))
        let path = Array(repeating: "a", count: 65).joined(separator: ".")
        #expect(throws: PredicateProblem.self) { try ObjectPredicate(parsing: "\(path) == 1") }
    }
}
