/**
 * All state of the fake behind one API key.
 */
import * as Vendor from "@signalbox/core/Vendor"
import type { FakeClock } from "./clock/FakeClock.ts"
import { ahead, realClock } from "./clock/FakeClock.ts"
import { makeDemoState } from "./demo/DemoData.ts"
import { type Faults, makeFaults } from "./faults/Faults.ts"
import * as Builders from "./generate/Builders.ts"
import { type Amounts, generate } from "./generate/Generate.ts"
import { defaultCapacity, type Journal, makeJournal } from "./journal/Journal.ts"
import { leaksOf, type Neighbour } from "./journal/Leaks.ts"
import { type EnvironmentCore, makeSignal } from "./request/EnvironmentCore.ts"
import * as EnvironmentState from "./state/EnvironmentState.ts"
import * as EventLog from "./state/EventLog.ts"
import type {
  EventRecord,
  IntegrationRecord,
  MessageRecord,
  SubscriberRecord,
  WorkflowRecord
} from "./state/Records.ts"
import { addSubscriber, type SubscriberInput } from "./state/Subscribers.ts"
import * as Switches from "./switches/Switches.ts"
import { settle } from "./trigger/Settle.ts"
import { trigger, type TriggerInput } from "./trigger/Trigger.ts"

/** How an environment of a fake is made. */
export interface EnvironmentOptions {
  /** Same seed, same data and same chances. Default 1. */
  readonly seed?: number
  /** How the questions are answered that the API document leaves open. Default `"document"`, the most cautious reading. */
  readonly preset?: Switches.Preset
  /** Answers to single questions, instead of the preset's. */
  readonly switches?: Partial<Switches.Switches>
  /** The maker's word in wire identifiers, such as `acme` in `acme-email`. Default `"service"`, as in the document. */
  readonly vendor?: string
  /** What it holds at the start: a shop's notifications, or nothing. Default `"demo"`. */
  readonly data?: "demo" | "empty"
  /** Number of demo events. Default 80. */
  readonly events?: number
  /**
   * Its time: the machine's unless given. Requests over the Layer bring their caller's, such as a `TestClock`; events
   * that it held before stay in its past.
   */
  readonly clock?: FakeClock
  /** Requests that the journal keeps. Default 10,000. */
  readonly journalCapacity?: number
}

/** What one API key stands for: its own subscribers, messages, events, clock, switches, faults and journal. */
export interface Environment {
  /** The key that requests must carry. */
  readonly apiKey: string
  /** 1 for the first environment of its fake. */
  readonly number: number
  readonly switches: Switches.Switches
  /** Every request, and what became of it. */
  readonly journal: Journal
  /** What goes wrong, and when. */
  readonly faults: Faults
  /** Where its time comes from. */
  readonly clock: () => FakeClock
  /** Time of the environment, in milliseconds since 1970. */
  readonly now: () => number
  /** What the environment holds now. */
  readonly state: () => EnvironmentState.EnvironmentState
  /** Triggers a workflow; its jobs go on as time goes on. Gives the transaction of the new event. */
  readonly trigger: (input: TriggerInput) => { readonly id: string; readonly transactionId: string }
  readonly addSubscriber: (input: SubscriberInput) => SubscriberRecord
  readonly addIntegration: (input: Builders.IntegrationInput) => IntegrationRecord
  readonly addWorkflow: (input: Builders.WorkflowInput) => WorkflowRecord
  readonly addMessage: (input: Builders.MessageInput) => MessageRecord
  readonly addEvent: (input: Builders.EventInput) => EventRecord
  /** Adds realistic subscribers, events and messages, drawn from the seed. Events need a workflow. */
  readonly generate: (amounts: Amounts) => void
  /** Back to the state, the journal and the faults of the start. */
  readonly reset: () => void
}

/** An environment as its fake sees it. */
export interface MadeEnvironment {
  readonly shown: Environment
  readonly core: EnvironmentCore
  readonly neighbour: Neighbour
  readonly clock: () => FakeClock
  /** Goes by the clock of a caller from now on, unless the environment was given one. Its events stay in its past. */
  readonly adopt: (clock: FakeClock) => void
}

