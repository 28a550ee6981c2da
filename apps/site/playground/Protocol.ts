import type { FaultLabel } from "./Faults.ts"

/** A request of the page to the worker. */
export interface RunRequest {
  /** Code of the page above the example, without output. */
  readonly before: string
  readonly code: string
  /** The fault to arm. */
  readonly fault: FaultLabel | undefined
}

/** A report of the worker. */
export type RunReport =
  | { readonly _tag: "Line"; readonly kind: "error" | "log" | "value"; readonly text: string }
  /** An `expression // => value` of the example as it came out. */
  | {
      readonly _tag: "Claim"
      readonly expression: string
      readonly expected: string
      readonly actual: string
      readonly holds: boolean
    }
  | { readonly _tag: "Done"; readonly failed: boolean; readonly timeline: string }
