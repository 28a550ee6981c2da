import { fork } from "node:child_process"

interface ProcessOptions {
  readonly words?: ReadonlyArray<string>
  /** Flags of Node itself. */
  readonly flags?: ReadonlyArray<string>
}

/**
 * The one message that a script of `processes/` reports; its process then ends, even if work is left. The caller names
 * the type, which must be that of the script's message.
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
