import * as Vendor from "@signalbox/core/Vendor"
import type { FakeClock } from "../clock/FakeClock.ts"
import { manualClock } from "../clock/ManualClock.ts"
import * as Schema from "effect/Schema"
import type { Fault } from "../faults/Fault.ts"
import { type FaultJson, fromJson, schema as faultSchema } from "../faults/FaultSchema.ts"
import { maxAmount } from "../generate/Generate.ts"
import { inputCheck, integer, NonEmpty } from "../input/Input.ts"
import { type RateLimit, RateLimitSchema } from "../state/Buckets.ts"
import * as Switches from "../switches/Switches.ts"

/** The options of an environment. */
export interface EnvironmentOptions {
  /** A name for people, such as that of a test; the inspector and lists of environments show it. */
  readonly name?: string
  /** The same seed gives the same data and the same chances. Default 1. */
  readonly seed?: number
  /** The behaviour where the API document leaves a question open. Default `"document"`, the most cautious reading. */
  readonly preset?: Switches.Preset
  /** Values of single switches, overriding the preset. */
  readonly switches?: Partial<Switches.Switches>
  /** A rate limit for all operations together, overriding the switch `rateLimit.plan`. */
  readonly rateLimit?: RateLimit
  /** The vendor in wire identifiers, such as `acme` in `acme-email`. Default `"service"`, as in the document. */
  readonly vendor?: string
  /**
   * The organization that the environment belongs to; environments of one organization share idempotency keys where the
   * service does so (switch `idempotency.scope`). Default: a separate one.
   */
  readonly organization?: string
  /** The initial data: the notifications of a shop, or none. Default `"demo"`. */
  readonly data?: "demo" | "empty"
  /** Number of demo events, at most 100,000. Default 80. */
  readonly events?: number
  /**
   * The clock, or the time at which it stops until a test moves it: `"2026-01-01T00:00:00Z"` is short for a
   * `manualClock`. Default: the time of the machine; requests over the Layer bring the clock of their caller, such as a
   * `TestClock`, and earlier events stay in its past.
   */
  readonly clock?: FakeClock | string
  /** Faults that are armed from the start. */
  readonly faults?: ReadonlyArray<FaultJson>
  /** Ids that other environments may have too: a request that names one of them is not a leak. */
  readonly sharedIds?: ReadonlyArray<string>
  /** Requests that the journal keeps. Default 10,000. */
  readonly journalCapacity?: number
}

export const vendorRule = "one word of letters, digits and inner dashes, such as acme"

export const isVendor = (word: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/iu.test(word)

/** The maximum number of events that an environment can start with, or generate at once. */
const amount = integer(0, maxAmount)

const text = (expected: string, isValid: (value: string) => boolean) =>
  Schema.String.annotate({ expected }).check(Schema.makeFilter(isValid, { expected }))

/** The schemas of the options, except for the clock. @internal */
export const environmentFields = {
  name: Schema.optionalKey(NonEmpty),
  seed: Schema.optionalKey(Schema.Int.annotate({ expected: "an integer" })),
  preset: Schema.optionalKey(text(`one of ${Switches.presetNames}`, Switches.isPreset)),
  switches: Schema.optionalKey(Switches.SwitchesSchema),
  rateLimit: Schema.optionalKey(RateLimitSchema),
  vendor: Schema.optionalKey(text(vendorRule, isVendor)),
  organization: Schema.optionalKey(NonEmpty),
  data: Schema.optionalKey(Schema.Literals(["demo", "empty"]).annotate({ expected: "demo or empty" })),
  events: Schema.optionalKey(amount),
  faults: Schema.optionalKey(Schema.Array(faultSchema)),
  sharedIds: Schema.optionalKey(Schema.Array(Schema.String)),
  journalCapacity: Schema.optionalKey(integer(1))
}

const isClock = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "now" in value &&
  typeof value.now === "function" &&
  "schedule" in value &&
  typeof value.schedule === "function"

const clockRule = 'a clock, such as manualClock("2026-01-01T00:00:00Z"), or the time at which it stops'

const isTime = (value: string): boolean => {
  try {
    manualClock(value)
    return true
  } catch {
    return false
  }
}

/** The schema of a clock that stops until it is moved, as the time at which it stops. @internal */
export const stoppedClock = Schema.optionalKey(text("a time, such as 2026-01-01T00:00:00Z", isTime))

const check = inputCheck("environment", () =>
  Schema.Struct({
    ...environmentFields,
    clock: Schema.optionalKey(
      Schema.Unknown.check(
        Schema.makeFilter((value) => isClock(value) || (typeof value === "string" && isTime(value)), {
          expected: clockRule
        })
      )
    )
  })
)

/** Options with defaults; without a clock an environment uses the time of the machine, or of its callers. */
export interface EnvironmentSettings extends Required<
  Omit<EnvironmentOptions, "preset" | "clock" | "switches" | "faults" | "rateLimit" | "organization" | "name">
> {
  readonly name: string | undefined
  readonly organization: string | undefined
  readonly faults: ReadonlyArray<Fault>
  readonly switches: Switches.Switches
  readonly rateLimit: RateLimit | undefined
  readonly clock: FakeClock | undefined
}

/**
 * Adds the defaults. Everything is checked now: data are made later, when an error could not name the option.
 *
 * @throws RangeError in one line that names the option and what is expected.
 */
export const settingsOf = (options: EnvironmentOptions): EnvironmentSettings => {
  check(options)
  return {
    name: options.name,
    seed: options.seed ?? 1,
    switches: { ...Switches.preset(options.preset ?? "document"), ...options.switches },
    rateLimit: options.rateLimit,
    vendor: options.vendor ?? Vendor.neutral,
    organization: options.organization,
    data: options.data ?? "demo",
    events: options.events ?? 80,
    clock: typeof options.clock === "string" ? manualClock(options.clock) : options.clock,
    faults: (options.faults ?? []).map(fromJson),
    sharedIds: options.sharedIds ?? [],
    journalCapacity: options.journalCapacity ?? 10_000
  }
}
