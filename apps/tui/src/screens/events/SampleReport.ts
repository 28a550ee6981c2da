import type { Onset, Sample } from "@signalbox/operator/window/Sample"

/** A sample with the onset of each of its most frequent causes. */
export interface SampleReport {
  /** The length of the window as it was typed. */
  readonly name: string
  readonly sample: Sample
  readonly onsets: ReadonlyMap<string, Onset>
}
