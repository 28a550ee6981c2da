/**
 * The inspector: the requests, state and faults of a running fake.
 */
import { render } from "preact"
import { useCallback, useEffect, useReducer } from "preact/hooks"
import { type Act, follow } from "./ControlClient.ts"
import { InspectorView } from "./InspectorView.tsx"
import { hashOf, initial, messageOf, msgOfKey, placeOf, update } from "./Model.ts"

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/u.test(target.tagName)

const Inspector = () => {
  const [model, send] = useReducer(update, initial, (first) => {
    const page = location.pathname === "/docs" ? update(first, { _tag: "Tab", tab: "Switches" }) : first
    return update(page, { _tag: "Open", place: placeOf(location.hash.slice(1)) })
  })
  useEffect(() => follow(send), [])
  const hash = hashOf(model)
  useEffect(() => history.replaceState(undefined, "", `#${hash}`), [hash])
  useEffect(() => {
    const open = () => send({ _tag: "Open", place: placeOf(location.hash.slice(1)) })
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const msg = msgOfKey(event.key)
      if (msg === undefined && event.key !== "/") return
      event.preventDefault()
      if (msg === undefined) document.querySelector<HTMLInputElement>("input[type=search]")?.focus()
      else send(msg)
    }
    addEventListener("hashchange", open)
    addEventListener("keydown", press)
    return () => {
      removeEventListener("hashchange", open)
      removeEventListener("keydown", press)
    }
  }, [])
  const act: Act = useCallback((done, action) => {
    action().then(
      () => send({ _tag: "Notice", text: done }),
      (error: unknown) => send({ _tag: "Notice", text: messageOf(error) })
    )
  }, [])
  return <InspectorView model={model} send={send} act={act} />
}

render(<Inspector />, document.body)
