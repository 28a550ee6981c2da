import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallStateShape } from "./CallState.ts"
import { type CommonReason, type FieldIssue, MalformedResponse } from "../errors/Reason.ts"
import { ResponsePolicy } from "../policies/Policies.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"
import type { Reading } from "../reading/Reader.ts"
import type { CallableOperation } from "./CallableOperation.ts"
import type { CallRecord } from "./CallRecord.ts"
import { isReplay, reasonOf, type FailedResponse } from "./Classify.ts"
import { defined } from "../errors/Defined.ts"
import { issueLine, looksLikeHtml, readErrorBody, safePathOf, shortened } from "./ErrorBody.ts"
import { isSuccess, type Response } from "./Exchange.ts"
import type { BuiltRequest } from "./BuildRequest.ts"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import { parseJson } from "../reading/JsonObject.ts"

/** A response that was read into a value. */
export interface Read<A> extends Reading<A> {
  readonly _tag: "Read"
  readonly status: number
  readonly headers: ResponseHeaders
}

/** A response that failed, or that could not be read. */
export interface NotRead<R> {
  readonly _tag: "NotRead"
  readonly reason: R
}

/** Options for reading the responses of one operation. */
export interface ReadResponseOptions<A, R> {
  readonly operation: CallableOperation<never, A>
  readonly vendor: string
  readonly state: CallStateShape
  /** The reason for a failed response that only this operation has; `undefined` for the common reasons. */
  readonly ownReason: ((failure: FailedResponse) => R | undefined) | undefined
}

const jsonType = /[/+]json\b/i

/** The kind of a body without JSON, as the end of a sentence. */
const kindOf = (text: string, headers: ResponseHeaders): string => {
  if (text.trim() === "") return ", the body is empty"
  if (looksLikeHtml.test(text)) return ", not an HTML page"
  const coding = headers["content-encoding"]
  // Decoded text seldom has the character that replaces bytes which are no text.
  return coding && text.includes("\uFFFD") ? `, not the content coding ${shortened(coding, 40)}` : ""
}

/** Makes the function that turns the responses of one operation into values or reasons. */
export const makeReadResponse = <A, R>({ operation, ownReason, state, vendor }: ReadResponseOptions<A, R>) => {
  const readers = new Map<ResponsePolicy, ReturnType<typeof operation.reader>>()
  /** Readers are made for the first response, which keeps a program's start fast. */
  const readerFor = (policy: ResponsePolicy) => {
    const known = readers.get(policy)
    if (known !== undefined) return known
    const made = operation.reader(policy, vendor)
    readers.set(policy, made)
    return made
  }
  const unreadable = (
    { headers, isCutOff, status, text }: Response,
    issues: ReadonlyArray<FieldIssue>,
    secrets: ReadonlyArray<string>,
    isJson = jsonType.test(headers["content-type"] ?? "")
  ): MalformedResponse => {
    const body = readErrorBody(text, secrets)
    const fields = issues.map(({ path, rule }) => ({ path: safePathOf(path, secrets), rule }))
    return new MalformedResponse({
      ...body,
      message: [
        `${status} with a body that cannot be read`,
        ...fields.slice(0, 1).map((field) => shortened(issueLine(field), 140))
      ].join(": "),
      status,
      fields,
      ...defined({
        accepted: isJson && !(body.detail ?? body.fields) ? operation.method !== "GET" : undefined,
        isCutOff
      })
    })
  }

  const readResponse = (
    response: Response,
    { key, parameters, secrets }: BuiltRequest,
    record: CallRecord,
    now: number
  ): Effect.Effect<Read<A> | NotRead<CommonReason | R>> => {
    const { headers, status, text } = response
    if (!isSuccess(status)) {
      const failure: FailedResponse = {
        status,
        headers,
        body: readErrorBody(text, secrets()),
        hint: RateLimitHeaders.retryHint(status, headers, now),
        key,
        parameters
      }
      return Effect.succeed({ _tag: "NotRead", reason: ownReason?.(failure) ?? reasonOf(failure) })
    }
    // Only this proves that the service honours keys: gateways echo the key, and replay failures of their own.
    if (key !== undefined && isReplay(headers)) state.replaysKeys = true
    const body = parseJson(text)
    if (body === undefined && !(operation.empty && text === "" && response.unread === undefined)) {
      const rule = response.unread ?? `Expected JSON${kindOf(text, headers)}`
      return Effect.succeed({ _tag: "NotRead", reason: unreadable(response, [{ path: "", rule }], secrets()) })
    }
    const reading = readerFor(Context.get(record.policies, ResponsePolicy))(body, record)
    return Effect.map(reading, (result): Read<A> | NotRead<CommonReason> =>
      Result.isSuccess(result)
        ? { _tag: "Read", status, headers, ...result.success }
        : { _tag: "NotRead", reason: unreadable(response, result.failure.issues, secrets(), true) }
    )
  }

  return readResponse
}
