/**
 * The reference: the switches of an environment, the actions of the control API, and the API itself.
 */
import { render } from "preact"
import { useCallback, useEffect, useState } from "preact/hooks"
import { type Act, control } from "./ControlClient.ts"
import { messageOf } from "./Model.ts"
import type { OpenApiDocument } from "./OpenApi.ts"
import { type Choice, type Loaded, ReferenceView } from "./ReferenceView.tsx"
import { Switches } from "./Switches.tsx"

const sources = [
  { anchor: "control", path: "/_fake/openapi.json" },
  { anchor: "api", path: "/openapi.json" }
] as const

const load = async ({ anchor, path }: (typeof sources)[number]): Promise<Loaded> => {
  const response = await fetch(path)
  const document: OpenApiDocument = await response.json()
  return { anchor, path, document }
}

const Reference = () => {
  const [documents, setDocuments] = useState<ReadonlyArray<Loaded>>([])
  const [filter, setFilter] = useState("")
  const [environments, setEnvironments] = useState<ReadonlyArray<Choice>>([])
  const [chosen, setChosen] = useState<string>()
  const [notice, setNotice] = useState("")
  const act: Act = useCallback((text, action) => {
    action().then(
      () => setNotice(text),
      (error: unknown) => setNotice(messageOf(error))
    )
  }, [])
  useEffect(() => {
    void Promise.all(sources.map(load)).then(setDocuments)
    // The control API returns the environments with their keys and names.
    act("", async () => setEnvironments((await control("", "GET", "environments")) as ReadonlyArray<Choice>))
  }, [act])
  const apiKey = chosen ?? environments[0]?.apiKey
  return (
    <ReferenceView
      documents={documents}
      filter={filter}
      onFilter={setFilter}
      environments={environments}
      onEnvironment={setChosen}
      notice={notice}
    >
      {apiKey === undefined ? null : <Switches key={apiKey} apiKey={apiKey} act={act} />}
    </ReferenceView>
  )
}

render(<Reference />, document.body)
