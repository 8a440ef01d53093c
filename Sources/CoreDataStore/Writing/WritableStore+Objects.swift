public import KeyedArchive
public import SystemCalls

extension WritableStore {
    /// Inserts an object with the defaults of the model and these attributes. Calls `onRefusal` with the name of an
    /// attribute that the entity lacks or that cannot have the value, and continues.
    /// - Throws: `.refused` if a constraint of the store forbids the object, `.unknownName` if the entity does not
    ///   exist.
    public func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> StoreObjectID {
        let writable = try writable(entity)
        let key = try run { () throws(SQLiteError) in try writable.table.newKey() }
        let object = StoreObjectID(entity: writable.entity.number, primaryKey: key)
        defer { writable.insert.reset() }
        writable.insert.bind(key, at: 1)
        writable.insert.bind(Int64(object.entity), at: 2)
        writable.insert.bind(1 as Int64, at: 3)
        let binder = AttributeBinder(path: path)
        for (position, value) in writable.defaults {
            try binder.bind(
                value, of: writable.attributes[position].description, entity: entity, to: &writable.insert,
                at: position + 4)
        }
        var text: String?
        var large: [(attribute: WritableAttribute, bytes: AttributeBinder.LargeBytes)] = []
        for (number, pair) in attributes.enumerated() {
            let name = pair.key.stringValue ?? "\(pair.key)"
            do throws(FileProblem) {
                guard let position = writable.position(of: name, number: number) else {
                    throw unknown("“\(entity)” has no attribute “\(name)”")
                }
                let attribute = writable.attributes[position]
                let bytes = try largeBytes(pair.value, attribute, writable)
                if let bytes {
                    try run { () throws(SQLiteError) in
                        try writable.insert.bind(zeros: bytes.count, at: position + 4)
                    }
                } else {
                    try binder.bind(
                        pair.value, of: attribute.description, entity: entity, to: &writable.insert,
                        at: position + 4)
                }
                large.removeAll { $0.attribute === attribute }
                if let bytes { large.append((attribute, bytes)) }
                if position == writable.identifier { text = pair.value.stringValue }
            } catch {
                guard error.isRefusal else { throw error }
                onRefusal(name, error)
            }
        }
        try run { () throws(SQLiteError) in _ = try writable.insert.step() }
        for (attribute, bytes) in large { try write(bytes, attribute, of: object, writable) }
        if let text { addIdentifier(text, root: writable.entity.root, object) }
        return object
    }

    /// Sets an attribute.
    /// - Throws: `.unknownName` if the entity lacks it, `.refused` if it cannot have the value.
    public func set(
        _ name: String, of object: StoreObjectID, to value: ArchivedValue
    ) throws(FileProblem) {
        let writable = try writable(object)
        guard let position = writable.attributePositions[name] else {
            throw unknown("“\(writable.entity.name)” has no attribute “\(name)”")
        }
        let attribute = writable.attributes[position]
        let isIdentifier = position == writable.identifier
        let old = isIdentifier ? try identifier(of: object, writable) : nil
        defer { attribute.update.reset() }
        let large = try largeBytes(value, attribute, writable)
        if let large {
            try run { () throws(SQLiteError) in try attribute.update.bind(zeros: large.count, at: 1) }
        } else {
            try AttributeBinder(path: path).bind(
                value, of: attribute.description, entity: writable.entity.name, to: &attribute.update, at: 1)
        }
        attribute.update.bind(object.primaryKey, at: 2)
        try run { () throws(SQLiteError) in _ = try attribute.update.step() }
        if let large { try write(large, attribute, of: object, writable) }
        writable.table.touch(object.primaryKey)
        guard isIdentifier, old != value.stringValue else { return }
        let root = writable.entity.root
        if let old { removeIdentifier(old, root: root, object) }
        if let text = value.stringValue { addIdentifier(text, root: root, object) }
    }

    /// Large bytes that are written after the row, which has as many zeros; nil for a value that is bound as a whole.
    private func largeBytes(
        _ value: ArchivedValue, _ attribute: WritableAttribute, _ writable: WritableEntity
    ) throws(FileProblem) -> AttributeBinder.LargeBytes? {
        guard let large = AttributeBinder.large(value, of: attribute.description) else { return nil }
        let canWrite = try run { () throws(SQLiteError) in
            try SQLiteBlob.canWrite(
                "main", table: writable.table.name, column: attribute.column, connection)
        }
        return canWrite ? large : nil
    }

    /// Writes large bytes into a row that has as many zeros.
    private func write(
        _ large: AttributeBinder.LargeBytes, _ attribute: WritableAttribute, of object: StoreObjectID,
        _ writable: WritableEntity
    ) throws(FileProblem) {
        try run { () throws(SQLiteError) in
            attribute.update.reset()
            var blob = try SQLiteBlob(
                "main", table: writable.table.name, column: attribute.column, row: object.primaryKey,
                isWritten: true, connection)
            for part in [large.head, large.bytes] {
                try part.span.withUnsafeBytes { (bytes) throws(SQLiteError) in try blob.append(bytes) }
            }
        }
    }

    /// The value of the identifying attribute.
    func identifier(
        of object: StoreObjectID, _ writable: WritableEntity
    ) throws(FileProblem) -> String? {
        guard writable.identifier != nil else { return nil }
        return try run { () throws(SQLiteError) in
            defer { writable.readIdentifier.reset() }
            writable.readIdentifier.bind(object.primaryKey, at: 1)
            return try writable.readIdentifier.step() ? writable.readIdentifier.text(0) : nil
        }
    }
}

extension FileProblem {
    /// Whether only this request failed and left the store unchanged.
    public var isRefusal: Bool { kind == .refused || kind == .unknownName }
}
