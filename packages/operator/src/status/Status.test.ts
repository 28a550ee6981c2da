import { type ActivityJob, type ActivityNotification, type ExecutionDetail, inOrder } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { detailOf, jobOf } from "../../test/Records.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { detailKind, eventResult, isFinal, jobResult, type ResultKind, resultKinds } from "./Status.ts"

let made = 0

const detail = (status: string, given: Partial<ExecutionDetail> = {}): ExecutionDetail =>
  detailOf(status, { _id: `detail-${(made += 1)}`, status, ...given })

const retried = (status: string): ExecutionDetail => detail(status, { isRetry: true })

const job = (status: string, executionDetails: ReadonlyArray<ExecutionDetail>, type = "email"): ActivityJob =>
  jobOf(type, executionDetails, { _id: `job-${(made += 1)}`, status })

const event = (jobs?: ReadonlyArray<ActivityJob>): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "subscriber",
  transactionId: "transaction",
  ...(jobs === undefined ? {} : { jobs })
})

const shown = (result: { readonly kind: ResultKind; readonly word: string }) => `${result.kind} ${result.word}`

describe("jobResult", () => {
  it.each<readonly [string, ActivityJob, string]>([
    ["a success", job("completed", [detail("Queued"), detail("Success")]), "ok ok"],
    ["a read message", job("completed", [detail("Success"), detail("ReadConfirmation")]), "ok ok"],
    [
      "a success that follows a retry without saying that it is one",
      job("completed", [detail("Failed"), retried("Queued"), detail("Success")]),
      "ok ok"
    ],
    [
      "a failure next to a success of a job that does not say it completed",
      job("running", [detail("Failed"), detail("Success")]),
      "failed FAILED"
    ],
    [
      "an attempt by phone in an environment without WhatsApp",
      job(
        "completed",
        [
          detail("Failed", {
            detail: "Subscriber does not have an active integration",
            raw: "Integration is either deleted or not active"
          }),
          detail("Success")
        ],
        "chat"
      ),
      "ok ok"
    ],
    [
      "a switched-off integration next to one that sent",
      job(
        "completed",
        [
          detail("Failed", {
            detail: "Subscriber does not have an active integration",
            raw: "Integration with integrationId: 1 is either deleted or not active"
          }),
          detail("Success")
        ],
        "chat"
      ),
      "warning WARNING"
    ],
    [
      "a push step with an entry of a deleted integration next to one that sent",
      job(
        "completed",
        [detail("Failed", { detail: "Subscriber does not have an active integration" }), detail("Success")],
        "push"
      ),
      "warning WARNING"
    ],
    [
      "a skipped step whose reason is written as a failure",
      job("canceled", [detail("Pending"), detail("Failed", { detail: "Step was skipped based on steps conditions" })]),
      "skipped canceled"
    ],
    [
      "the reason of a skipped step with a job status that is unknown",
      job("new", [detail("Failed", { detail: "Bridge execution skipped" })]),
      "skipped skipped"
    ],
    [
      "a missing address of a canceled step",
      job("canceled", [detail("Failed", { detail: "Subscriber missing email address" })]),
      "failed FAILED"
    ],
    [
      "a missing channel of a canceled step",
      job("canceled", [detail("Warning", { detail: "Subscriber does not have a configured channel" })]),
      "warning WARNING"
    ],
    [
      "a failed job of which the service wrote no failure",
      job("failed", [detail("Pending", { detail: "Step queued" })], "in_app"),
      "failed FAILED"
    ],
    [
      "a cause that is written as progress",
      job("running", [
        detail("Pending", { detail: "Failed to get response from remote webhook filter on last retry" })
      ]),
      "failed FAILED"
    ],
    [
      "a snoozed message",
      job("pending", [detail("Pending", { detail: "Message snoozed" })], "in_app"),
      "waiting DELAYED"
    ],
    ["a failure after a success", job("failed", [detail("Success"), detail("Failed")]), "failed FAILED"],
    [
      "a failure after a retry that had made the first one good",
      job("failed", [detail("Failed"), retried("Success"), detail("Failed")]),
      "failed FAILED"
    ],
    ["a retry under way", job("queued", [detail("Failed"), retried("Queued")]), "waiting RETRYING"],
    ["a warning with a success", job("completed", [detail("Warning"), detail("Success")]), "warning WARNING"],
    ["a warning that a retry made good", job("completed", [detail("Warning"), retried("Success")]), "ok ok"],
    ["a failure next to a warning", job("failed", [detail("Warning"), detail("Failed")]), "failed FAILED"],
    ["a queued step", job("queued", [detail("Queued")]), "queued QUEUED"],
    ["a pending step", job("somewhere", [detail("Pending")]), "queued PENDING"],
    ["a running step", job("running", [detail("Queued")]), "queued RUNNING"],
    ["a step that is pending again", job("pending", [detail("Success"), detail("Pending")]), "queued PENDING"],
    ["a completed step with a late pending detail", job("completed", [detail("Success"), detail("Pending")]), "ok ok"],
    ["an open digest", job("delayed", [detail("Pending")], "digest"), "waiting DIGESTING"],
    [
      "a digest that reports its start as a success",
      job("delayed", [detail("Success")], "digest"),
      "waiting DIGESTING"
    ],
    ["a finished digest", job("completed", [detail("Pending"), detail("Success")], "digest"), "ok ok"],
    ["an open delay", job("delayed", [detail("Pending")], "delay"), "waiting DELAYED"],
    ["a throttle", job("delayed", [detail("Queued")], "throttle"), "waiting THROTTLED"],
    ["a delayed step of a channel", job("delayed", [detail("Queued")]), "waiting DELAYED"],
    ["a skipped step with the reason as a success", job("skipped", [detail("Success")]), "skipped skipped"],
    ["a step that failed and was skipped then", job("skipped", [detail("Failed")]), "failed FAILED"],
    ["a merged digest", job("merged", [detail("Success")], "digest"), "skipped merged"],
    ["a canceled step", job("canceled", []), "skipped canceled"],
    ["a cancelled step, in the other spelling", job("cancelled", []), "skipped canceled"],
    ["no details, a queued status", job("queued", []), "queued QUEUED"],
    ["no details, a running status", job("running", []), "queued RUNNING"],
    ["no details, a pending status", job("pending", []), "queued PENDING"],
    ["no details, a merged status", job("merged", []), "skipped merged"],
    ["a queued step with a pending detail", job("queued", [detail("Pending")]), "queued QUEUED"],
    ["a pending throttle", job("pending", [detail("Pending")], "throttle"), "waiting THROTTLED"],
    ["a step of a new status that is queued", job("new", [detail("Queued")]), "queued QUEUED"],
    ["no details, a delayed status", job("delayed", []), "waiting DELAYED"],
    ["no details, a known status", job("completed", []), "ok ok"],
    ["no details, an unknown status", job("constructor", []), "unknown unknown"],
    ["only details of an unknown status", job("new", [detail("Postponed")]), "unknown unknown"]
  ])("%s", (_, given, result) => {
    assert.strictEqual(shown(jobResult(given)), result)
  })

  it("names the detail that decided", () => {
    const failure = detail("Failed")
    assert.strictEqual(jobResult(job("failed", [detail("Queued"), failure, detail("Queued")])).decidedBy, failure)
    assert.isUndefined(jobResult(job("completed", [])).decidedBy)
  })

  it("uses the times of the details, not their places", () => {
    const success = detail("Success", { isRetry: true, createdAt: "2026-11-21T12:00:02Z" })
    const failure = detail("Failed", { createdAt: "2026-11-21T12:00:01Z" })
    assert.deepStrictEqual(inOrder(job("", [success, failure])), [failure, success])
    assert.strictEqual(jobResult(job("completed", [success, failure])).kind, "ok")
  })

  it("leaves details in place when one of them has no time", () => {
    const details = [detail("Failed", { createdAt: "2026-11-21T12:00:02Z" }), retried("Success")]
    assert.deepStrictEqual(inOrder(job("", details)), details)
  })
})

