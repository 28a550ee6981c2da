/**
 * The inspector as it looks in one state: every choice of the user becomes a message or an action.
 */
import { type Act, control } from "./ControlClient.ts"
import { Clock } from "./Clock.tsx"
import { Faults } from "./Faults.tsx"
import { environmentOf, type Model, type Msg, type Tab, tabs, unmatchedReason, visibleEntries } from "./Model.ts"
import { RequestDetail } from "./RequestDetail.tsx"
import { RequestList } from "./RequestList.tsx"
import { State } from "./State.tsx"
import { Switches } from "./Switches.tsx"

type Send = (msg: Msg) => void

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

const Panel = ({ act, model }: { readonly model: Model; readonly act: Act }) => {
  const environment = environmentOf(model)
  if (environment === undefined) return <p class="hint">No environment yet.</p>
  const { apiKey } = environment
  switch (model.tab) {
    case "Request": {
      const entry = model.entries.get(model.environment)?.find(({ number }) => number === model.request)
      return entry === undefined ? (
        <p class="hint">Select a request to see its path through the fake.</p>
      ) : (
        <RequestDetail entry={entry} apiKey={apiKey} act={act} />
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
    case "Unmatched":
      return <Unmatched model={model} />
  }
}

const tabLabel = (tab: Tab, model: Model): string => {
  if (tab === "Unmatched") return `Unmatched (${model.unmatched.length})`
  if (tab === "Faults") return `Faults (${environmentOf(model)?.faults.length ?? 0})`
  return tab
}

const Header = ({ act, model, send }: { readonly model: Model; readonly send: Send; readonly act: Act }) => {
  const environment = environmentOf(model)
  const reset = () => act("The environment was reset", () => control(environment?.apiKey ?? "", "POST", "reset"))
  return (
    <header>
      <h1>Signalbox fake</h1>
      <label>
        Environment{" "}
        <select
          value={model.environment}
          onChange={({ currentTarget }) => send({ _tag: "Environment", number: Number(currentTarget.value) })}
        >
          {model.environments.map(({ apiKey, number }) => (
            <option key={number} value={number}>
              {apiKey}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={reset} title="Restore the initial data; clear requests and faults">
        Reset
      </button>
      <span class={model.isConnected ? "live" : "lost"} role="status">
        {model.isConnected ? "live" : "not connected"}
      </span>
      <a href="/docs">API reference</a>
    </header>
  )
}

/** The whole page. */
export const InspectorView = ({
  act,
  model,
  send
}: {
  readonly model: Model
  readonly send: Send
  readonly act: Act
}) => (
  <>
    <Header model={model} send={send} act={act} />
    <main>
      <section aria-label="Requests">
        <RequestList
          entries={visibleEntries(model)}
          total={environmentOf(model)?.requests ?? 0}
          filter={model.filter}
          selected={model.request}
          onFilter={(text) => send({ _tag: "Filter", text })}
          onSelect={(number) => send({ _tag: "Request", number })}
        />
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
          <p class="notice" role="status">
            {model.notice}
          </p>
          <Panel model={model} act={act} />
        </div>
      </section>
    </main>
  </>
)
