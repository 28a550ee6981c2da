import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Schemas from "../schemas/Schemas.ts"
import {
  type ActivityJob,
  type ActivityNotification,
  type ActivityStep,
  type ExecutionDetail,
  failures,
  isFailed,
  isKnownChannel,
  isKnownChannelProviderId,
  isKnownExecutionDetailStatus,
  isKnownJobProviderId,
  isKnownJobType,
  isKnownSeverity,
  type JobType,
  type KnownChannelProviderId,
  type Message,
  type StepFilter,
  type Subscriber
} from "./Records.ts"

describe("the types of read models", () => {
  it("show the relaxations", () => {
    expectTypeOf<ActivityJob>().toHaveProperty("providerId").extract<undefined>().toEqualTypeOf<undefined>()
    expectTypeOf<Message["cta"]>().extract<undefined>().toEqualTypeOf<undefined>()
    expectTypeOf<Message["content"]>().extract<null>().toEqualTypeOf<null>()
    expectTypeOf<Subscriber["channels"]>().extract<null>().toEqualTypeOf<null>()
    expectTypeOf<StepFilter["isNegated"]>().toEqualTypeOf<boolean | undefined>()
  })

  it("keep the known values of open enumerations", () => {
    expectTypeOf<"digest">().toExtend<JobType>()
    expectTypeOf<"a newer one">().toExtend<JobType>()
    expectTypeOf<Extract<JobType, "digest">>().toEqualTypeOf<"digest">()
    expectTypeOf<Extract<ExecutionDetail["status"], "Failed">>().toEqualTypeOf<"Failed">()
    expectTypeOf<Extract<ActivityNotification["severity"], "high">>().toEqualTypeOf<"high">()
  })

  it("have variants of the step's own type", () => {
    expectTypeOf<NonNullable<ActivityStep["variants"]>[number]>().toEqualTypeOf<ActivityStep>()
  })
})

describe("ActivityStep", () => {
  const step = { _id: "step", active: true, filters: [], _templateId: "template" }

  it("checks variants at every depth", () => {
    const is = Schema.is(Schemas.ActivityStep)
    assert.isTrue(is({ ...step, variants: [{ ...step, variants: [step] }] }))
    assert.isFalse(is({ ...step, variants: [{ ...step, variants: [{ ...step, active: "yes" }] }] }))
    assert.isFalse(is({ ...step, variants: [null] }))
  })

  it("is part of a job that has no provider", () => {
    const job = { _id: "job", type: "digest", executionDetails: [], step, status: "merged" }
    assert.deepStrictEqual<unknown>(Schema.decodeSync(Schemas.ActivityJob)(job), job)
  })
})

describe("guards", () => {
  it("know the values of the document and no other", () => {
    const provider: string = "fcm"
    const known: KnownChannelProviderId | undefined = isKnownChannelProviderId(provider) ? provider : undefined
    assert.strictEqual(known, "fcm")
    assert.deepStrictEqual(
      [isKnownChannelProviderId("sendgrid"), isKnownJobProviderId("sendgrid"), isKnownJobProviderId("carrier-pigeon")],
      [false, true, false]
    )
    assert.deepStrictEqual([isKnownChannel("in_app"), isKnownChannel("digest")], [true, false])
    assert.deepStrictEqual([isKnownJobType("digest"), isKnownJobType("http_request")], [true, false])
    assert.deepStrictEqual([isKnownSeverity("none"), isKnownSeverity("urgent")], [true, false])
    assert.deepStrictEqual(
      [isKnownExecutionDetailStatus("Failed"), isKnownExecutionDetailStatus("failed")],
      [true, false]
    )
  })
})

describe("failures", () => {
  const detail = {
    _id: "d",
    status: "Failed",
    detail: "No credentials",
    isRetry: false,
    isTest: false,
    source: "Internal"
  }
  const skip = { ...detail, detail: "Step was skipped based on steps conditions" }
  const sent = { ...detail, status: "Success" }
  const retry = { ...detail, isRetry: true }
  const job = { _id: "j", type: "chat", step: { _id: "s", active: true, filters: [], _templateId: "t" } }
  const event = { _environmentId: "e", _organizationId: "o", _subscriberId: "s", transactionId: "t" }

  it.each<readonly [string, string, ReadonlyArray<ExecutionDetail>, ReadonlyArray<number | undefined>]>([
    ["each failure of a failed step", "failed", [detail, retry], [0, 1]],
    ["a failure, whatever the job says of itself", "completed", [detail], [0]],
    ["a failed job without a failure", "failed", [], [undefined]],
    ["no skipped step", "canceled", [skip], []],
    ["no skipped step of a failed job", "failed", [skip], []],
    ["no step that a retry delivered", "completed", [detail, { ...retry, status: "Success" }], []],
    ["no step that was delivered in another way", "completed", [detail, sent], []],
    ["no step that is being retried", "queued", [detail, { ...retry, status: "Queued" }], []]
  ])("return %s", (_, status, executionDetails, places) => {
    const failed = { ...job, status, executionDetails }
    const given = { ...event, jobs: [failed] }
    assert.deepStrictEqual(
      failures(given).map((one) => [one.job, one.detail]),
      places.map((place) => [failed, place === undefined ? undefined : executionDetails[place]])
    )
    assert.strictEqual(isFailed(given), places.length > 0)
  })

  it("are none without jobs", () => {
    assert.deepStrictEqual(failures(event), [])
    assert.isFalse(isFailed(event))
  })
})
