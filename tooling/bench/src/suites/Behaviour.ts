import { fork } from "node:child_process"
import type { Observation, Report } from "../Row.ts"

/** The same awkward situations for every client; in a process of its own, because one of them retries for an hour. */
export const behaviour = async (): Promise<Report> => {
  const child = fork(new URL("../processes/behaviour.ts", import.meta.url))
  try {
    const observations = await new Promise<ReadonlyArray<Observation>>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the probes ended early with ${code}`)))
      // The channel carries one message: what the process observed.
      child.once("message", (message) => resolve(message as ReadonlyArray<Observation>))
    })
    return { suite: "behaviour", rows: [], observations }
  } finally {
    child.kill("SIGKILL")
  }
}
