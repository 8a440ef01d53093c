@testable import SystemCalls
import TICDSCore
import Testing

@testable import TICDSFleet

@Suite struct ExitClassifierTests {
    private func head(
        _ ending: Subprocess.Ending, messages: String = "", peakMemory: Int64 = 0, attempt: Int = 1
    ) -> RunResultHeader {
        let result = Subprocess.Result(
            ending: ending, output: [], messages: Array(messages.utf8), peakMemory: peakMemory, seconds: 1)
        var head = RunResultHeader()
        head.attempts = attempt
        ExitClassifier(result, memory: 1_000, attempts: 3).judge(&head)
        return head
    }

    @Test(arguments: [
        (Subprocess.Ending.exited(0), RunResultHeader.State.done, RunResultHeader.Reason?.none),
        (.exited(1), .done, nil), (.exited(3), .never, .refused), (.exited(4), .retry, .password),
        (.exited(5), .retry, .partial), (.exited(64), .never, .failed), (.exited(2), .retry, .failed),
        (.signalled(11), .retry, .crash), (.timedOut, .retry, .timeout), (.wroteTooMuch, .never, .output),
    ])
    func endingDecides(
        ending: Subprocess.Ending, state: RunResultHeader.State, reason: RunResultHeader.Reason?
    ) {
        let head = head(ending)
        #expect(head.state == state)
        #expect(head.reason == reason)
    }

    @Test func signalAfterMuchMemoryIsAMemoryFailure() {
        #expect(head(.signalled(9), peakMemory: 600).reason == .memory)
    }

    @Test func lastAttemptIsFinal() { #expect(head(.timedOut, attempt: 3).state == .never) }

    @Test func printedErrorDecidesAndIsKept() {
        let line =
            #"{"schema":"ticds.error/1","path":"a/b","kind":"damaged","problem":"cut","found":"3","advice":null}"#
        let head = head(.exited(2), messages: "progress\n\(line)\n")
        #expect(head.state == .never)
        #expect(head.problem == "a/b: cut (found 3)")
    }

    @Test func truncatedErrorLeavesARetry() {
        #expect(head(.exited(2), messages: #"{"schema":"ticds.error/1","path":"a"#).state == .retry)
    }
}
