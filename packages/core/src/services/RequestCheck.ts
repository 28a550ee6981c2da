import { inWireForm, makeInputCheck } from "../call/Input.ts"
import { blankIn, unencodableIn } from "../call/WiredOperation.ts"
import type { OperationWire } from "../contract/Shape.ts"
import type { FieldIssue } from "../errors/Reason.ts"
import { credentialsUpsertWire, messagesMarkAsWire } from "../reading/Shapes.ts"

/**
 * Checks the input of a write without making the call, with the rules of the call: to find every invalid line of a file, or
 * field of a form, before anything is sent. Returns the issues; empty when the call would be sent.
 */
export type RequestCheck = (subscriberId: unknown, input: unknown) => ReadonlyArray<FieldIssue>

const makeCheck = (operation: OperationWire): RequestCheck => {
  const checkParams = makeInputCheck(operation.params)
  const checkPayload = makeInputCheck(operation.payload)
  return (subscriberId, input) => {
    const payload = inWireForm(input, operation.payload)
    return [
      ...checkParams(subscriberId === undefined ? {} : { subscriberId }),
      ...unencodableIn({ subscriberId }),
      ...checkPayload(payload),
      ...blankIn(operation.positions, payload)
    ]
  }
}

/**
 * Checks what `Credentials.upsert` would be called with (API document: Endpoints, Upsert provider credentials).
 *
 * @example
 * ```ts
 * import { checkUpsert } from "@signalbox/core/Credentials"
 *
 * checkUpsert("user-7", { providerId: "fcm", credentials: { deviceTokens: [7] } })
 * // => [{ path: "credentials.deviceTokens[0]", rule: "Expected string" }]
 * ```
 */
export const checkUpsert: RequestCheck = /* @__PURE__ */ makeCheck(credentialsUpsertWire)

/**
 * Checks what `Messages.markAs` would be called with (API document: Endpoints, Update notifications state).
 *
 * @example
 * ```ts
 * import { checkMarkAs } from "@signalbox/core/Messages"
 *
 * checkMarkAs("user-7", { messageId: "m1", markAs: "read" }) // => []
 * ```
 */
export const checkMarkAs: RequestCheck = /* @__PURE__ */ makeCheck(messagesMarkAsWire)
