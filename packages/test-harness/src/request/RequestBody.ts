/**
 * Reads the body of a request, according to the switches.
 */
import type { Rejection } from "../operations/OperationResponse.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import { isNestedTooDeep, nestingRule } from "./Nesting.ts"

/** The parsed body; `undefined` if there is none, or if it is ignored. */
export interface ReadBody {
  readonly _tag: "Body"
  readonly value: unknown
}

const limits: Readonly<Record<Switches["request.bodyLimit"], number>> = {
  "1MB": 1_000_000,
  "100kB": 100_000,
  none: Infinity
}

/** The maximum size of a body in bytes. */
export const bodyLimit = (switches: Switches): number => limits[switches["request.bodyLimit"]]

const isTooLarge = (body: string, limit: number): boolean =>
  // A character has at most three bytes in UTF-8, so only strings near the limit are counted.
  body.length * 3 > limit && new TextEncoder().encode(body).length > limit

const isJson = (contentType: string): boolean => /^application\/([\w.-]+\+)?json(\s*;|$)/iu.test(contentType)

const parse = (text: string): ReadBody | undefined => {
  try {
    return { _tag: "Body", value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Reads the body of a write; a rejection describes what is wrong with it. */
export const readBody = (switches: Switches, request: FakeRequest): ReadBody | Rejection => {
  const { body } = request
  if (isTooLarge(body, bodyLimit(switches))) {
    return { status: 413, message: `request entity too large: at most ${switches["request.bodyLimit"]}` }
  }
  const contentType = request.header("content-type") ?? ""
  if (!isJson(contentType)) {
    switch (switches["request.contentType"]) {
      case "body-ignored":
        return { _tag: "Body", value: undefined }
      case "415":
      case "400": {
        const given = contentType === "" ? "none" : contentType
        return {
          status: Number(switches["request.contentType"]),
          message: `the content type must be application/json, not ${given}`
        }
      }
      case "accepted":
    }
  }
  const status = Number(switches["request.badJson"])
  const read = parse(body)
  if (read === undefined) return { status, message: "The body is not valid JSON" }
  return isNestedTooDeep(body) ? { status, message: `The body must be ${nestingRule}` } : read
}
