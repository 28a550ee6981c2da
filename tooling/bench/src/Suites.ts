import type { Findings } from "./Row.ts"
import { behaviour } from "./suites/Behaviour.ts"
import { bulk } from "./suites/Bulk.ts"
import { call } from "./suites/Call.ts"
import { commandLine } from "./suites/CommandLine.ts"
import { decode } from "./suites/Decode.ts"
import { fake } from "./suites/Fake.ts"
import { size } from "./suites/Size.ts"
import { start } from "./suites/Start.ts"
import { types } from "./suites/TypeChecking.ts"
import { tui } from "./suites/TerminalUi.ts"

/** A suite: its question, and the run that answers it. */
export interface Suite {
  readonly question: string
  readonly run: () => Promise<Findings>
}

/** Every suite by the name the command line knows, in the order they run. */
export const suites: Readonly<Record<string, Suite>> = {
  decode: { question: "What does it cost to turn a page of 50 events into typed values?", run: decode },
  size: { question: "How many bytes does a program that lists one page add to a bundle?", run: size },
  start: { question: "How much longer does a process take to start with the client in it?", run: start },
  types: { question: "How much longer does the compiler take for a program that uses the SDK?", run: types },
  call: { question: "What does one list call cost over bare fetch and JSON.parse?", run: call },
  bulk: { question: "What does a bulk run cost over a loop, and does its memory grow?", run: bulk },
  fake: { question: "How far is the fake from the least that a server or a fetch function can do?", run: fake },
  tui: { question: "How fast is the terminal UI, and how much does it write?", run: tui },
  cli: {
    question: "What does the command line cost over bare Node, and does a long listing fill memory?",
    run: commandLine
  },
  behaviour: { question: "What do clients do when the service misbehaves?", run: behaviour }
}
