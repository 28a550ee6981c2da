/**
 * Reads tables of the configuration file, setting by setting. No message quotes a value that could be a misplaced secret.
 */
import { expectedOneOf } from "@signalbox/core/Nearest"
import * as Result from "effect/Result"
import { safe } from "../text/Safe.ts"

/** Where a secret comes from; the secret itself is never in the file. */
export type KeySource =
  | { readonly _tag: "Environment"; readonly variable: string }
  /** A program with its arguments, or a command line for the shell; the first line of its output is the secret. */
  | { readonly _tag: "Command"; readonly command: ReadonlyArray<string> | string }

/** A problem with a value of the file. */
export interface ConfigIssue {
  /** The keys from the value down; empty for the value as a whole. */
  readonly key: string
  readonly problem: string
}

/** Reads one value. */
export type Setting<A> = (value: unknown) => Result.Result<A, ConfigIssue>

/** Rejects a value, or the one at a key of it. */
export const invalid = (problem: string, key = ""): Result.Result<never, ConfigIssue> => Result.fail({ key, problem })

/** Puts the place of a value in front of the key of its issue. */
export const inPlace = <A>(place: string, read: Result.Result<A, ConfigIssue>): Result.Result<A, ConfigIssue> =>
  Result.mapError(read, ({ key, problem }) => ({
    key: /^(?:$|\[)/u.test(key) ? place + key : `${place}.${key}`,
    problem
  }))

/** Describes a value by its type. */
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : value instanceof Date ? "a date" : `a ${typeof value}`

/** Whether a value is a table. */
export const isTable = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** A string that is not empty; `problem` is what is wrong with one that is not valid. */
export const text =
  (problem: (value: string) => string | undefined = () => undefined): Setting<string> =>
  (value) => {
    if (typeof value !== "string") return invalid(`must be a string in quotes, not ${kindOf(value)}`)
    const found = value === "" ? "must not be empty" : problem(value)
    return found === undefined ? Result.succeed(value) : invalid(found)
  }

/** `true` or `false`. */
export const flag: Setting<boolean> = (value) =>
  typeof value === "boolean"
    ? Result.succeed(value)
    : invalid(`must be true or false without quotes, not ${kindOf(value)}`)

/** One of some words. */
export const oneOf =
  <const Word extends string>(words: ReadonlyArray<Word>): Setting<Word> =>
  (value) =>
    Result.flatMap(text()(value), (typed) => {
      const found = words.find((word) => word === typed)
      return found === undefined
        ? invalid(`is "${safe(typed)}"; ${expectedOneOf(typed, words)}`)
        : Result.succeed(found)
    })

/** The name of an environment variable with a secret. */
export const variable: Setting<string> = text((name) =>
  /^[A-Za-z_]\w*$/u.test(name)
    ? undefined
    : "must be the name of an environment variable (letters, digits, _), not the value itself"
)

/** A command that prints a secret. */
export const command: Setting<ReadonlyArray<string> | string> = (value) =>
  (typeof value === "string" && value.trim() !== "") ||
  (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string" && part !== ""))
    ? Result.succeed(value)
    : invalid('must be a program with its arguments, like ["pass", "acme"], or a command line for the shell')

/** The source of a secret with the settings `<name>Env` and `<name>Command`, of which one may be set. */
export const sourceOf = (
  name: string,
  variableName: string | undefined,
  commandLine: ReadonlyArray<string> | string | undefined
): Result.Result<KeySource | undefined, ConfigIssue> => {
  if (variableName === undefined)
    return Result.succeed(commandLine === undefined ? undefined : { _tag: "Command", command: commandLine })
  return commandLine === undefined
    ? Result.succeed({ _tag: "Environment", variable: variableName })
    : invalid(`has both ${name}Env and ${name}Command; keep one of them`)
}

type Settings = Readonly<Record<string, Setting<unknown>>>

type Values<All extends Settings> = { readonly [Key in keyof All]?: Result.Result.Success<ReturnType<All[Key]>> }

/** Reads a table with these settings and no others; `unknown` describes what is wrong with some other keys. */
export const readTable = <const All extends Settings>(
  value: unknown,
  settings: All,
  unknown: (key: string) => string | undefined = () => undefined
): Result.Result<Values<All>, ConfigIssue> => {
  const known = Object.keys(settings)
  if (!isTable(value)) return invalid(`must be a table with the keys ${known.join(", ")}, not ${kindOf(value)}`)
  const other = Object.keys(value).find((key) => !known.includes(key))
  if (other !== undefined) return invalid(unknown(other) ?? `unknown key; ${expectedOneOf(other, known)}`, safe(other))
  const read = Object.entries(settings)
    .filter(([key]) => Object.hasOwn(value, key))
    .map(([key, setting]) =>
      Result.map(inPlace(key, setting(Reflect.get(value, key))), (found) => [key, found] as const)
    )
  // Each value was read by the setting of its key.
  return Result.map(Result.all(read), (all) => Object.fromEntries(all) as Values<All>)
}

/** Reads the tables below a table, each with a name that can be shown in the header and typed after a flag. */
export const named =
  <A>(what: string, rule: string, read: (name: string, value: unknown) => Result.Result<A, ConfigIssue>) =>
  (value: unknown): Result.Result<ReadonlyArray<A>, ConfigIssue> =>
    isTable(value)
      ? Result.all(
          Object.entries(value).map(([name, one]) =>
            inPlace(
              safe(name),
              /^[\w][\w.-]{0,39}$/u.test(name)
                ? read(name, one)
                : invalid(`the name of a ${what} consists of letters, digits, _ - and . (40 at most)`)
            )
          )
        )
      : invalid(rule)
