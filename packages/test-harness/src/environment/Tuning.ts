/**
 * The settings that a test can change while an environment is in use: switches, rate limit and vendor.
 */
import { type RateLimit, readRateLimit } from "../state/Buckets.ts"
import { readSwitches, type Switches } from "../switches/Switches.ts"
import type { EnvironmentSettings } from "./EnvironmentOptions.ts"

export type TunedSettings = Pick<EnvironmentSettings, "switches" | "rateLimit" | "vendor">

/** The settings of an environment, and the ways to change them. */
export interface Tuning {
  /** One object that changes, because an environment and its fake both show it. */
  readonly switches: Switches
  /** The values now; another object after each change. */
  readonly currentSwitches: () => Switches
  readonly rateLimit: () => RateLimit | undefined
  readonly vendor: () => string
  readonly setSwitches: (values: Partial<Switches>) => void
  readonly setRateLimit: (limit: RateLimit | undefined) => void
  /** Returns to the initial settings, or to others that are the initial ones from then on. */
  readonly reset: (initial?: TunedSettings) => void
}

export const makeTuning = (settings: TunedSettings): Tuning => {
  const switches = { ...settings.switches }
  let current: Switches = settings.switches
  let initial = settings
  let { rateLimit, vendor } = settings
  const changeSwitches = (values: Partial<Switches>): void => {
    Object.assign(switches, values)
    current = { ...switches }
  }
  return {
    switches,
    currentSwitches: () => current,
    rateLimit: () => rateLimit,
    vendor: () => vendor,
    setSwitches: (values) => changeSwitches(readSwitches(values)),
    setRateLimit: (limit) => {
      rateLimit = limit === undefined ? undefined : readRateLimit(limit)
    },
    reset: (replacement = initial) => {
      initial = replacement
      changeSwitches(initial.switches)
      ;({ rateLimit, vendor } = initial)
    }
  }
}
