import { messageOf } from "@signalbox/operator/text/SystemReason"
import { argumentsOf, checkCommand } from "@signalbox/test-harness/internal/executable/Arguments"
import { parse, parseOnly } from "@signalbox/test-harness/internal/executable/Options"
import * as Effect from "effect/Effect"
import { UsageError } from "../../failure/CommandError.ts"
import { exec } from "./Exec.ts"
import { fakeOptions } from "./Fake.ts"
import { serve } from "./FakeServer.ts"

/** Without --, the options of the program would be read as those of the fake. */
const parseExec = (words: ReadonlyArray<string>): ReturnType<typeof parse<typeof fakeOptions>> => {
  try {
    return parse(fakeOptions, words)
  } catch (error) {
    if (words.includes("--")) throw error
    throw new RangeError(`${messageOf(error)}; write -- before the program to run`)
  }
}

const read = (words: ReadonlyArray<string>) => {
  checkCommand(words, ["exec"])
  if (words[0] !== "exec") {
    const values = parseOnly(fakeOptions, words)
    return { values, arguments: argumentsOf(values), command: undefined }
  }
  const { operands: command, values } = parseExec(words.slice(1))
  if (command.length === 0) throw new RangeError("exec: expected -- and the program to run")
  return { values, arguments: argumentsOf(values), command }
}

/** Runs the words after `fake`, with the parser of `signalbox-fake`. */
export const runFake = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const { command, ...input } = yield* Effect.try({
    try: () => read(words),
    catch: (error) => new UsageError({ message: messageOf(error) })
  })
  yield* command === undefined ? serve(input) : exec(input, command)
})
