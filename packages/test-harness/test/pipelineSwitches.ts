import { requestSwitches } from "../src/switches/RequestSwitches.ts"

const others: ReadonlySet<string> = new Set([
  "credentials.concurrent",
  "response.headers",
  "response.etag",
  "response.requestId"
])

/** Whether a switch takes effect in the request pipeline; all others do in the operations. */
export const isOfPipeline = (name: string): boolean => Object.hasOwn(requestSwitches, name) || others.has(name)
