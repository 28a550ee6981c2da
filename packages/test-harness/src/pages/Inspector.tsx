/**
 * The inspector: the requests, state and faults of a running fake.
 */
import { render } from "preact"
import { useCallback, useEffect, useReducer } from "preact/hooks"
import { type Act, follow } from "./ControlClient.ts"
import { InspectorView } from "./InspectorView.tsx"
import { initial, update } from "./Model.ts"

const Inspector = () => {
  const [model, send] = useReducer(update, initial)
  useEffect(() => follow(send), [])
  const act: Act = useCallback((done, action) => {
    action().then(
      () => send({ _tag: "Notice", text: done }),
      (error: unknown) => send({ _tag: "Notice", text: error instanceof Error ? error.message : String(error) })
    )
  }, [])
  return <InspectorView model={model} send={send} act={act} />
}

render(<Inspector />, document.body)
