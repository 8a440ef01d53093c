import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the zip around a whole store.
struct ZipCheck {
    let checked: CheckedFile
    /// The zip, or a decrypted copy of it.
    let place: FilePath

    /// Checks the directory and the headers; `extract` reads the content.
    func findings() -> [Finding] {
        do throws(FileProblem) {
            let members = try ZipFile(RangeReader(place)).members()
            if let problem = try ZipStructure.problem(of: RangeReader(place)) { throw problem }
            return entries(members)
        } catch {
            return checked.findings(error, .zipDamaged)
        }
    }

    /// Extracts the only entry, and checks its size and its CRC-32.
    func extract(to target: FilePath) throws(FileProblem) {
        let zip = try ZipFile(RangeReader(place))
        guard let member = try zip.members().first(where: { $0.kind == .file }) else { return }
        try zip.extract(member, to: target)
    }

    private func entries(_ members: [ZipMember]) -> [Finding] {
        guard members.count == 1, let member = members.first, member.kind == .file else {
            return [checked.finding(.zipEntries, expected: "one file", found: "\(members.count) entries")]
        }
        let name = String(decoding: member.name, as: UTF8.self)
        guard isHarmless(member.name), !member.isEncrypted else {
            return [checked.finding(.zipEntries, subject: name, expected: "the name of a file", found: name)]
        }
        guard let document = checked.file.document, document.bytes != member.name else { return [] }
        return [checked.finding(.zipEntryName, subject: name, expected: document.text, found: name)]
    }

    /// Whether a name cannot lead out of the folder.
    private func isHarmless(_ name: [UInt8]) -> Bool {
        let separators: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\\"), 0]
        return !name.isEmpty && !name.contains { separators.contains($0) } && name != Array("..".utf8)
            && name != Array(".".utf8)
    }
}