const checkedSwitches = ({ preset = "document", switches = {} }: EnvironmentOptions): Switches.Switches => {
  const values = Switches.preset(preset)
  if (values === undefined) throw new RangeError(`preset: must be one of ${Switches.presetNames}, not ${preset}`)
  const [complaint] = Switches.complaints(switches)
  if (complaint !== undefined) throw new RangeError(complaint)
  return { ...values, ...switches }
}

/** What a vendor must be, for messages. */
export const vendorRule = "must be one word of letters, digits and inner dashes, such as acme"

/** Whether a word can be a vendor. */
export const isVendor = (word: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/iu.test(word)

const checkedVendor = ({ vendor = Vendor.neutral }: EnvironmentOptions): string => {
  if (isVendor(vendor)) return vendor
  throw new RangeError(`vendor: ${vendorRule}, not ${JSON.stringify(vendor)}`)
}

// The data are made later, when nobody would see which option was wrong.
const checkData = ({ data = "demo", events = 80 }: EnvironmentOptions): void => {
  if (data !== "demo" && data !== "empty") throw new RangeError(`data: must be demo or empty, not ${String(data)}`)
  if (!Number.isInteger(events) || events < 0) {
    throw new RangeError(`events must be a whole number from 0, not ${events}`)
  }
}

const firstState = ({ data = "demo", events = 80, seed = 1 }: EnvironmentOptions, now: number) =>
  data === "demo" ? makeDemoState({ seed, now, events }) : EnvironmentState.empty(seed)

/** Makes an environment; the data of the start are made when they are first needed. */
export const makeEnvironment = (
  number: number,
  options: EnvironmentOptions,
  neighbours: () => Iterable<Neighbour>
): MadeEnvironment => {
  const { journalCapacity = defaultCapacity, seed = 1 } = options
  checkData(options)
  const switches = checkedSwitches(options)
  const journal = makeJournal(journalCapacity)
  const faults = makeFaults({ seed, switches, journal })
  let clock = options.clock ?? realClock
  let adopted: FakeClock | undefined
  let first: EnvironmentState.EnvironmentState | undefined
  let current: EnvironmentState.EnvironmentState | undefined

  const now = () => clock.now()
  const state = () => {
    first ??= firstState(options, now())
    current ??= first
    return current
  }
  const write: EnvironmentCore["write"] = (change) => {
    current = change(state())
  }
  const add =
    <Input, Added extends { readonly state: EnvironmentState.EnvironmentState }>(
      builder: (state: EnvironmentState.EnvironmentState, now: number, input: Input) => Added
    ) =>
    (input: Input): Added => {
      const added = builder(state(), now(), input)
      current = added.state
      return added
    }

  const core: EnvironmentCore = {
    switches,
    vendor: checkedVendor(options),
    now,
    state,
    write,
    journal,
    interferer: faults,
    keys: makeSignal(),
    leaks: (route, request, body) => leaksOf(state(), neighbours, route, request, body)
  }
  const shown: Environment = {
    apiKey: `fake-key-${number}-${seed}`,
    number,
    switches,
    journal,
    faults,
    clock: () => clock,
    now,
    // What became due since the last request has happened, although nobody asked yet.
    state: () => {
      write((known) => settle(known, now()))
      return state()
    },
    trigger: (input) => {
      const { event } = add(trigger)(input)
      return { id: event.id, transactionId: event.transactionId }
    },
    addSubscriber: (input) => add(addSubscriber)(input).subscriber,
    addIntegration: (input) => add(Builders.addIntegration)(input).integration,
    addWorkflow: (input) => add(Builders.addWorkflow)(input).workflow,
    addMessage: (input) => add(Builders.addMessage)(input).message,
    addEvent: (input) => add(Builders.addEvent)(input).event,
    generate: (amounts) => write((known) => generate(known, now(), amounts)),
    reset: () => {
      current = first
      faults.clear()
      journal.clear()
    }
  }
  return {
    shown,
    core,
    neighbour: { number, state: () => current },
    clock: () => clock,
    adopt: (callers) => {
      if (options.clock !== undefined || callers === adopted) return
      // A caller's clock often starts in 1970; events of its future would not be there for it.
      const newest = current === undefined ? undefined : EventLog.newest(current.events)
      clock = newest !== undefined && newest > callers.now() ? ahead(callers, now() - callers.now()) : callers
      adopted = callers
    }
  }
}
