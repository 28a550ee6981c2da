import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { collect, percentile, summarise } from "../Measure.ts"
import type { Findings, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"
import type { Terminal, TerminalOptions } from "../Terminal.ts"
import { openTerminal, processorMilliseconds, residentMegabytes } from "../Terminal.ts"

const program = fileURLToPath(new URL("../../../../apps/tui/dist/main.js", import.meta.url))
const frameEnd = "\u001b[?2026l"
// Erasing the whole display, as opposed to a line: a visible flicker.
const fullErases = ["\u001b[2J", "\u001b[3J"]
const rounds = 15
const keys = 120
const warmUpKeys = 40
const idleMs = 5_000
const updates = 40_000

// The header says when the data was read as soon as there is data to show; before that the list only says it is reading.
const hasFirstFrame = (written: string) => {
  const header = written.indexOf("as of")
  return header !== -1 && written.includes(frameEnd, header)
}

/** Shared by all starts of a run, as by those of a person. */
const cache = mkdtempSync(join(tmpdir(), "signalbox-bench-"))

const large = { columns: 120, rows: 40, cache }

const launchUntilFirstFrame = async (options: TerminalOptions): Promise<number> => {
  const start = performance.now()
  const terminal = openTerminal([program], options)
  try {
    await terminal.until(hasFirstFrame)
    const elapsed = performance.now() - start
    // It is left as people leave it: only then it keeps its compiled form for the next start.
    terminal.write("q")
    return elapsed
  } finally {
    await terminal.ended
  }
}

const launchBare = async (): Promise<number> => {
  const start = performance.now()
  await openTerminal(["-e", "0"], large).ended
  return performance.now() - start
}

const loadedIn = (written: string): number | undefined => {
  const count = /of (\d+) loaded/u.exec(written)?.[1]
  return count === undefined ? undefined : Number(count)
}

const ready = async (words: ReadonlyArray<string>, size: TerminalOptions): Promise<Terminal> => {
  const terminal = openTerminal([program, ...words], size)
  await terminal.until(hasFirstFrame)
  // The pages of a large demo are read after the first frame; a redraw writes how many events are loaded.
  const wanted = words[0] === "--demo-events" ? Number(words[1]) : 0
  for (let loaded = 0; loaded < wanted; loaded = loadedIn(terminal.take()) ?? loaded) {
    await pause(50)
    terminal.take()
    terminal.write("\f")
    await terminal.until((written) => loadedIn(written) !== undefined)
  }
  // The app is quiet once nothing was written for a while; there is no other sign of it from outside.
  for (let quiet = 0; quiet < 10; quiet++) {
    await pause(50)
    if (terminal.take() !== "") quiet = 0
  }
  return terminal
}

interface KeyFigures {
  readonly latencies: ReadonlyArray<number>
  readonly bytes: ReadonlyArray<number>
  readonly erases: number
}

/** Sends one key and waits for its frame. */
const pressKey = async (terminal: Terminal, key: string) => {
  terminal.take()
  const start = performance.now()
  terminal.write(key)
  await terminal.until((written) => written.includes(frameEnd))
  const latency = performance.now() - start
  // Anything the key still causes belongs to it.
  await pause(25)
  return { latency, written: terminal.take() }
}

const pressKeys = async (terminal: Terminal): Promise<KeyFigures> => {
  const latencies: Array<number> = []
  const bytes: Array<number> = []
  let erases = 0
  for (let index = 0; index < warmUpKeys + keys; index++) {
    const { latency, written } = await pressKey(terminal, Math.floor(index / 8) % 2 === 0 ? "j" : "k")
    latencies.push(latency)
    bytes.push(Buffer.byteLength(written))
    if (fullErases.some((sequence) => written.includes(sequence))) erases++
  }
  return { latencies: latencies.slice(warmUpKeys), bytes: bytes.slice(warmUpKeys), erases }
}

/** Words that are typed into the filter, one a round. */
const typedWords = ["slack", "phone", "u_1", "order", "mia", "webhook", "ruiz", "txn_8"]

/** Actions that change which rows are listed: failures only, one cause, a word that is typed into the filter. */
const pressFilters = async (terminal: Terminal): Promise<ReadonlyArray<number>> => {
  const latencies: Array<number> = []
  for (const word of typedWords) {
    for (const key of ["F", "1", "1", "F", "2", "2", "/", ...word]) {
      latencies.push((await pressKey(terminal, key)).latency)
    }
    // A lone escape is waited for, in case it begins a sequence: it is no measure of a filter.
    await pressKey(terminal, "\u001b")
  }
  return latencies
}

const close = async (terminal: Terminal) => {
  terminal.kill()
  await terminal.ended
}

const keyRows = async (
  id: string,
  label: string,
  words: ReadonlyArray<string>,
  size: TerminalOptions,
  baseline?: Row
) => {
  const terminal = await ready(words, size)
  const { bytes, erases, latencies } = await pressKeys(terminal)
  await close(terminal)
  const { high, low } = summarise(latencies)
  const latency = valueRow(
    `tui/key-${id}`,
    `key to frame, p95, ${label}`,
    "ms",
    { median: percentile(latencies, 0.95), low, high },
    baseline
  )
  return {
    latency,
    rows: [
      latency,
      valueRow(`tui/bytes-${id}`, `bytes of a selection move, ${label}`, "bytes", bytes),
      valueRow(`tui/erases-${id}`, `full erases after the first frame, ${label}`, "count", erases)
    ]
  }
}

const filterRow = async (id: string, label: string, size: TerminalOptions, baseline?: Row) => {
  const terminal = await ready(["--demo-events", "20000"], size)
  const latencies = await pressFilters(terminal)
  await close(terminal)
  const { high, low } = summarise(latencies)
  return valueRow(
    `tui/filter-${id}`,
    `filter key to frame, p95, ${label} with 20,000 events`,
    "ms",
    { median: percentile(latencies, 0.95), low, high },
    baseline
  )
}

const eventServer = new URL("../processes/eventServer.ts", import.meta.url)

/** A terminal UI that is connected to a server with a number of events, and a rate of new ones a second. */
const connected = async (events: number, rate: number) => {
  const server = await startServer(eventServer, [String(events), String(rate)])
  const environment = { SIGNALBOX_API_KEY: server.apiKey, SIGNALBOX_BASE_URL: server.baseUrl }
  const terminal = await ready([], { ...large, environment })
  return {
    terminal,
    end: async () => {
      await close(terminal)
      server.close()
    }
  }
}

/** Resident memory of a connected terminal UI once a number of events is loaded. */
const memoryRow = async (events: number): Promise<Row> => {
  const { end, terminal } = await connected(events, 0)
  // The last event on the list asks for the next page; a redraw writes how many are loaded.
  for (let loaded = 0; loaded < events;) {
    terminal.take()
    terminal.write("G\f")
    await terminal.until((written) => loadedIn(written) !== undefined)
    loaded = loadedIn(terminal.take()) ?? loaded
  }
  await pause(500)
  const memory = residentMegabytes(terminal.pid)
  await end()
  const label = `resident memory with ${events.toLocaleString("en")} loaded events of 5.2 KB`
  return valueRow(`tui/memory-${events}`, label, "MB", memory)
}

const tailMs = 20_000

/** The processor time of a live tail. */
const tailRow = async (baseline?: Row): Promise<Row> => {
  const { end, terminal } = await connected(200, 100)
  terminal.write(":every 2s\r")
  await terminal.until((written) => written.includes("live "))
  await pause(4_000)
  const before = processorMilliseconds(terminal.pid)
  await pause(tailMs)
  const used = processorMilliseconds(terminal.pid) - before
  terminal.take()
  terminal.write("\f")
  let followed = 0
  await terminal.until((written) => {
    const rate = /live (\d+)\/min/u.exec(written)?.[1]
    followed = Number(rate ?? 0)
    return rate !== undefined
  })
  await end()
  if (followed === 0) throw new Error("the live tail did not follow")
  const label = "processor time of a second of a live tail of 100 events a second"
  return valueRow("tui/tail-cpu", label, "ms", (used * 1000) / tailMs, baseline)
}

const idleAndMemory = async (): Promise<ReadonlyArray<Row>> => {
  const terminal = await ready([], large)
  terminal.take()
  const before = processorMilliseconds(terminal.pid)
  await pause(idleMs)
  const used = processorMilliseconds(terminal.pid) - before
  const idleBytes = Buffer.byteLength(terminal.take())
  for (let sent = 0; sent < updates; sent += 10) {
    terminal.write((sent / 10) % 2 === 0 ? "jjjjjjjjjj" : "kkkkkkkkkk")
    await terminal.until((written) => written.includes(frameEnd))
    terminal.take()
  }
  const memory = residentMegabytes(terminal.pid)
  await close(terminal)
  return [
    valueRow("tui/idle-bytes", `bytes written in ${idleMs / 1000} s without a key`, "bytes", idleBytes),
    valueRow("tui/idle-cpu", `processor in ${idleMs / 1000} s without a key`, "percent", (used / idleMs) * 100),
    valueRow("tui/memory", "resident memory after 40,000 moves, ten in one read", "MB", memory)
  ]
}

/** The bundled terminal UI on demo data in a pseudo-terminal. */
export const tui = async (): Promise<Findings> => {
  if (!existsSync(program)) throw new Error("apps/tui/dist/main.js is missing; run: pnpm build")
  await launchUntilFirstFrame(large)
  const once = (name: string, run: () => Promise<number>) => async () => ({ [name]: { wall: await run() } })
  const starts = await collect(rounds, [once("bare", launchBare), once("ui", () => launchUntilFirstFrame(large))])
  const startRows = timedRows(starts, [
    { id: "tui/bare", label: "node -e 0", contestant: "bare" },
    {
      id: "tui/first-frame",
      label: "first frame on demo data",
      contestant: "ui",
      baseline: "tui/bare"
    }
  ])
  const [bare] = startRows
  const few = await keyRows("wide", "120×40 with preview", [], large, bare)
  const narrow = await keyRows("narrow", "80×24", [], { columns: 80, rows: 24, cache })
  const huge = await keyRows("huge", "200×60", [], { columns: 200, rows: 60, cache })
  const many = await keyRows("many", "120×40 with 10,000 events", ["--demo-events", "10000"], large, few.latency)
  const filters = [
    await filterRow("large", "120×40", large, bare),
    await filterRow("huge", "200×60", { columns: 200, rows: 60, cache }, bare)
  ]
  const rest = [...(await idleAndMemory()), await memoryRow(5_000), await memoryRow(20_000), await tailRow(bare)]
  rmSync(cache, { recursive: true, force: true })
  return { rows: [...startRows, ...few.rows, ...narrow.rows, ...huge.rows, ...many.rows, ...filters, ...rest] }
}
