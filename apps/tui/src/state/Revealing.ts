/** How long secrets stay readable: long enough to compare a few characters, short enough for an open screen. */
export const revealMilliseconds = 10_000

/** A screen that can show secrets; `revealedUntil` is in milliseconds since 1970 and absent while they are hidden. */
export interface Revealing {
  readonly revealedUntil: number | undefined
}

/** The other way round: hidden secrets are shown for a while, shown ones are hidden. */
export const toggledReveal = <A extends Revealing>(screen: A, now: number): A => ({
  ...screen,
  revealedUntil: screen.revealedUntil === undefined ? now + revealMilliseconds : undefined
})

/** Whole seconds until shown secrets are hidden; `undefined` while they are hidden. */
export const secondsLeft = ({ revealedUntil }: Revealing, now: number): number | undefined =>
  revealedUntil === undefined ? undefined : Math.ceil((revealedUntil - now) / 1000)
