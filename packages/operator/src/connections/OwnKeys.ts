/**
 * Keeps the API keys of an app out of all that it shows and stores. The client removes a key from its errors; a service
 * can also repeat it in its records, and a crash can happen anywhere.
 */
import { makeKeyRemoval, redactTextOf } from "@signalbox/core/Redaction"
import { type ResponseHeaders, Transport, TransportError } from "@signalbox/core/Transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

// All keys of the process, since a report of a crash does not know which connection it is about.
const keys = new Set<string>()
let removeKeys = makeKeyRemoval([])

/** Keeps this key out of {@link layer}'s responses and of every outlet, from now on. */
export const protectKey = (key: Redacted.Redacted<string>): void => {
  keys.add(Redacted.value(key))
  removeKeys = makeKeyRemoval([...keys])
}

/** A string without the keys of this process, in any encoding. JSON stays valid. */
export const withoutOwnKeys = (text: string): string => removeKeys(text)

/** A string without the keys of this process, and without what looks like a secret. */
export const withoutSecrets = (text: string): string => redactTextOf(removeKeys(text), [...keys])

const inHeaders = (headers: ResponseHeaders): ResponseHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : removeKeys(value)])
  )

const inError = (error: TransportError): TransportError => {
  const { cause, delivery, isTooLarge, partial } = error
  if (partial === undefined) return error
  return new TransportError({
    cause,
    partial: { status: partial.status, headers: inHeaders(partial.headers) },
    ...(delivery === undefined ? {} : { delivery }),
    ...(isTooLarge === undefined ? {} : { isTooLarge })
  })
}

/**
 * Sends with the transport below it, and removes the keys of this process from responses before anything reads them: no
 * screen, list, export, report, journal or recording can then contain one.
 */
export const layer: Layer.Layer<Transport, never, Transport> = Layer.effect(
  Transport,
  Effect.map(Transport, ({ send }) =>
    Transport.of({
      send: (request) =>
        send(request).pipe(
          Effect.map(({ headers, status, text }) => ({ status, headers: inHeaders(headers), text: removeKeys(text) })),
          Effect.mapError(inError)
        )
    })
  )
)
