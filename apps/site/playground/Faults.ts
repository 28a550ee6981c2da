/** The faults that the page offers, by label; `ArmedFaults.ts` makes them. Apart from it, so that the page loads no fake. */
export const faultLabels = [
  "503, once",
  "503, always",
  "429 with Retry-After: 1",
  "connection reset before the change",
  "connection reset after the change",
  "HTML page of a gateway",
  "body that breaks off",
  "unknown enumeration value"
] as const

/** The label of a fault. */
export type FaultLabel = (typeof faultLabels)[number]
