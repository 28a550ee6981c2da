/**
 * The faults that a reader can choose, as the line of code that makes each. The page loads no fake for it.
 */

/** A function of `Fault`, its first argument, and its options. */
type FaultCall = readonly [name: string, first: number | undefined, options: Readonly<Record<string, unknown>>]

const faults = {
  "503, once": ["status", 503, {}],
  "503, always": ["status", 503, { times: "always" }],
  "429 with Retry-After: 1": ["rateLimited", undefined, { retryAfterMs: 1000 }],
  "connection reset before the change": ["reset", undefined, { at: "received" }],
  "connection reset after the change": ["reset", undefined, { at: "committed" }],
  "response after 15 seconds": ["latency", 15_000, {}],
  "HTML page of a gateway": ["html", 502, {}],
  "body that breaks off": ["cutBody", undefined, { afterBytes: 10, failure: "reset" }],
  "unknown enumeration value": ["drift", undefined, { kind: "unknown-enum-value" }]
} as const satisfies Readonly<Record<string, FaultCall>>

/** The label of a fault. */
export type FaultLabel = keyof typeof faults

/** The labels of all faults. */
export const faultLabels = Object.keys(faults)

/** Whether a string is the label of a fault. */
export const isFaultLabel = (label: string): label is FaultLabel => Object.hasOwn(faults, label)

/** A fault and the request that meets it. */
export interface ChosenFault {
  readonly label: FaultLabel
  /** Only the nth request of an environment, counted from 1; the first one that the fault is for if it is missing. */
  readonly request?: number
}

const isName = (key: string): boolean => /^\w+$/.test(key)

const objectCode = (value: object): string =>
  `{ ${Object.entries(value)
    .map(([key, inner]) => `${isName(key) ? key : JSON.stringify(key)}: ${JSON.stringify(inner)}`)
    .join(", ")} }`

/** The code that makes a fault, e.g. `Fault.status(503, { request: 2 })`. */
export const faultCode = ({ label, request }: ChosenFault): string => {
  const call: FaultCall = faults[label]
  const [name, first, fixed] = call
  const options = request === undefined ? fixed : { ...fixed, request }
  const values = [
    ...(first === undefined ? [] : [String(first)]),
    ...(Object.keys(options).length === 0 ? [] : [objectCode(options)])
  ]
  return `Fault.${name}(${values.join(", ")})`
}
