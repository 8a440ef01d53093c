import Testing

@testable import TICDSArchive

@Suite struct PagedArrayTests {
    @Test(arguments: [0, 1, 8_191, 8_192, 8_193, 30_000]) func elementsAreThoseOfAnArray(_ count: Int) {
        var pages = PagedArray<Int>()
        var array: [Int] = []
        for number in 0..<count {
            pages.append(number)
            array.append(number)
        }
        let copy = pages
        for position in stride(from: 0, to: count, by: 3) {
            pages[position] += 7
            array[position] += 7
        }
        #expect(pages.elementsEqual(array))
        #expect(pages.count == count)
        #expect(copy.elementsEqual(0..<count))
    }
}
