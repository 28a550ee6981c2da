/** The settings of digest and delay steps, exactly as the API document has them (Resources, NotificationStep). */
import * as Schema from "effect/Schema"
import { MonthlyType, Ordinal, OrdinalValue, TimeUnit, WeekDay } from "./Enumerations.ts"
import { regularDigestTypes } from "./KnownValues.ts"
import { readAsOne, record } from "./Marks.ts"

/**
 * When in a day, week or month a timed digest ends; every field is optional (API document: Resources, TimedConfig).
 *
 * Here `monthDays` are strings; in a job's digest they are numbers.
 */
export const TimedConfig = record("TimedConfig", {
  /** Time of day. */
  atTime: Schema.optionalKey(Schema.String),
  /** Days of the week. */
  weekDays: Schema.optionalKey(Schema.Array(WeekDay)),
  /** Days of the month, as strings. */
  monthDays: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Which one in the month. */
  ordinal: Schema.optionalKey(Ordinal),
  /** What `ordinal` counts. */
  ordinalValue: Schema.optionalKey(OrdinalValue),
  /** Whether the month is described by days or by an ordinal. */
  monthlyType: Schema.optionalKey(MonthlyType)
})

/** A digest that collects for an amount of time (API document: Resources, NotificationStep). */
export const DigestRegularMetadata = record("DigestRegularMetadata", {
  /** Whether the digest repeats regularly or backs off. */
  type: Schema.Literals(regularDigestTypes),
  /** How long the digest collects, in `unit`. */
  amount: Schema.optionalKey(Schema.Finite),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Key by which events are digested together. */
  digestKey: Schema.optionalKey(Schema.String),
  /** Whether the digest backs off. */
  backoff: Schema.optionalKey(Schema.Boolean),
  /** How long it backs off, in `backoffUnit`. */
  backoffAmount: Schema.optionalKey(Schema.Finite),
  /** Unit of `backoffAmount`. */
  backoffUnit: Schema.optionalKey(TimeUnit),
  /** Whether a running digest is updated. */
  updateMode: Schema.optionalKey(Schema.Boolean)
})

/** A digest that ends at set times (API document: Resources, NotificationStep). */
export const DigestTimedMetadata = record("DigestTimedMetadata", {
  /** The word `timed`. */
  type: Schema.Literal("timed"),
  /** How many of `unit` one period takes. */
  amount: Schema.optionalKey(Schema.Finite),
  /** Unit of `amount`. */
  unit: Schema.optionalKey(TimeUnit),
  /** Key by which events are digested together. */
  digestKey: Schema.optionalKey(Schema.String),
  /** The set times. */
  timed: Schema.optionalKey(TimedConfig)
})

/** A delay until a time in the payload (API document: Resources, NotificationStep). */
export const DelayScheduledMetadata = record("DelayScheduledMetadata", {
  /** The word `scheduled`. */
  type: Schema.Literal("scheduled"),
  /** Path of the time in the payload. */
  delayPath: Schema.String
})

/** A digest or delay whose `type` is `regular` (API document: Resources, NotificationStep). */
const RegularMetadata = Schema.Struct({
  ...DigestRegularMetadata.fields,
  /** The word `regular`, used by a digest and by a delay. */
  type: Schema.Literal("regular")
}).annotate({ identifier: "RegularMetadata" })

/** A digest whose `type` is `backoff` (API document: Resources, NotificationStep). */
const BackoffMetadata = Schema.Struct({
  ...DigestRegularMetadata.fields,
  /** The word `backoff`. */
  type: Schema.Literal("backoff")
}).annotate({ identifier: "BackoffMetadata" })

/**
 * The settings of a digest or delay step (API document: Resources, NotificationStep).
 *
 * In the document it is not a union discriminated by `type`: the word `regular` stands for a digest and for a delay.
 * Every regular delay is also a regular digest, so here it is not a separate member: as one it
 * would accept, and strip the fields of, a digest whose other fields are wrong. With one member for each word, what is
 * wrong inside of a member is reported at its own path.
 */
export const StepMetadata = readAsOne(
  Schema.Union([RegularMetadata, BackoffMetadata, DigestTimedMetadata, DelayScheduledMetadata]),
  {
    discriminator: "Shape of the digest or delay.",
    because:
      "The shapes of step metadata cannot be distinguished by their type, which may also be newer than the document: they are read as one"
  }
)
