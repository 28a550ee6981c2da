/**
 * How an environment of a fake is made.
 */
import * as Vendor from "@signalbox/core/Vendor"
import type { FakeClock } from "./clock/FakeClock.ts"
import { amountRule, isAmount } from "./generate/Generate.ts"
import { checkNames } from "./OptionNames.ts"
import * as Switches from "./switches/Switches.ts"

/** How an environment of a fake is made. */
export interface EnvironmentOptions {
  /** Same seed, same data and same chances. Default 1. */
  readonly seed?: number
  /** How the questions are answered that the API document leaves open. Default `"document"`, the most cautious reading. */
  readonly preset?: Switches.Preset
  /** Answers to single questions, instead of the preset's. */
  readonly switches?: Partial<Switches.Switches>
  /** The maker's word in wire identifiers, such as `acme` in `acme-email`. Default `"service"`, as in the document. */
  readonly vendor?: string
  /** What it holds at the start: a shop's notifications, or nothing. Default `"demo"`. */
  readonly data?: "demo" | "empty"
  /** Number of demo events, at most 100,000. Default 80. */
  readonly events?: number
  /**
   * Its time: the machine's unless given. Requests over the Layer bring their caller's, such as a `TestClock`; events
   * that it held before stay in its past.
   */
  readonly clock?: FakeClock
  /** Requests that the journal keeps. Default 10,000. */
  readonly journalCapacity?: number
}

/** What a vendor must be, for messages. */
export const vendorRule = "must be one word of letters, digits and inner dashes, such as acme"

/** Whether a word can be a vendor. */
export const isVendor = (word: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/iu.test(word)

/** What the value of an option must be, and whether it is that. */
interface Rule {
  readonly isRight: (value: unknown) => boolean
  readonly rule: string
}

const isClock = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "now" in value &&
  typeof value.now === "function" &&
  "schedule" in value &&
  typeof value.schedule === "function"

const isCapacity = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1

const rules: Readonly<Record<keyof EnvironmentOptions, Rule>> = {
  seed: { isRight: Number.isSafeInteger, rule: "must be a whole number" },
  preset: {
    isRight: (value) => typeof value === "string" && Switches.isPreset(value),
    rule: `must be one of ${Switches.presetNames}`
  },
  switches: {
    isRight: (value) => typeof value === "object" && value !== null,
    rule: "must be an object with values of switches"
  },
  vendor: { isRight: (value) => typeof value === "string" && isVendor(value), rule: vendorRule },
  data: { isRight: (value) => value === "demo" || value === "empty", rule: "must be demo or empty" },
  events: { isRight: isAmount, rule: amountRule },
  clock: { isRight: isClock, rule: 'must be a clock, such as manualClock("2026-01-01T00:00:00Z")' },
  journalCapacity: { isRight: isCapacity, rule: "must be a whole number from 1" }
}

const names = Object.keys(rules) as Array<keyof EnvironmentOptions> // keys of a literal

const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value))

const check = (options: EnvironmentOptions): void => {
  checkNames("", options, names)
  for (const name of names) {
    const value = options[name]
    const { isRight, rule } = rules[name]
    if (value !== undefined && !isRight(value)) throw new RangeError(`${name}: ${rule}, not ${shown(value)}`)
  }
  const [complaint] = Switches.complaints(options.switches ?? {})
  if (complaint !== undefined) throw new RangeError(complaint)
}

/** Options with everything filled in; without a clock an environment goes by the machine's, or by its callers'. */
export interface EnvironmentSettings extends Required<Omit<EnvironmentOptions, "preset" | "clock" | "switches">> {
  readonly switches: Switches.Switches
  readonly clock: FakeClock | undefined
}

/**
 * Fills in what was not given. All is checked now: data and answers are made later, when nobody would see which option
 * was wrong.
 *
 * @throws RangeError in one line that names the option and what is allowed.
 */
export const settingsOf = (options: EnvironmentOptions): EnvironmentSettings => {
  check(options)
  return {
    seed: options.seed ?? 1,
    switches: { ...Switches.preset(options.preset ?? "document"), ...options.switches },
    vendor: options.vendor ?? Vendor.neutral,
    data: options.data ?? "demo",
    events: options.events ?? 80,
    clock: options.clock,
    journalCapacity: options.journalCapacity ?? 10_000
  }
}
