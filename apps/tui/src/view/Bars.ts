import type { Glyphs } from "../theme/Glyphs.ts"

const level = (eighths: number, { levels }: Glyphs): string => levels[Math.max(1, Math.min(8, eighths)) - 1] ?? " "

/**
 * Counts as one row of bars; the largest is a full cell, and the smallest that is not zero is seen. Zero is the lowest bar,
 * so that the time without anything is seen, too.
 */
export const sparkline = (counts: ReadonlyArray<number>, glyphs: Glyphs): string => {
  const highest = Math.max(1, ...counts)
  return counts.map((count) => level(count === 0 ? 1 : Math.max(2, Math.round((count / highest) * 8)), glyphs)).join("")
}

/** A count that fills the height where all are smaller: a single failure is no tower. */
const leastHighest = 4

/** Counts as bars of `height` rows, the top row first; zero is left empty. */
export const columnChart = (counts: ReadonlyArray<number>, height: number, glyphs: Glyphs): ReadonlyArray<string> => {
  const highest = Math.max(leastHighest, ...counts)
  const eighths = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count / highest) * height * 8))))
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * 8
    return eighths.map((value) => (value <= below ? " " : level(value - below, glyphs))).join("")
  })
}
