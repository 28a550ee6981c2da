/**
 * The user's confirmation of one exact write, in both eras of the protocol.
 *
 * Until 2025-11-25 the server asks the client during the call (`elicitation/create`). From 2026-07-28 on the call returns
 * `InputRequired`, and the client calls again with the answer and the state that the server gave it. The state is a keyed
 * digest of the exact request, valid once: an answer confirms nothing but what the user was shown.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ElicitRequestFormParams, InputRequired, McpRequestContext, McpServerClient } from "effect/ai/McpSchema"
import { Unsuccessful } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"

/** A write to confirm: the text for the user, and the exact request; secrets included, since only its digest leaves. */
export interface Write {
  readonly summary: string
  readonly request: unknown
}

const answerName = "confirm"

const firstStatelessProtocol = "2026-07-28"

const refused = (message: string) =>
  Effect.fail(new Unsuccessful({ exitCode: exitCodes.refused, message: `${message}; nothing was sent` }))

const formOf = (summary: string) => ({
  mode: "form" as const,
  message: `Signalbox: ${summary}. Confirm?`,
  requestedSchema: {
    type: "object" as const,
    properties: { confirm: { type: "boolean" as const, title: "Confirm", description: summary } },
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
  const open = new Set<string>()

  const digest = (nonce: string, { request, summary }: Write): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([nonce, summary, request]))
      .digest("base64url")

  /** Whether a state was given out for exactly this write, and not used before. */
  const redeem = (state: string, write: Write): boolean => {
    const [nonce = "", given = ""] = state.split(".")
    if (!open.delete(nonce)) return false
    const expected = Buffer.from(digest(nonce, write))
    const actual = Buffer.from(given)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  const askAgain = (write: Write) => {
    const nonce = randomUUID()
    open.add(nonce)
    return new InputRequired({
      inputRequests: { [answerName]: { method: "elicitation/create", params: formOf(write.summary) } },
      requestState: `${nonce}.${digest(nonce, write)}`
    })
  }

  const askNow = Effect.fnUntraced(function* ({ summary }: Write) {
    const client = yield* Effect.serviceOption(McpServerClient)
    if (Option.isNone(client)) return yield* refused("the client cannot confirm writes")
    const reverse = yield* client.value.getClient
    const request = yield* Effect.orDie(Schema.decodeEffect(ElicitRequestFormParams)(formOf(summary)))
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
    if (requestState === undefined) return askAgain(write)
    if (!redeem(requestState, write))
      return yield* refused("the confirmation is for another request, or was used before")
    return isAccepted(inputResponses?.[answerName]) ? undefined : yield* refused("the user did not confirm")
  })

  return { confirm }
}

/** The confirmation of one server. */
export type Confirmation = ReturnType<typeof makeConfirmation>
