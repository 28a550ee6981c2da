import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, it } from "@effect/vitest"
import { findVendor } from "./VendorSearch.ts"

/** The parts of an event that the search reads. */
const event = (origin: string | undefined, ...providers: ReadonlyArray<string | undefined>) =>
  ({
    ...(origin === undefined ? {} : { template: { origin } }),
    ...(providers.length === 0 ? {} : { jobs: providers.map((providerId) => ({ providerId, executionDetails: [] })) })
  }) as unknown as ActivityNotification

it.each([
  ["the document's words", [event("service-cloud", "service", "service-email")], undefined],
  ["another origin", [event("acme-cloud")], { vendor: "acme", values: ["acme-cloud"], places: 1 }],
  [
    "a word alone and a provider",
    [event(undefined, "acme", "acme-sms")],
    { vendor: "acme", values: ["acme", "acme-sms"], places: 2 }
  ],
  ["a provider that is new", [event("service-cloud", "other-sms")], undefined],
  ["a word alone", [event(undefined, "acme", undefined)], undefined],
  ["no parts", [event(undefined)], undefined],
  ["an unusual word", [event("A B-cloud", "-sms")], undefined],
  [
    "two vendors, of which one is more frequent",
    [event("acme-cloud"), event("other-cloud-v1"), event("acme-cloud")],
    { vendor: "acme", values: ["acme-cloud"], places: 2 }
  ]
])("findVendor returns what events with %s show", (_, events, expected) => {
  assert.deepStrictEqual(findVendor(events), expected)
})
