import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { demoSession, liveSession, type Session } from "../runtime/Session.ts"
import type { Arguments } from "./Arguments.ts"

/** The session to begin with and the way to others, or why there is none. */
export type Chosen =
  | {
      readonly _tag: "Chosen"
      readonly session: Session
      readonly connect: (name: string) => Effect.Effect<Session, { readonly message: string }>
    }
  | { readonly _tag: "Refused"; readonly message: string }

/** The connection that the command line and the environment name; the demo when they name none. */
export const chooseSession = async (
  wanted: Arguments,
  environment: Readonly<Record<string, string | undefined>>
): Promise<Chosen> => {
  const apiKey = environment["SIGNALBOX_API_KEY"] ?? ""
  const baseUrl = environment["SIGNALBOX_BASE_URL"] ?? ""
  const vendor = environment["SIGNALBOX_VENDOR"] ?? ""
  const names = { choices: ["demo"] }
  const connect = (name: string) =>
    name === "demo"
      ? Effect.sync(() => demoSession(names))
      : Effect.fail({ message: `there is no connection "${name}"` })
  if (wanted.demo || (apiKey === "" && baseUrl === "")) return { _tag: "Chosen", session: demoSession(names), connect }
  if (apiKey === "")
    return { _tag: "Refused", message: "SIGNALBOX_BASE_URL is set without SIGNALBOX_API_KEY; set both, or use --demo" }
  if (baseUrl === "")
    return { _tag: "Refused", message: "SIGNALBOX_API_KEY is set without SIGNALBOX_BASE_URL; set both, or use --demo" }
  if (!URL.canParse(baseUrl))
    return { _tag: "Refused", message: `SIGNALBOX_BASE_URL is "${baseUrl}"; it must be an http or https URL` }
  const session = liveSession({
    ...names,
    name: new URL(baseUrl).host,
    baseUrl,
    apiKey: Redacted.make(apiKey),
    readOnly: false,
    ...(vendor === "" ? {} : { vendor })
  })
  return { _tag: "Chosen", session, connect }
}
