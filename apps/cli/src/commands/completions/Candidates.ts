/**
 * What may follow the words of a command line.
 */
import { channelProviderIds } from "@signalbox/core/Provider"
import { complete } from "@signalbox/operator/filter/Completion"
import * as Effect from "effect/Effect"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { connectionNames } from "../../connection/Connection.ts"
import { commandNames } from "../../failure/UsageLine.ts"
import { HelpDocs } from "../../help/HelpDocs.ts"
import { type Environment, Process } from "../../process/Process.ts"
import { shells } from "./Shells.ts"

const namesOf = ({ aliases, name }: FlagDoc): ReadonlyArray<string> => [`--${name}`, ...aliases]

/** Values of arguments that are a few words. */
const argumentValues: Readonly<Record<string, ReadonlyArray<string>>> = {
  state: ["read", "unread", "seen", "unseen"],
  shell: shells
}

/** The command that the words lead to, and the words after its name. */
const locate = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const helpDocs = yield* HelpDocs
  let depth = 0
  let doc = yield* helpDocs.find([])
  while (doc !== undefined && commandNames(doc).includes(words[depth] ?? "")) {
    depth += 1
    doc = yield* helpDocs.find(words.slice(0, depth))
  }
  return { doc, rest: words.slice(depth) }
})

const valuesOfFlag = (flag: FlagDoc, environment: Environment): Effect.Effect<ReadonlyArray<string>> => {
  switch (flag.name) {
    case "connection":
      return connectionNames(environment).pipe(
        Effect.map((names) => [...names, "demo"]),
        Effect.orElseSucceed(() => ["demo"])
      )
    case "provider":
      return Effect.succeed(channelProviderIds)
    case "preset":
      return Effect.succeed(["document", "observed", "adversarial"])
    default:
      return Effect.succeed(flag.type.includes("|") ? flag.type.split("|") : [])
  }
}

const valuesOfArguments = ({ args = [] }: HelpDoc, typed: string, environment: Environment) => {
  const [argument] = args
  switch (argument?.name) {
    case undefined:
      return Effect.succeed([])
    case "filter": {
      const { candidates, from } = complete(typed, typed.length)
      return Effect.succeed(candidates.map(({ text }) => typed.slice(0, from) + text))
    }
    case "name":
      return connectionNames(environment).pipe(Effect.orElseSucceed(() => []))
    default:
      return Effect.succeed(argumentValues[argument?.name ?? ""] ?? [])
  }
}

const candidatesOf = Effect.fnUntraced(function* (words: ReadonlyArray<string>, environment: Environment) {
  const typed = words.at(-1) ?? ""
  const { doc, rest } = yield* locate(words.slice(0, -1))
  if (doc === undefined) return []
  const flags = [...doc.flags, ...(doc.globalFlags ?? [])]
  const before = rest.at(-1) ?? ""
  const open = flags.find((flag) => flag.type !== "boolean" && namesOf(flag).includes(before))
  if (open !== undefined) return yield* valuesOfFlag(open, environment)
  if (typed.startsWith("-")) return flags.flatMap(namesOf)
  return [...(rest.length === 0 ? commandNames(doc) : []), ...(yield* valuesOfArguments(doc, typed, environment))]
})

/** Prints one candidate per line. */
export const printCandidates = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const { environment, write } = yield* Process
  const typed = words.at(-1) ?? ""
  const candidates = yield* candidatesOf(words, environment)
  yield* write(
    candidates
      .filter((candidate) => candidate.startsWith(typed))
      .map((candidate) => `${candidate}\n`)
      .join("")
  )
})
