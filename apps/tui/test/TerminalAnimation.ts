/**
 * Screens of the terminal as an SVG image that shows one after another. Lines that screens have in common are drawn once.
 */
import { backdrop, cell, escaped, foreground, lineSvg, margin } from "./TerminalSvg.ts"

/** One screen, and the key that led to it. */
export interface Frame {
  /** The lines with SGR sequences. */
  readonly lines: ReadonlyArray<string>
  /** The key as people name it; empty for the first screen. */
  readonly key: string
  /** A caption of the screen, in a few words. */
  readonly caption: string
}

const secondsPerFrame = 4

const captionHeight = 40

/** A part of the image, and the frames that it is in. */
interface Part {
  readonly svg: string
  readonly frames: ReadonlyArray<number>
}

const captionSvg = ({ caption, key }: Frame, y: number): string => {
  const keyCells = key === "" ? 0 : key.length + 2
  const badge =
    key === ""
      ? ""
      : `<rect x="${margin}" y="${y - 16}" width="${(keyCells * cell.width).toFixed(1)}" height="23" rx="4" fill="#ffd787"/>` +
        `<text x="${(margin + cell.width).toFixed(1)}" y="${y}" fill="${backdrop}" font-weight="bold">${escaped(key)}</text>`
  const x = margin + (keyCells === 0 ? 0 : keyCells + 1.5) * cell.width
  return `${badge}<text x="${x.toFixed(1)}" y="${y}" fill="${foreground}">${escaped(caption)}</text>`
}

/** The different contents of one place, each with the frames that have it. */
const partsOf = (contents: ReadonlyArray<string>): ReadonlyArray<Part> => {
  const frames = new Map<string, Array<number>>()
  for (const [at, svg] of contents.entries()) {
    if (svg === "") continue
    const known = frames.get(svg)
    if (known === undefined) frames.set(svg, [at])
    else known.push(at)
  }
  return Array.from(frames, ([svg, at]) => ({ svg, frames: at }))
}

const nameOf = (frames: ReadonlyArray<number>): string => `f${frames.join("-")}`

/** When parts of these frames are visible; only changes are written. */
const keyframes = (frames: ReadonlyArray<number>, count: number): string => {
  const steps = Array.from({ length: count }, (_, at) => at)
    .filter((at) => at === 0 || frames.includes(at) !== frames.includes(at - 1))
    .map(
      (at) =>
        `${((at / count) * 100).toFixed(2).replace(/\.?0+$/u, "")}%{visibility:${frames.includes(at) ? "visible" : "hidden"}}`
    )
  return `@keyframes ${nameOf(frames)}{${steps.join("")}}`
}

/**
 * The image; `title` is what a screen reader says. Readers who prefer reduced motion, and programs that draw no animation,
 * see the first screen.
 */
export const terminalAnimation = (frames: ReadonlyArray<Frame>, columns: number, title: string): string => {
  const rows = Math.max(...frames.map(({ lines }) => lines.length))
  const size = {
    width: columns * cell.width + 2 * margin,
    height: rows * cell.height + 2 * margin + captionHeight
  }
  const captionAt = rows * cell.height + margin + 28
  const places = [
    ...Array.from({ length: rows }, (_, at) => frames.map(({ lines }) => lineSvg(lines[at] ?? "", at))),
    frames.map((frame) => captionSvg(frame, captionAt))
  ]
  const parts = places.flatMap(partsOf)
  const changing = parts.filter((part) => part.frames.length < frames.length)
  const names = new Map(changing.map((part) => [nameOf(part.frames), part.frames]))
  const seconds = frames.length * secondsPerFrame
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escaped(title)}">`,
    "<style>",
    ...Array.from(names.values(), (at) => keyframes(at, frames.length)),
    "@media (prefers-reduced-motion: no-preference) {",
    ...Array.from(names.keys(), (name) => `.${name}{animation:${name} ${seconds}s step-end infinite}`),
    "}",
    "</style>",
    `<rect width="100%" height="100%" rx="8" fill="${backdrop}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...parts.map(({ frames: at, svg }) => {
      if (at.length === frames.length) return svg
      return `<g class="${nameOf(at)}"${at.includes(0) ? "" : ' visibility="hidden"'}>${svg}</g>`
    }),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}
