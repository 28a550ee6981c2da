/**
 * What faults answer instead of the service, and what they make of its answers.
 */
import { type OperationContext, refusalAnswer } from "../operations/Operations.ts"
import type { Delivery, WireAnswer } from "../request/Delivery.ts"
import { httpDate } from "../request/HttpDate.ts"
import { wireAnswer } from "../request/Pipeline.ts"
import { bodiless } from "./Bodiless.ts"
import { driftedBody } from "./DriftedBody.ts"
import type { FaultForm } from "./Fault.ts"

/** The forms that answer instead of the service. */
export type AnsweringForm = Extract<FaultForm, { readonly _tag: "Status" | "RateLimited" | "Html" }>

/** The forms that change an answer of the service. */
export type ChangingForm = Extract<
  FaultForm,
  { readonly _tag: "SlowBody" | "CutBody" | "MalformedJson" | "ContentType" | "Drift" }
>

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const ownBody = (context: OperationContext, status: number, body: unknown): WireAnswer => {
  if (bodiless.has(status)) return wireAnswer({ status, body: undefined }, context.now)
  if (body === undefined) {
    return wireAnswer(refusalAnswer(context, { status, message: `fault: status ${status}` }), context.now)
  }
  const answer = wireAnswer({ status, body }, context.now)
  if (typeof body !== "string") return answer
  return { ...answer, headers: { ...answer.headers, "content-type": "text/plain; charset=utf-8" }, body }
}

const rateLimited = (
  context: OperationContext,
  { as, retryAfter }: Extract<FaultForm, { readonly _tag: "RateLimited" }>
): WireAnswer => {
  const hints =
    retryAfter === "absent"
      ? {}
      : {
          "retry-after": as === "http-date" ? httpDate(context.now + retryAfter * 1_000) : String(retryAfter),
          "ratelimit-remaining": "0",
          "ratelimit-reset": String(Math.ceil(retryAfter))
        }
  return wireAnswer(refusalAnswer(context, { status: 429, message: "API rate limit exceeded" }), context.now, hints)
}

const page = (status: number): string =>
  `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`

/** What a fault answers instead of the service. */
export const faultAnswer = (form: AnsweringForm, context: OperationContext): WireAnswer => {
  switch (form._tag) {
    case "Status": {
      const answer = ownBody(context, form.status, form.body)
      return { ...answer, headers: { ...answer.headers, ...lowerCase(form.headers ?? {}) } }
    }
    case "RateLimited":
      return rateLimited(context, form)
    case "Html": {
      const { headers } = wireAnswer({ status: form.status, body: undefined }, context.now)
      return {
        status: form.status,
        headers: { ...headers, "content-type": "text/html" },
        body: bodiless.has(form.status) ? undefined : page(form.status)
      }
    }
  }
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const driftedText = (form: Extract<FaultForm, { readonly _tag: "Drift" }>, body: string): string | undefined => {
  const drifted = driftedBody(parsed(body), form)
  return drifted === undefined ? undefined : JSON.stringify(drifted)
}

const isJson = ({ headers }: WireAnswer): boolean => (headers["content-type"] ?? "").includes("json")

const changedBody = (form: ChangingForm, answer: WireAnswer, body: string): string | undefined => {
  if (!isJson(answer)) return undefined
  switch (form._tag) {
    case "MalformedJson":
      return `${body.slice(0, -1)},`
    case "Drift":
      return answer.status < 300 ? driftedText(form, body) : undefined
    default:
      return undefined
  }
}

/** What a fault makes of a delivery; `undefined` where the delivery has no place for it. */
export const changedDelivery = (form: ChangingForm, delivery: Delivery): Delivery | undefined => {
  if (delivery._tag === "Nothing" || delivery.answer.body === undefined) return undefined
  const { answer } = delivery
  const { body } = delivery.answer
  switch (form._tag) {
    case "SlowBody":
      return { _tag: "Slow", answer, bytes: form.bytes, everyMillis: form.everyMillis }
    case "CutBody":
      return new TextEncoder().encode(body).length > form.afterBytes
        ? { _tag: "Cut", answer, afterBytes: form.afterBytes, ending: form.ending }
        : undefined
    case "ContentType":
      return { ...delivery, answer: { ...answer, headers: { ...answer.headers, "content-type": form.contentType } } }
    case "MalformedJson":
    case "Drift": {
      const changed = changedBody(form, answer, body)
      return changed === undefined ? undefined : { ...delivery, answer: { ...answer, body: changed } }
    }
  }
}
