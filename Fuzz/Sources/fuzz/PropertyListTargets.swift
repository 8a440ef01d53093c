import Base
import KeyedArchive
import SystemPackage
import TICDSCore

@Sendable func readPropertyList(_ bytes: SharedBytes) throws {
    _ = try BinaryPropertyList(bytes).value()
}

@Sendable func readXMLPropertyList(_ bytes: SharedBytes) throws {
    _ = try PropertyListFile.value(of: bytes, path: "fuzz")
}

/// What was read must read back equal after it was written.
@Sendable func rewritePropertyList(_ bytes: SharedBytes) throws {
    let value = try BinaryPropertyList(bytes).value(limits: small)
    let written: [UInt8]
    do throws(PropertyListError) {
        written = try BinaryPropertyListWriter.bytes(of: value)
    } catch {
        // Half of a surrogate pair reads as an object, which no plain list holds.
        guard holdsObject(value) else { finding("a list that was read cannot be written: \(error)") }
        return
    }
    let back = try valueOrFinding { () throws(PropertyListError) in
        try BinaryPropertyList(SharedBytes(written)).value()
    }
    guard isSame(value, back) else { finding("written \(value)\nread back \(back)") }
}

@Sendable func readArchive(_ bytes: SharedBytes) throws {
    _ = CanonicalForm(ofArchive: bytes)
    let archive = try KeyedArchiveReader(bytes)
    _ = try archive.value(of: archive.root())
}

@Sendable func rewriteArchive(_ bytes: SharedBytes) throws {
    let archive = try KeyedArchiveReader(bytes)
    let value = try archive.value(of: archive.root(), limits: small)
    // Cycles, UIDs and inline collections of unknown classes have no written form.
    guard let written = try? KeyedArchiveWriter.bytes(root: value) else { return }
    // Objects keep the names of their classes as they came, also damaged ones.
    if !holdsObject(value), let problem = CanonicalForm(ofArchive: SharedBytes(written)).problem {
        finding("written \(value)\nnot in the form of archives: \(problem)")
    }
    let back = try valueOrFinding { () throws(PropertyListError) in
        let again = try KeyedArchiveReader(SharedBytes(written))
        return try again.value(of: again.root())
    }
    guard isSame(value, back) || holdsObject(value) else { finding("written \(value)\nread back \(back)") }
}

/// Goes through an archive without decoding it: every call that takes a reference, for each that can be reached.
@Sendable func walkArchive(_ bytes: SharedBytes) throws {
    let archive = try KeyedArchiveReader(bytes)
    var waiting = [try archive.root()]
    var seen = Set(waiting)
    func add(_ references: [ArchivedReference]) {
        for reference in references where seen.count < 1000 && seen.insert(reference).inserted {
            waiting.append(reference)
        }
    }
    while let reference = waiting.popLast() {
        _ = archive.isNil(reference)
        _ = archive.offset(of: reference)
        _ = try? archive.className(of: reference)
        _ = try? archive.classNames(of: reference)
        _ = try? archive.string(reference)
        _ = try? archive.integer(reference)
        _ = try? archive.date(reference)
        add((try? archive.elements(of: reference)) ?? [])
        for (key, value) in (try? archive.pairs(of: reference)) ?? [] { add([key, value]) }
        if let objects = try? archive.field("NS.objects", of: reference) { add([objects]) }
    }
}

/// Values of a size that is quickly written and compared.
private let small = KeyedArchiveLimits(visits: 20_000, bytes: 1 << 20)

private func valueOrFinding(_ read: () throws(PropertyListError) -> ArchivedValue) throws -> ArchivedValue {
    do throws(PropertyListError) {
        return try read()
    } catch {
        finding("what was written cannot be read: \(error)")
    }
}
