import { assert, it } from "@effect/vitest"
import { relaxations } from "./Relaxations.ts"

it("names every rule of the document that reading does not insist on, and why", () => {
  assert.deepStrictEqual(
    relaxations.map(({ accepts, field, type }) => `${type}.${field}: ${accepts}`),
    [
      "ActivityJob.providerId: absent",
      "DigestMetadata.events[]: null",
      "Message.cta: absent",
      "Message.content: null",
      "Subscriber.channels: null",
      "StepFilter.isNegated: absent",
      "StepFilter.type: absent",
      "DelayScheduledMetadata.delayPath: absent"
    ]
  )
  for (const { evidence } of relaxations) assert.match(evidence, /^[A-Z].{40,}[^.]$/)
})
