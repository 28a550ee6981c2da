import { complete, type Completion, type KnownValues } from "@signalbox/operator/filter/Completion"
import { insert, make, text, type TextField } from "../keyboard/TextField.ts"
import { type EventsScreen, groupsOf } from "../screens/events/EventsScreen.ts"

const maxEvents = 200

/** Values that the loaded events have, for the keys that take any text. */
const knownValues = (screen: EventsScreen): KnownValues => {
  const { events } = screen
  const workflows = new Set<string>()
  const subscribers = new Set<string>()
  for (const { template, subscriber } of events.slice(0, maxEvents)) {
    if (template !== undefined) workflows.add(template.name)
    if (subscriber !== undefined) subscribers.add(subscriber.subscriberId)
  }
  const groups = groupsOf(screen)
  const causes = new Set([...groups.map(({ rule }) => rule), ...groups.map(({ cause }) => cause)])
  return { workflow: Array.from(workflows).sort(), subscriber: Array.from(subscribers), cause: Array.from(causes) }
}

/** The completions of the filter under edit. */
export const completion = (screen: EventsScreen, field: TextField): Completion =>
  complete(text(field), field.graphemes.slice(0, field.cursor).join("").length, knownValues(screen))

/** The field with the first candidate put in; a finished value is followed by a space for the next key. */
export const completed = (screen: EventsScreen, field: TextField): TextField => {
  const whole = text(field)
  const { from, to, candidates } = completion(screen, field)
  const [first] = candidates
  if (first === undefined) return field
  const done = first.text.endsWith(":") ? first.text : `${first.text} `
  const after = whole.slice(to).trimStart()
  const begin = make(whole.slice(0, from) + done)
  return after === "" ? begin : { ...insert(begin, after), cursor: begin.cursor }
}
