package import SystemPackage

/// The ends of the objects of an intact binary store, by a reader of their bytes in Python that shares no code with the
/// package.
package enum ObjectExtents {
    /// The end of the last byte that each object needs, by primary key: everything that its node leads to, including
    /// classes and names of fields; and the end of the list of all objects and of what names it.
    package static func ends(of store: FilePath) throws -> (objects: [Int64: Int], list: Int) {
        guard let output = Python.run(script, [store.string]) else { throw Unread(store: store.string) }
        var ends: [Int64: Int] = [:]
        var list = 0
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            if numbers.count == 1 { list = Int(numbers[0]) } else { ends[numbers[0]] = Int(numbers[1]) }
        }
        return (ends, list)
    }

    private struct Unread: Error {
        let store: String
    }

    private static let script = """
        import struct, sys
        d = open(sys.argv[1], 'rb').read()
        start, size = struct.unpack('>QQ', d[32:48]); b = d[start:start + size]
        ow, rw = b[-26], b[-25]; n, top, table = struct.unpack('>QQQ', b[-24:])
        at = [int.from_bytes(b[table + i * ow:table + (i + 1) * ow], 'big') for i in range(n)]
        def look(i):
            o = at[i]; kind, low = b[o] >> 4, b[o] & 15; p = o + 1
            if kind in (0,): return kind, p, [], None
            if kind in (1, 2): return kind, p + (1 << low), [], int.from_bytes(b[p:p + (1 << low)], 'big', signed=low > 2)
            if kind == 3: return kind, p + 8, [], None
            if kind == 8: return kind, p + low + 1, [], int.from_bytes(b[p:p + low + 1], 'big')
            if low == 15:
                w = 1 << (b[p] & 15); low = int.from_bytes(b[p + 1:p + 1 + w], 'big'); p += 1 + w
            if kind in (4, 5): return kind, p + low, [], b[p:p + low]
            if kind == 6: return kind, p + 2 * low, [], b[p:p + 2 * low]
            count = low * 2 if kind == 13 else low
            refs = [int.from_bytes(b[p + k * rw:p + (k + 1) * rw], 'big') for k in range(count)]
            return kind, p + count * rw, refs, None
        def field(i, name):
            kind, _, refs, _ = look(i)
            half = len(refs) // 2
            for k in range(half):
                if look(refs[k])[3] == name: return refs[half + k]
        objects = look(field(top, b'$objects'))
        def follow(i):
            kind, _, _, value = look(i)
            return objects[2][value] if kind == 8 else i
        def end(i):
            seen, waiting, most = set(), [i], 0
            while waiting:
                j = waiting.pop()
                if j in seen: continue
                seen.add(j)
                kind, e, refs, value = look(j)
                most = max(most, e)
                waiting += refs
                if kind == 8: waiting.append(objects[2][value])
            return most + start
        print(max(objects[1], look(top)[1]) + start)
        data = follow(field(field(top, b'$top'), b'mapData'))
        for node in look(field(data, b'NS.objects'))[2]:
            node = follow(node)
            print(look(field(node, b'NSPrimaryKey64'))[3], end(node))
        """
}
