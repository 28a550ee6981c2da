/**
 * The words that may follow those of a command line.
 */
import { messageMarks } from "@signalbox/core/Operations"
import { channelProviderIds } from "@signalbox/core/Records"
import { complete } from "@signalbox/operator/filter/Completion"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { presetNames } from "@signalbox/test-harness/internal/switches/PresetNames"
import * as Effect from "effect/Effect"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { connectionNames } from "../../connection/Connection.ts"
import { commandNames } from "../../failure/UsageLine.ts"
import { HelpDocs } from "../../help/HelpDocs.ts"
import { type Environment, Process } from "../../process/Process.ts"
import { shells } from "./PrintScript.ts"

const namesOf = ({ aliases, name }: FlagDoc): ReadonlyArray<string> => [`--${name}`, ...aliases]

/** Values of arguments that are a few words. */
const argumentValues: Readonly<Record<string, ReadonlyArray<string>>> = {
  state: messageMarks,
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

/** Files whose names end in a suffix, and folders, in the folder of what was typed. */
const filesFor = (typed: string, suffix: string) =>
  Effect.promise(async () => {
    const { readdir } = await import("node:fs/promises")
    const folder = typed.slice(0, typed.lastIndexOf("/") + 1)
    const isHidden = (name: string) => name.startsWith(".") && !typed.slice(folder.length).startsWith(".")
    const entries = await readdir(folder === "" ? "." : folder, { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => (entry.isDirectory() || entry.name.endsWith(suffix)) && !isHidden(entry.name))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
      .sort()
  })

/** A seeded preset has parentheses, which a shell would read: users quote it. */
const presets = presetNames.split(", ").filter((name) => !name.includes("("))

const valuesOfFlag = (flag: FlagDoc, typed: string, environment: Environment): Effect.Effect<ReadonlyArray<string>> => {
  switch (flag.name) {
    case "connection":
      return connectionNames(environment).pipe(
        Effect.map((names) => [...names, "demo"]),
        Effect.orElseSucceed(() => ["demo"])
      )
    case "provider":
      return Effect.succeed(channelProviderIds)
    case "preset":
      return Effect.map(filesFor(typed, ".json"), (files) => [...presets, ...files])
    default:
      if (flag.type === "FILE") return filesFor(typed, "")
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
    case "file":
      return filesFor(typed, "")
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
  if (open !== undefined) return yield* valuesOfFlag(open, typed, environment)
  if (typed.startsWith("-")) return flags.flatMap(namesOf)
  return [...(rest.length === 0 ? commandNames(doc) : []), ...(yield* valuesOfArguments(doc, typed, environment))]
})

/** Prints one candidate per line. */
export const printCandidates = Effect.fnUntraced(function* ({ words }: { readonly words: ReadonlyArray<string> }) {
  const { environment, write } = yield* Process
  const typed = words.at(-1) ?? ""
  const candidates = yield* candidatesOf(words, environment)
  yield* write(
    outlet("candidates").text(
      candidates
        .filter((candidate) => candidate.startsWith(typed))
        .map((candidate) => `${candidate}\n`)
        .join("")
    )
  )
})
