import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Sample } from "./Measure.ts"

const execute = promisify(execFile)

/** The line that makes a program report its own processor time in microseconds when it ends. */
export const reportCpu = `
process.once("exit", () => { const { system, user } = process.cpuUsage(); process.stdout.write(String(system + user)) })
`

/** Starts `node file` and waits for its end: wall time from outside, processor time as the program itself reports it. */
export const launch = async (file: string): Promise<Sample> => {
  const start = performance.now()
  const { stdout } = await execute(process.execPath, [file], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production" }
  })
  const wall = performance.now() - start
  const cpu = Number(stdout)
  if (!Number.isFinite(cpu) || cpu <= 0) throw new Error(`${file} did not report its processor time`)
  return { wall, cpu: cpu / 1000 }
}
