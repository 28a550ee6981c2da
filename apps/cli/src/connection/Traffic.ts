/**
 * The HTTP traffic of a command on stderr, for `--debug`: each attempt with its time, headers and body, without secrets.
 */
import { secretsUnderNames } from "@signalbox/core/internal/errors/SecretPositions"
import { parseJson } from "@signalbox/core/internal/reading/JsonObject"
import { makeSecretRemoval, redact } from "@signalbox/core/Redaction"
import { Transport, type TransportRequest } from "@signalbox/core/Transport"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { utc } from "@signalbox/operator/text/Zone"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Process } from "../process/Process.ts"

/** As long as the part of a body that an error shows. */
const longestBody = 2048

const bodyLine = (text: string): ReadonlyArray<string> => {
  if (text === "") return []
  const value = parseJson(text)
  const shown = cleanLine(value === undefined ? text : JSON.stringify(redact(value)))
  return [shown.length > longestBody ? `${shown.slice(0, longestBody)}… (${text.length} characters)` : shown]
}

const headerLines = (sign: string, headers: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  Object.entries(headers).map(
    ([name, value = ""]) => `${sign} ${cleanLine(name)}: ${name === "authorization" ? "<redacted>" : cleanLine(value)}`
  )

const requestLines = ({ body = "", headers, method, url }: TransportRequest, at: number): ReadonlyArray<string> => [
  `> ${utc.preciseClock(at)}Z ${method} ${cleanLine(url)}`,
  ...headerLines(">", headers),
  ...bodyLine(body)
]

/** Prints what the transport below it sends and receives. */
export const layer: Layer.Layer<Transport, never, Transport | Process> = Layer.effect(
  Transport,
  Effect.gen(function* () {
    const { report } = yield* Process
    const { send, ...facts } = yield* Transport
    const print = (lines: ReadonlyArray<string>) => report(`${lines.join("\n")}\n`)
    return Transport.of({
      ...facts,
      send: Effect.fnUntraced(function* (request, onWrite) {
        // A response can quote a device token, which nothing but the request tells from other words.
        const remove = makeSecretRemoval(secretsUnderNames(parseJson(request.body ?? "")))
        const start = yield* Clock.currentTimeMillis
        yield* print(requestLines(request, start))
        const finish = (outcome: string, more: ReadonlyArray<string> = []) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            print([`< ${utc.preciseClock(now)}Z ${outcome} after ${now - start} ms`, ...more.map(remove)])
          )
        return yield* send(request, onWrite).pipe(
          Effect.tap(({ headers, status, text }) =>
            finish(String(status), [...headerLines("<", headers), ...bodyLine(text)])
          ),
          Effect.tapError(({ partial }) =>
            finish(
              "no complete response",
              partial === undefined ? [] : [`< ${partial.status}`, ...headerLines("<", partial.headers)]
            )
          ),
          Effect.onInterrupt(() => finish("given up"))
        )
      })
    })
  })
)
