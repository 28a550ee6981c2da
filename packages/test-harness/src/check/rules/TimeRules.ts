/**
 * Rules about deadlines, aborts and what is left after a call.
 */
import { orRealTime } from "../../time/VirtualTime.ts"
import { ofAllCalls, ofCalls, rulesOf } from "./Rule.ts"

export const timeRules = rulesOf({
  "called-after-deadline": {
    summary: "No request starts later than the deadline after the first request of its call",
    check: ofCalls(({ deadlineMs, requests: [first, ...retries] }, run) => {
      if (first === undefined) return undefined
      const late = retries.find(({ at }) => at - first.at > deadlineMs + run.toleranceMs)
      return late === undefined
        ? undefined
        : `request ${late.number} came ${late.at - first.at} ms after the first one, the deadline is ${deadlineMs} ms`
    })
  },
  "request-after-outcome": {
    summary: "No request follows the outcome that the client reported",
    check: ofCalls(({ endedAt, requests }, run) => {
      if (endedAt === undefined) return undefined
      const late = requests.find(({ at }) => at > endedAt + run.toleranceMs)
      return late === undefined ? undefined : `request ${late.number} came ${late.at - endedAt} ms after the outcome`
    })
  },
  hang: {
    summary: "Every call ends by its deadline",
    check: ofAllCalls(({ deadlineMs, endedAt }) =>
      endedAt === undefined
        ? `the client reported no outcome, long after its deadline of ${deadlineMs} ms${orRealTime()}`
        : undefined
    )
  },
  "continued-after-abort": {
    summary: "A call that is aborted ends at once and sends nothing more",
    check: ofCalls(({ call, endedAt, requests, startedAt }, run) => {
      if (call.abortAfterMs === undefined) return undefined
      const abortedAt = startedAt + call.abortAfterMs
      const late = requests.find(({ at }) => at > abortedAt + run.toleranceMs)
      if (late !== undefined) return `request ${late.number} came ${late.at - abortedAt} ms after the abort`
      return endedAt === undefined || endedAt > abortedAt + run.toleranceMs
        ? `the client reported ${endedAt === undefined ? "no outcome" : `the outcome ${endedAt - abortedAt} ms`} after the abort`
        : undefined
    })
  },
  "left-timer": {
    summary: "Two minutes after the last call, no timer of the client keeps the process running",
    check: ({ timersLeft }) => (timersLeft === 0 ? [] : [{ message: `timers that are left: ${timersLeft}` }])
  }
})
