/**
 * Messages between the page, the worker that runs a program, and the inspector of its fakes.
 */
import type { LiveBatch } from "@signalbox/test-harness/internal/control/LiveView"
import type { Sources } from "./Program.ts"

/** A request of the page to the worker, with a port to the inspector. */
export interface RunRequest extends Sources {
  /** The code that makes the fault of every fake. */
  readonly fault: string | undefined
}

/** How a line of the output is shown. */
export type LineKind = "error" | "log" | "value" | "warn"

/** A report of the worker to the page. */
export type RunReport =
  | { readonly _tag: "Line"; readonly kind: LineKind; readonly text: string }
  /** An `expression // => value` of the example as it came out. */
  | {
      readonly _tag: "Claim"
      readonly expression: string
      readonly expected: string
      readonly actual: string
      readonly holds: boolean
    }
  | { readonly _tag: "Done"; readonly failed: boolean }

/** A request of the inspector to the control API of the fakes. */
export interface ControlCall {
  readonly id: number
  readonly apiKey: string
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body: unknown
}

/** A message of the worker to the inspector. */
export type InspectorMessage =
  | { readonly _tag: "Batch"; readonly batch: LiveBatch }
  | { readonly _tag: "Response"; readonly id: number; readonly status: number; readonly body: unknown }