it("shares the result of a record that was examined before", () => {
  const examined = job("completed", [detail("Success")])
  assert.strictEqual(jobResult(examined), jobResult(examined))
  const record = event([examined])
  assert.strictEqual(eventResult(record), eventResult(record))
})

describe("detailKind", () => {
  it.each<readonly [string, string, ResultKind]>([
    ["Failed", "Unexpected provider error", "failed"],
    ["Failed", "odd", "failed"],
    ["Failed", "Step was skipped based on steps conditions", "skipped"],
    ["Failed", "Step was canceled because a previous step failed", "skipped"],
    ["Success", "Step filtered by subscriber global preferences", "skipped"],
    ["Pending", "Failed to get response from remote webhook filter on last retry", "failed"],
    ["Pending", "Step queued", "waiting"],
    ["Success", "Message sent", "ok"],
    ["Warning", "odd", "warning"],
    ["Postponed", "odd", "unknown"]
  ])("%s %s: %s", (status, text, kind) => {
    assert.strictEqual(detailKind(detail(status, { detail: text })), kind)
  })
})

describe("eventResult", () => {
  const ok = job("completed", [detail("Success")])
  const failed = job("failed", [detail("Failed")])
  const warned = job("completed", [detail("Warning")])
  const waiting = job("delayed", [detail("Pending")], "digest")
  const queued = job("queued", [detail("Queued")])
  const skipped = job("skipped", [])
  const unknown = job("new", [])

  it.each<readonly [string, ReadonlyArray<ActivityJob> | undefined, string]>([
    ["no jobs", undefined, "unknown no jobs"],
    ["an empty list of jobs", [], "unknown no jobs"],
    ["all well", [ok, ok], "ok ok"],
    ["one failed", [ok, warned, failed, waiting], "failed FAILED"],
    ["one warned", [ok, warned, waiting], "warning WARNING"],
    ["one waits", [ok, waiting, queued], "waiting DIGESTING"],
    ["one queued", [ok, queued, skipped], "queued QUEUED"],
    ["one unknown", [ok, unknown], "unknown unknown"],
    ["one skipped", [ok, skipped], "ok ok"],
    ["all skipped", [skipped], "skipped skipped"]
  ])("%s", (_, jobs, result) => {
    assert.strictEqual(shown(eventResult(event(jobs))), result)
  })

  it("names the first job that failed", () => {
    const second = job("failed", [detail("Failed")])
    const result = eventResult(event([ok, failed, second]))
    assert.strictEqual(result.job, failed)
  })

  it("walks a record once", () => {
    const given = event([ok])
    assert.strictEqual(eventResult(given), eventResult(given))
  })

  const Statuses = Schema.Array(
    Schema.Struct({
      status: Schema.Literals(["Success", "Warning", "Failed", "Pending", "Queued", "ReadConfirmation", "New"]),
      isRetry: Schema.Boolean
    })
  ).check(Schema.isMaxLength(6))
  const Jobs = Schema.Array(
    Schema.Struct({
      status: Schema.Literals(["completed", "failed", "delayed", "skipped", "merged", "running", "else"]),
      type: Schema.Literals(["email", "digest", "chat"]),
      details: Statuses
    })
  ).check(Schema.isMaxLength(5))

  it.effect.prop("is the worst of its jobs, and ok only without an open failure", [Jobs], ([given]) =>
    Effect.sync(() => {
      const jobs = given.map(({ status, type, details }) =>
        job(
          status,
          details.map(({ status: of, isRetry }) => detail(of, { isRetry })),
          type
        )
      )
      const result = eventResult(event(jobs))
      const kinds = new Set(jobs.map((one) => jobResult(one).kind))
      assert.strictEqual(result.kind, resultKinds.find((kind) => kinds.has(kind)) ?? "unknown")
      assert.isAtMost(result.word.length, 9)
      for (const one of jobs) {
        const last = one.executionDetails.at(-1)
        if (last?.status !== "Failed") continue
        const sent =
          one.status === "completed" &&
          one.executionDetails.some(({ status }) => status === "Success" || status === "ReadConfirmation")
        assert.strictEqual(jobResult(one).kind, sent ? "warning" : "failed")
      }
    })
  )
})

describe("isFinal", () => {
  it("is false while something is on its way", () => {
    assert.deepStrictEqual(
      resultKinds.filter((kind) => !isFinal({ kind, word: "" })),
      ["waiting", "queued"]
    )
  })
})
