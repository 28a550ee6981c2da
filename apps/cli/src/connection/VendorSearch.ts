/**
 * Finds the vendor of a service in its events: the word that stands where the API document writes `service`.
 */
import { type ActivityNotification, jobProviderIds } from "@signalbox/core/Records"
import { workflowOrigins } from "@signalbox/core/internal/contract/KnownValues"
import { neutral } from "@signalbox/core/Vendor"

/** A vendor, and how often its word stands where the document has another one. */
export interface FoundVendor {
  readonly vendor: string
  /** The values with the word, each once. */
  readonly values: ReadonlyArray<string>
  readonly places: number
}

/** The ends of the known values that begin with the neutral word, the longest first. */
const endsOf = (known: ReadonlyArray<string>): ReadonlyArray<string> =>
  known
    .filter((value) => value === neutral || value.startsWith(`${neutral}-`))
    .map((value) => value.slice(neutral.length))
    .toSorted((one, other) => other.length - one.length)

const positions = {
  origin: { known: workflowOrigins, ends: endsOf(workflowOrigins) },
  provider: { known: jobProviderIds, ends: endsOf(jobProviderIds) }
} as const

type Position = keyof typeof positions

interface Clue {
  readonly position: Position
  readonly value: string
  readonly vendor: string
  readonly isWhole: boolean
}

const clueOf = (position: Position, value: string | undefined): ReadonlyArray<Clue> => {
  const { ends, known } = positions[position]
  if (value === undefined || known.some((each) => each === value)) return []
  const end = ends.find((each) => value.endsWith(each))
  const vendor = end === undefined ? "" : value.slice(0, value.length - end.length)
  return /^[a-z][a-z0-9-]*$/u.test(vendor) ? [{ position, value, vendor, isWhole: end === "" }] : []
}

const cluesIn = ({ jobs = [], template }: ActivityNotification): ReadonlyArray<Clue> => [
  ...clueOf("origin", template?.origin),
  ...jobs.flatMap(({ executionDetails, providerId }) =>
    [providerId, ...executionDetails.map((detail) => detail.providerId)].flatMap((id) => clueOf("provider", id))
  )
]

/**
 * An origin has the vendor's name in every service. A provider may be a new one that ends like one of the vendor's, such
 * as `-sms`: only together with the word alone, as in-app jobs have it, it shows the vendor.
 */
const isVendor = (clues: ReadonlyArray<Clue>): boolean =>
  clues.some(({ position }) => position === "origin") ||
  (clues.some(({ isWhole }) => isWhole) && clues.some(({ isWhole }) => !isWhole))

/** The vendor that most values of the events have; `undefined` where they have the document's word, or too few values. */
export const findVendor = (events: ReadonlyArray<ActivityNotification>): FoundVendor | undefined => {
  const clues = events.flatMap(cluesIn)
  const [most] = [...new Set(clues.map(({ vendor }) => vendor))]
    .map((vendor) => ({ vendor, found: clues.filter((clue) => clue.vendor === vendor) }))
    .filter(({ found }) => isVendor(found))
    .toSorted((one, other) => other.found.length - one.found.length)
  if (most === undefined) return undefined
  const { found, vendor } = most
  return { vendor, values: [...new Set(found.map(({ value }) => value))], places: found.length }
}
