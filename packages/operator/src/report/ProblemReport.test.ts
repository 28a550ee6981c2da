import { assert, describe, it } from "@effect/vitest"
import { problemReport } from "./ProblemReport.ts"

const problem = {
  summary: "credentials.upsert failed: 422 Unprocessable Entity.",
  advice: "Correct the field.",
  requestId: "req-4711",
  fields: [{ path: "credentials.webhookUrl", message: "host not allowed" }],
  at: Date.UTC(2026, 10, 21, 12, 41, 7)
}

describe("problemReport", () => {
  it("reports what happened, where and when, and what to look for", () => {
    assert.strictEqual(
      problemReport(problem, "acme"),
      [
        "credentials.upsert failed: 422 Unprocessable Entity.",
        "credentials.webhookUrl: host not allowed",
        "Request: req-4711",
        "At: 2026-11-21T12:41:07.000Z on acme",
        "Next: Correct the field.",
        ""
      ].join("\n")
    )
  })
  it("reports that there is no id, and removes everything that acts on a terminal", () => {
    const { requestId: _, ...without } = problem
    const text = problemReport({ ...without, summary: "\u001B[31mno\u001B]0;x\u0007", fields: [] }, "\u009Bx")
    assert.include(text, "the service gave no id")
    assert.strictEqual(text.split("\n").length, 5)
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    assert.notMatch(text.replaceAll("\n", ""), /[\u0000-\u001F\u007F-\u009F]/u)
  })
})
