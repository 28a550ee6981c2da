import { assert, it } from "@effect/vitest"
import { relaxations } from "./Relaxations.ts"

it("names every rule of the document that reading does not insist on, and why", () => {
  assert.deepStrictEqual(relaxations.map(({ accepts, field, type }) => `${type}.${field}: ${accepts}`).toSorted(), [
    "ActivityJob.providerId: absent",
    "DelayScheduledMetadata.delayPath: absent",
    "DigestMetadata.events[]: null",
    "FieldFilterPart.field: absent",
    "FieldFilterPart.operator: absent",
    "FieldFilterPart.value: absent",
    "Message.content: null",
    "Message.cta: absent",
    "StepFilter.isNegated: absent",
    "StepFilter.type: absent",
    "Subscriber.channels: null"
  ])
  for (const { evidence } of relaxations) assert.match(evidence, /^[A-Z].{40,}[^.]$/)
})
