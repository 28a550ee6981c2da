import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Schemas from "../schemas/Schemas.ts"
import {
  type ActivityJob,
  type ActivityNotification,
  type ActivityStep,
  channelOfProvider,
  channelProviderIds,
  type ExecutionDetail,
  isKnownChannel,
  isKnownChannelProviderId,
  isKnownExecutionDetailStatus,
  isKnownJobProviderId,
  isKnownJobType,
  isKnownSeverity,
  jobProviderIds,
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

describe("channelOfProvider", () => {
  it("has a channel for each provider of a job, and none for others", () => {
    assert.notInclude(jobProviderIds.map(channelOfProvider), undefined)
    const some = ["emailjs", "clickatell", "braze", "nexmo", "fcm", "slack", "service"]
    assert.deepStrictEqual(some.map(channelOfProvider), ["email", "sms", "email", "sms", "push", "chat", "in_app"])
    assert.isUndefined(channelOfProvider("carrier-pigeon"))
  })

  it("has chat or push for each provider of credentials", () => {
    assert.deepStrictEqual(new Set(channelProviderIds.map(channelOfProvider)), new Set(["chat", "push"] as const))
  })
})
