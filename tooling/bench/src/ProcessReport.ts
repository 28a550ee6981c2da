import { fork } from "node:child_process"

interface ProcessOptions {
  readonly words?: ReadonlyArray<string>
  /** Flags of Node itself. */
  readonly flags?: ReadonlyArray<string>
}

/**
 * What a script of `processes/` reports in its one message, in a process that then ends, whatever it is still at. The caller
 * names the type, which is that of what the script sends.
 */
export const processReport = async <Reported>(
  script: URL,
  { flags = [], words = [] }: ProcessOptions = {}
): Promise<Reported> => {
  const child = fork(script, [...words], { execArgv: [...flags] })
  try {
    return await new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${script.pathname} ended with ${code} before it reported`)))
      // The other side is a script of ours.
      child.once("message", (message) => resolve(message as Reported))
    })
  } finally {
    child.kill("SIGKILL")
  }
}
