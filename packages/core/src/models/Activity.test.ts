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
  it("are the execution details that report one, whatever the status of their job", () => {
    const detail = {
      _id: "d",
      status: "Failed",
      detail: "No credentials",
      isRetry: false,
      isTest: false,
      source: "Internal"
    }
    const step = { _id: "s", active: true, filters: [], _templateId: "t" }
    const job = {
      _id: "j",
      type: "chat",
      status: "completed",
      step,
      executionDetails: [detail, { ...detail, status: "Success" }]
    }
    const event = { _environmentId: "e", _organizationId: "o", _subscriberId: "s", transactionId: "t" }
    assert.deepStrictEqual(failures({ ...event, jobs: [job] }), [{ job, detail }])
    assert.isTrue(isFailed({ ...event, jobs: [job] }))
    assert.isFalse(isFailed(event))
    assert.isFalse(isFailed({ ...event, jobs: [{ ...job, status: "failed", executionDetails: [] }] }))
  })
})
