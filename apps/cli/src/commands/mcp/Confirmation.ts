/**
 * The user's confirmation of one exact write, in both eras of the protocol.
 *
 * Until 2025-11-25 the server asks the client during the call (`elicitation/create`). From 2026-07-28 on the call returns
 * `InputRequired`, and the client calls again with the answer and the state that the server gave it. The state is a keyed
 * digest of the exact request, valid once: an answer confirms nothing but what the user was shown.
 */
import { ownRedaction } from "@signalbox/operator/connections/OwnKeys"
import { safe } from "@signalbox/operator/text/Safe"
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ElicitRequestFormParams, InputRequired, McpRequestContext, McpServerClient } from "effect/ai/McpSchema"
import { Unsuccessful } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"

/** A write to confirm. The text for the user is made here: a model chooses values, never lines of it. */
export interface Write {
  /** Constant text: what the write does. */
  readonly action: string
  /** Values by the names that the user reads, in order. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string | ReadonlyArray<string>]>
  /** The exact request; secrets included, since only its digest leaves. */
  readonly request: unknown
}

/** The longest value that is shown whole. */
const longestValue = 200

const shownIds = 5

/** How long an unanswered request for confirmation is valid. */
const validMs = 10 * 60_000

/**
 * A value on one line, in quotes that it cannot close, and without the starts of HTML and Markdown, which some clients draw.
 * A value that only looks like a secret, such as an id that is a digest, stays: the user must see what is written.
 */
const quoted = (value: string): string => {
  const shown = safe(ownRedaction().exact(value))
  return JSON.stringify(shown.length <= longestValue ? shown : `${shown.slice(0, longestValue)}…`).replaceAll(
    /[<&[`]/gu,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`
  )
}

const valueOf = (value: string | ReadonlyArray<string>): string => {
  if (typeof value === "string") return quoted(value)
  const rest = value.length - shownIds
  return `${value.length}: ${value.slice(0, shownIds).map(quoted).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
}

/** The text for the user: the action, then one field a line. */
export const confirmationText = ({ action, fields }: Write): string =>
  [`Signalbox: ${action}?`, "", ...fields.map(([name, value]) => `${name}: ${valueOf(value)}`)].join("\n")

const answerName = "confirm"

const firstStatelessProtocol = "2026-07-28"

const refused = (message: string) =>
  Effect.fail(new Unsuccessful({ exitCode: exitCodes.refused, message: `${message}; nothing was sent` }))

const formOf = (write: Write) => ({
  mode: "form" as const,
  message: confirmationText(write),
  requestedSchema: {
    type: "object" as const,
    properties: { confirm: { type: "boolean" as const, title: "Confirm", description: write.action } },
    required: ["confirm"]
  }
})

const isAccepted = (answer: unknown): boolean => {
  if (typeof answer !== "object" || answer === null || !("action" in answer) || answer.action !== "accept") return false
  const content = "content" in answer ? answer.content : undefined
  return typeof content === "object" && content !== null && "confirm" in content && content.confirm === true
}

/** Makes the confirmation of one server. */
export const makeConfirmation = () => {
  const key = randomBytes(32)
  /** When the requests for confirmation that are open expire, by nonce. */
  const open = new Map<string, number>()

  const digest = (nonce: string, { action, fields, request }: Write): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([nonce, action, fields, request]))
      .digest("base64url")

  /** Whether a state was given out for exactly this write, not used before, and is not expired. */
  const redeem = (state: string, write: Write, now: number): boolean => {
    const [nonce = "", given = ""] = state.split(".")
    const expiresAt = open.get(nonce) ?? 0
    open.delete(nonce)
    if (expiresAt <= now) return false
    const expected = Buffer.from(digest(nonce, write))
    const actual = Buffer.from(given)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  const askAgain = (write: Write, now: number) => {
    for (const [nonce, expiresAt] of open) if (expiresAt <= now) open.delete(nonce)
    const nonce = randomUUID()
    open.set(nonce, now + validMs)
    return new InputRequired({
      inputRequests: { [answerName]: { method: "elicitation/create", params: formOf(write) } },
      requestState: `${nonce}.${digest(nonce, write)}`
    })
  }

  const askNow = Effect.fnUntraced(function* (write: Write) {
    const client = yield* Effect.serviceOption(McpServerClient)
    if (Option.isNone(client)) return yield* refused("the client cannot confirm writes")
    const reverse = yield* client.value.getClient
    const request = yield* Effect.orDie(Schema.decodeEffect(ElicitRequestFormParams)(formOf(write)))
    const answer = yield* reverse.elicit(request).pipe(Effect.catch(() => refused("the client could not ask the user")))
    return isAccepted(answer)
  }, Effect.scoped)

  /**
   * Requests the user's confirmation of a write. Returns `undefined` once it is confirmed, or the request that the
   * client must answer first. Fails if the user declines or the client cannot prompt.
   */
  const confirm = Effect.fnUntraced(function* (write: Write) {
    const { clientCapabilities, inputResponses, protocolVersion, requestState } = yield* McpRequestContext
    if (clientCapabilities.elicitation === undefined) {
      return yield* refused("the client cannot ask its user to confirm (no elicitation)")
    }
    if (protocolVersion < firstStatelessProtocol) {
      return (yield* askNow(write)) ? undefined : yield* refused("the user did not confirm")
    }
    const now = yield* Clock.currentTimeMillis
    if (requestState === undefined) return askAgain(write, now)
    if (!redeem(requestState, write, now))
      return yield* refused("the confirmation is for another request, was used before, or is older than 10 minutes")
    return isAccepted(inputResponses?.[answerName]) ? undefined : yield* refused("the user did not confirm")
  })

  return { confirm }
}

/** The confirmation of one server. */
export type Confirmation = ReturnType<typeof makeConfirmation>
