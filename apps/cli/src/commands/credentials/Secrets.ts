/**
 * Secrets of the command line: from a file, stdin, an environment variable or a prompt; never from an argument, which
 * other processes and the history of the shell can read.
 */
import * as Effect from "effect/Effect"
import { usage, type UsageError } from "../../failure/CommandError.ts"
import { readText } from "../../flags/TextFile.ts"
import { Process } from "../../process/Process.ts"

/** A secret is printable and has no spaces; others come from a file that is not text. */
const unusual = /[\s\p{Control}\uFFFD]/u

const forms = "give @FILE, - for stdin or env:NAME"

/** The value that a flag points to; `undefined` where it points nowhere. Its text is never part of an error. */
const read = Effect.fnUntraced(function* (flag: string, source: string) {
  const { ask, environment, stdinIsTerminal } = yield* Process
  // The command of a printed fix: without a question, it would wait for ctrl-d and show the secret.
  if (source === "-" && stdinIsTerminal) return yield* ask(`--${flag}: `, "hidden")
  if (source === "-" || /^@./u.test(source)) return yield* readText(flag, source.replace(/^@/u, ""))
  if (!/^env:./u.test(source)) {
    return yield* usage(`--${flag}: a secret must not be an argument, which other processes can read; ${forms}`)
  }
  const name = source.slice("env:".length)
  return environment[name] ?? (yield* usage(`--${flag}: the environment variable ${name} is not set`))
})

/** Text as a secret. */
const checked = (flag: string, text: string): Effect.Effect<string, UsageError> => {
  const secret = text.trim()
  if (secret === "") return usage(`--${flag}: the secret is empty`)
  return unusual.test(secret) ? usage(`--${flag}: expected one line of text without spaces`) : Effect.succeed(secret)
}

/** Reads one secret. */
export const readSecret = (flag: string, source: string) =>
  Effect.flatMap(read(flag, source), (text) => checked(flag, text))

/** Checks a webhook URL: a service stores any text. The message does not quote it, since it is a secret. */
export const checkedUrl = (name: string, value: string): Effect.Effect<string, UsageError> =>
  URL.canParse(value) && /^https?:/iu.test(value)
    ? Effect.succeed(value)
    : usage(`${name}: not the URL of a webhook; it starts with https://`)

/** Checks a device token, which is not a URL: only a provider with an endpoint of your own may take those. */
export const checkedToken = (name: string, value: string, provider: string): Effect.Effect<string, UsageError> =>
  provider === "push-webhook" || !/^[a-z][\w+.-]*:\/\//iu.test(value)
    ? Effect.succeed(value)
    : usage(`${name}: a URL is not a device token of ${provider}`)

/** Reads secrets of a repeatable flag; a file or stdin may have several, one per line. */
export const readSecrets = Effect.fnUntraced(function* (flag: string, sources: ReadonlyArray<string>) {
  const values: Array<string> = []
  for (const source of sources) {
    const lines = (yield* read(flag, source)).trim().split(/\s*\n\s*/u)
    for (const line of lines) values.push(yield* checked(flag, line))
  }
  return values
})

/** Prompts for a secret on the terminal, without echo. */
export const askSecret = Effect.fnUntraced(function* (flag: string, question: string) {
  const { ask, stdinIsTerminal } = yield* Process
  if (!stdinIsTerminal) return yield* usage(`missing flag --${flag}: ${forms}`)
  return yield* checked(flag, yield* ask(`${question}: `, "hidden"))
})
