import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSArchive
@testable import TICDSCore
@testable import TICDSOperations

/// Impossible numbers of clocks and disks in files: none ends the program, and times are kept exactly.
@Suite struct ExtremeNumberTests {
    /// The ends of 64 bits, the year 999,999 and its neighbours, and the ends of the times on ext4.
    static let seconds: [Int64] = [
        .min, .min + 1, -1_000_000_000_000_000_000, -31_619_087_164_800, -2_147_483_649, -1, 0, 1,
        15_032_385_536, 31_494_784_780_799, 31_494_784_780_800, 1_000_000_000_000_000_000,
        .max - 978_307_200, .max - 1, .max,
    ]
    static let times = seconds.flatMap { seconds in
        [0, 1, 999_999_999].map { FileTime(seconds: seconds, nanoseconds: $0) }
    }

    @Test(arguments: times)
    func timeIsReadBackAsItWasWritten(_ time: FileTime) throws {
        #expect(FileTime(iso: time.iso) == time, "\(time.iso)")
        let written = try JSONEncoder().encode([time])
        #expect(try JSONDecoder().decode([FileTime].self, from: written) == [time])
    }

    /// A time as a member of a pax archive, with its extended header.
    @Test(arguments: times)
    func timeGoesThroughAnArchive(_ time: FileTime) throws {
        let member = TarMember(name: Array("a".utf8), isFolder: false, size: 0, modified: time)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
        defer { memory.deallocate() }
        let count = member.writeHeader(to: memory)
        let bytes = Array(memory[..<count])
        let last = try #require(TarHeader(Array(bytes.suffix(512))))
        guard count > 512 else {
            #expect(FileTime(seconds: last.modified) == time)
            return
        }
        let first = try #require(TarHeader(Array(bytes.prefix(512))))
        var records = PaxRecords()
        let isRead = records.add(Array(bytes[512..<512 + Int(first.size)]))
        #expect(isRead && records.modified == time)
    }

    @Test func textsThatAreNoTimes() {
        #expect(
            FileTime(iso: "2014-05-13T16:53:00.25Z")
                == FileTime(seconds: 1_399_999_980, nanoseconds: 250_000_000))
        #expect(FileTime(iso: "2014-05-13T16:53:00.123456789Z")?.nanoseconds == 123_456_789)
        for text in [
            "2014-05-13T16:53:00.25014-05-13T16:53:00.25Z", "2014-05-13T16:53:00.1234567890Z",
            "2014-05-13T16:53:00.Z", "2014-05-13T16:53:00.25", "2014-05-13T16:53:00ZZ", "2014-05-13T16:53Z",
            "2014-05-13 16:53:00Z", "2014-05-13T24:00:00Z", "2014-02-29T00:00:00Z", "--2014-05-13T16:53:00Z",
            "2014-05--13T16:53:00Z", "T16:53:00Z", "Z", "-", "", "2014-05-13T16:53:00.25é",
        ] { #expect(FileTime(iso: text) == nil, "\(text)") }
        // Some bytes are replaced, and texts are truncated.
        let text = Array("2014-05-13T16:53:00.123456789Z".utf8)
        for position in text.indices {
            #expect(FileTime(iso: String(decoding: text[..<position], as: UTF8.self)) == nil)
            for byte in [0x00, 0x20, 0x2B, 0x2D, 0x2E, 0x39, 0x3A, 0x54, 0x5A, 0xFF] as [UInt8] {
                var other = text
                other[position] = byte
                let time = FileTime(iso: String(decoding: other, as: UTF8.self))
                #expect(time == nil || time.map { FileTime(iso: $0.iso) } == time)
            }
        }
    }

