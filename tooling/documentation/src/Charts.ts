/**
 * Bar charts of the benchmarks, with the spread of what was measured, as SVG images for dark and light pages.
 */
import { type Row, rowOf } from "./Measured.ts"
import { clients } from "./PeersTable.ts"

interface Bar {
  readonly label: string
  readonly value: number
  /** The quartiles; absent for what is exact. */
  readonly spread: readonly [low: number, high: number] | undefined
}

const chartWidth = 720
const left = 150
const barHeight = 22
const gap = 12

const style =
  ".page{fill:#fff}text{font:14px system-ui,sans-serif;fill:#24292f}.bar{fill:#8c959f}.own{fill:#0a7f5a}.spread{stroke:#24292f;stroke-width:1.5}" +
  "@media (prefers-color-scheme:dark){.page{fill:#17181c}text{fill:#e6edf3}.bar{fill:#6e7681}.own{fill:#3fb98f}.spread{stroke:#e6edf3}}"

const chart = (title: string, unit: string, bars: ReadonlyArray<Bar>): string => {
  const most = Math.max(...bars.map(({ spread, value }) => spread?.[1] ?? value))
  const scale = (chartWidth - left - 90) / most
  const x = (value: number): string => (left + Math.max(0, value) * scale).toFixed(1)
  const height = bars.length * (barHeight + gap) + gap
  const drawn = bars.map(({ label, spread, value }, index) => {
    const y = gap + index * (barHeight + gap)
    const middle = y + barHeight / 2
    const whisker =
      spread === undefined
        ? ""
        : `<path class="spread" d="M${x(spread[0])} ${middle}H${x(spread[1])}M${x(spread[0])} ${middle - 5}v10M${x(spread[1])} ${middle - 5}v10"/>`
    return [
      `<text x="${left - 10}" y="${middle + 5}" text-anchor="end">${label}</text>`,
      `<rect class="bar${label === "@signalbox/sdk" ? " own" : ""}" x="${left}" y="${y}" width="${(value * scale).toFixed(1)}" height="${barHeight}"/>`,
      whisker,
      `<text x="${Number(x(spread?.[1] ?? value)) + 8}" y="${middle + 5}">${Math.round(value)} ${unit}</text>`
    ].join("")
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${chartWidth} ${height}" role="img" aria-label="${title}">`,
    `<style>${style}</style>`,
    // Its own background: a reader can choose another theme for the page than for the system.
    `<rect class="page" width="100%" height="100%"/>`,
    ...drawn,
    "</svg>",
    ""
  ].join("\n")
}

const spreadOf = ({ high, low }: Row): Bar["spread"] =>
  high === undefined || low === undefined ? undefined : [low, high]

/** Bundle sizes. */
export const sizeChart = (): string =>
  chart(
    "Gzip size of a program that lists one page",
    "KB",
    clients.map(({ name, size }) => ({ label: name, value: rowOf(size).value / 1000, spread: undefined }))
  )

/** Start times, with quartiles. */
export const startChart = (): string =>
  chart(
    "Time from the start of a process to the loaded client, bundled, with quartiles",
    "ms",
    [{ name: "empty process", start: "start/empty" }, ...clients].map(({ name, start }) => ({
      label: name,
      value: rowOf(start).value,
      spread: spreadOf(rowOf(start))
    }))
  )
