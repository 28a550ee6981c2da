/**
 * Questions about paths and methods that the API document does not have. Nothing is written.
 */
import * as Effect from "effect/Effect"
import { type Deployment, eventsPath } from "./Deployment.ts"
import { evidenceOf, type Findings, settled, statusOf, unknown } from "./Finding.ts"

const isMissing = ({ status }: { readonly status: number }): boolean => status === 404 || status === 405

/** Probes which paths and methods lead to an operation. */
export const askRoutes = Effect.fnUntraced(function* ({ send }: Deployment) {
  const upper = yield* send("GET events, in capitals", "GET", eventsPath.toUpperCase())
  const slash = yield* send("GET events, with a slash at the end", "GET", `${eventsPath}/`)
  const head = yield* send("HEAD events", "HEAD", eventsPath)
  const options = yield* send("OPTIONS events", "OPTIONS", eventsPath)
  const bad = yield* send("GET a path with %zz", "GET", "/v1/%zz")
  const path = () => {
    const replies = [upper, slash]
    const evidence = replies.map(evidenceOf).join("; ")
    if (replies.every(({ isAccepted }) => isAccepted)) return settled("lenient", evidence, 2)
    return replies.every(isMissing) ? settled("exact", evidence, 2) : unknown(evidence)
  }
  const orWrongMethod = <Value extends string>(reply: typeof head, value: Value, isValue: boolean) => {
    if (isValue) return settled(value, evidenceOf(reply))
    return isMissing(reply) ? settled("wrong-method", evidenceOf(reply)) : unknown(evidenceOf(reply))
  }
  const findings: Findings<"route.path" | "route.head" | "route.options" | "route.badPath"> = {
    "route.path": path(),
    "route.head": orWrongMethod(head, "as-get", head.isAccepted),
    "route.options": orWrongMethod(options, "204", options.status === 204),
    "route.badPath": statusOf(bad, ["404", "400"])
  }
  return findings
})
