/**
 * The inspector as it looks in one state: every choice of the user becomes a message or an action.
 */
import { Actions } from "./Actions.tsx"
import { Clock } from "./Clock.tsx"
import { control, type Page } from "./ControlClient.ts"
import { Faults } from "./Faults.tsx"
import { callOf, environmentOf, type Model, shownEntry, type Tab, tabs, unmatchedReason } from "./Model.ts"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import { State } from "./State.tsx"
import { Switches } from "./Switches.tsx"

const Unmatched = ({ model }: { readonly model: Model }) =>
  model.unmatched.length === 0 ? (
    <p class="hint">Every request matched an environment by its API key.</p>
  ) : (
    <ol class="plain">
      {model.unmatched.toReversed().map((request) => (
        <li key={request.number}>
          <b>
            {request.method} {request.path}
          </b>{" "}
          got {request.status}: {unmatchedReason(request)}
        </li>
      ))}
    </ol>
  )

const Panel = ({ act, model, send }: Page) => {
  const environment = environmentOf(model)
  if (environment === undefined) return <p class="hint">No environment yet.</p>
  const { apiKey } = environment
  switch (model.tab) {
    case "Request": {
      const entry = shownEntry(model)
      return entry === undefined ? (
        <p class="hint">The newest request is shown here, until you select another one.</p>
      ) : (
        <RequestDetail
          entry={entry}
          attempts={callOf(model, entry)}
          apiKey={apiKey}
          act={act}
          onSelect={(number) => send({ _tag: "Request", number })}
        />
      )
    }
    case "State":
      return <State key={apiKey} apiKey={apiKey} version={JSON.stringify(environment)} act={act} />
    case "Faults":
      return <Faults environment={environment} act={act} />
    case "Clock":
      return <Clock environment={environment} act={act} />
    case "Switches":
      return <Switches key={apiKey} apiKey={apiKey} act={act} />
    case "Actions":
      return <Actions act={act} />
    case "Unmatched":
      return <Unmatched model={model} />
  }
}

const tabLabel = (tab: Tab, model: Model): string => {
  if (tab === "Unmatched") return `Unmatched (${model.unmatched.length})`
  if (tab === "Faults") return `Faults (${environmentOf(model)?.faults.length ?? 0})`
  return tab
}

/** Saves the journal of an environment as a file. */
const saveJournal = async (apiKey: string): Promise<void> => {
  const journal = JSON.stringify(await control(apiKey, "GET", "journal"), undefined, 2)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([journal], { type: "application/json" }))
  link.download = "journal.json"
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The outcome of the last action, and a button that undoes a reset. */
const Notice = ({ act, model, send }: Page) => {
  const undo = () =>
    act("The records, switches and rate limit are back; a reset now returns to them", async () => {
      await control(environmentOf(model)?.apiKey ?? "", "POST", "restore", model.undo)
      send({ _tag: "Undoable", snapshot: undefined })
    })
  return (
    <p class="notice" role="status">
      {model.notice}{" "}
      {model.undo === undefined ? null : (
        <button type="button" onClick={undo}>
          Undo
        </button>
      )}
    </p>
  )
}

const Header = ({ act, model, send }: Page) => {
  const environment = environmentOf(model)
  const apiKey = environment?.apiKey ?? ""
  const reset = () =>
    act("The environment was reset", async () => {
      const snapshot = await control(apiKey, "GET", "snapshot")
      await control(apiKey, "POST", "reset")
      send({ _tag: "Undoable", snapshot })
    })
  const waiting = model.pausedAt === undefined ? 0 : Math.max(0, (environment?.requests ?? 0) - model.pausedAt)
  return (
    <header aria-label="Fake">
      <h1>Signalbox fake</h1>
      <label>
        Environment{" "}
        <select
          value={model.environment}
          onChange={({ currentTarget }) => send({ _tag: "Environment", number: Number(currentTarget.value) })}
        >
          {model.environments.map(({ apiKey: key, name, number }) => (
            <option key={number} value={number}>
              {name ?? key}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={reset} title="Restore the initial data; clear requests and faults">
        Reset
      </button>
      <button
        type="button"
        aria-pressed={model.pausedAt !== undefined}
        onClick={() => send({ _tag: "Pause" })}
        title="Hold new requests back (p)"
      >
        {model.pausedAt === undefined ? "Pause" : `Continue (${waiting} new)`}
      </button>
      <button type="button" onClick={() => act("The journal was saved", () => saveJournal(apiKey))}>
        Export
      </button>
      <span class={model.isConnected ? "live" : "lost"} role="status">
        {model.isConnected ? "live" : "not connected"}
      </span>
    </header>
  )
}

export const InspectorView = (page: Page) => {
  const { model, send } = page
  return (
    <>
      <Header {...page} />
      <main
        aria-label="Requests and state"
        class={model.request === undefined && model.tab === "Request" ? "listing" : "detail"}
      >
        <section aria-label="Requests">
          <RequestList model={model} send={send} />
        </section>
        <section aria-label="Details">
          <nav role="tablist" aria-label="Details">
            {tabs.map((tab) => (
              <button
                key={tab}
                type="button"
                role="tab"
                id={`tab-${tab}`}
                aria-controls="panel"
                aria-selected={tab === model.tab}
                onClick={() => send({ _tag: "Tab", tab })}
              >
                {tabLabel(tab, model)}
              </button>
            ))}
          </nav>
          <div id="panel" role="tabpanel" aria-labelledby={`tab-${model.tab}`}>
            <Notice {...page} />
            <Panel {...page} />
          </div>
        </section>
      </main>
    </>
  )
}