    @Test func timesBeyondAllAreRefused() {
        for text in [
            "292277026596-12-04T15:30:08Z", "-292277022657-01-27T08:29:51Z", "999999999999-01-01T00:00:00Z",
            "-999999999999-01-01T00:00:00Z", "1000000000000-01-01T00:00:00Z", "9999999999999-01-01T00:00:00Z",
        ] { #expect(FileTime(iso: text) == nil, "\(text)") }
        for text in [
            "9223372036854775808", "-9223372036854775809", "-9223372036854775808.5",
            "18446744073709551616",
        ] {
            var records = PaxRecords()
            let isRead = records.add(Array("\(text.count + 10) mtime=\(text)\n".utf8))
            #expect(!isRead, "\(text)")
        }
    }

    @Test func timesAreComparedAndShifted() {
        for one in Self.times {
            _ = one.secondsSince2001
            for other in Self.times {
                let distance = one.seconds(since: other)
                if one < other { #expect(distance <= 0) }
                if other < one { #expect(distance >= 0) }
            }
            for count in Self.seconds {
                let sum = one.adding(seconds: count)
                #expect(count < 0 ? sum <= one : sum >= one)
            }
        }
        #expect(FileTime.first.adding(seconds: -1) == .first)
        #expect(FileTime.last.adding(seconds: 1) == .last)
        #expect(FileTime(seconds: .max).seconds(since: FileTime(seconds: .min)) == .max)
    }

    @Test func fractionsBecomeTimesOrNothing() {
        for seconds in [
            0, 1e15, -1e15, 1e16, -1e16, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
            -.leastNonzeroMagnitude, 0x1p63, -0x1p63,
        ] { _ = FileTime(secondsSince2001: seconds)?.iso }
        #expect(FileTime(secondsSince2001: .nan) == nil)
        #expect(Int64(saturating: .nan) == 0 && Int64(saturating: 0x1p63) == .max)
        #expect(Int64(saturating: -.infinity) == .min && UInt8(saturating: -1) == 0)
        #expect(Int(saturating: 2.9) == 2 && Int(saturating: -2.9) == -2)
    }

    @Test func sumsAreCutOff() {
        let sums: [Int64] = [.max +| 1, .min +| -1, 2 +| 3]
        #expect(sums == [.max, .min, 5])
        let differences: [Int64] = [.max -| -1, .min -| 1, 0 -| .min, 2 -| 3]
        #expect(differences == [.max, .min, .max, -1])
        let products: [Int64] = [.min *| -1, .max *| -2, 3 *| -4]
        #expect(products == [.max, .min, -12])
        let small: [UInt8] = [1 -| 2, 255 +| 1, 16 *| 16]
        #expect(small == [0, 255, 255])
        var totals = FileTotals()
        for _ in 0..<3 { totals.add(Int64.max) }
        totals.add(FileTotals(count: .max, bytes: .max))
        totals.add(1)
        #expect(totals == FileTotals(count: .max, bytes: .max))
    }

    @Test func calendarHasNoEnd() {
        for days in [Int64.min, -106_751_991_167_301, 0, 106_751_991_167_300, .max] {
            _ = CivilDate(daysSince1970: days).daysSince1970
        }
        #expect(CivilDate(year: .min, month: 1, day: 1) == nil)
        #expect(CivilDate(year: .max, month: 12, day: 31) == nil)
        #expect(CivilDate(year: 1_000_000, month: 2, day: 29)?.year == 1_000_000)
    }

    /// Texts in a column of a store, or in a file with changes, in place of a decimal number.
    @Test func decimalsWithExtremeExponentsAreRefused() {
        for power in [
            "-9223372036854775808", "9223372036854775807", "10000", "-10000", "9223372036854775808",
        ] {
            #expect(ArchivedDecimal(text: "1e\(power)") == nil)
            #expect(ArchivedDecimal(text: "0.001e\(power)") == nil)
        }
        #expect(ArchivedDecimal(text: "1.5e3")?.description == "1500")
    }

    /// A date beyond the range of Core Foundation.
    @Test func datesOfPropertyListsWithLongYears() throws {
        for year in ["999999999999", "-999999999999", "1000000000000", "9223372036854775807"] {
            let text = "<plist version=\"1.0\"><date>\(year)-01-01T00:00:00Z</date></plist>"
            _ = try? PropertyListFile.value(of: SharedBytes(Array(text.utf8)), path: "a.plist")
        }
    }

    /// Numbers that a user wrote into the journal.
    @Test func operationsWithExtremeTimesAndSizes() {
        let ends: [(finished: Int64, bytes: Int64)] = [(.min, .max), (.max, .max), (0, .min)]
        let records = ends.map { finished, bytes in
            OperationRecord(
                number: 1, state: .done, command: "", summary: "", started: .first,
                finished: FileTime(seconds: finished), process: 1, host: "", user: "", actions: 1,
                trash: FileTotals(count: 1, bytes: bytes))
        }
        #expect(Pruning.choose(records, 1, 1, now: .now).count == 3)
    }
}
