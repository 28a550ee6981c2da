/**
 * Finds words in all loaded events. Their strings are joined to one: each key of a search reads all of them, and 20,000
 * strings in 20,000 places of the memory take five times as long to read.
 */
import { type FindWord, searchedText } from "@signalbox/operator/filter/Filter"
import type { Events } from "./EventIndex.ts"

interface Searched {
  readonly text: string
  /** Where the string of each event ends in the text. */
  readonly ends: Uint32Array
}

const known = new WeakMap<Events, Searched>()

const joined = (events: Events): Searched => {
  const ends = new Uint32Array(events.length)
  let end = 0
  const strings = events.map((event, place) => {
    const text = `${searchedText(event)}\n`
    end += text.length
    ends[place] = end
    return text
  })
  return { text: strings.join(""), ends }
}

const searchedOf = (events: Events): Searched => {
  let searched = known.get(events)
  if (searched === undefined) {
    searched = joined(events)
    known.set(events, searched)
  }
  return searched
}

/** Makes what is searched of a list from its two parts. */
export const searchJoined = (first: Events, second: Events, both: Events): void => {
  const [a, b] = [searchedOf(first), searchedOf(second)]
  const ends = new Uint32Array(both.length)
  ends.set(a.ends)
  ends.set(
    b.ends.map((end) => a.text.length + end),
    a.ends.length
  )
  known.set(both, { text: a.text + b.text, ends })
}

/** The search for words in a list. */
export const findWordIn =
  (events: Events): FindWord =>
  (word) => {
    const { ends, text } = searchedOf(events)
    const has = new Uint8Array(ends.length)
    let place = 0
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, ends[place])) {
      while ((ends[place] ?? text.length) <= at) place += 1
      has[place] = 1
      if (place === ends.length - 1) break
    }
    return (asked) => has[asked] === 1
  }
