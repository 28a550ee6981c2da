/**
 * The editor of a program: colours at once; completion, type errors and types once it has the focus.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
  type CompletionResult
} from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { javascript } from "@codemirror/lang-javascript"
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language"
import { type Diagnostic, linter, lintKeymap } from "@codemirror/lint"
import { EditorState, StateEffect } from "@codemirror/state"
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view"
import { classHighlighter } from "@lezer/highlight"
import { askTypes } from "./TypeClient.ts"

/** The editor of one program. */
export interface CodeEditor {
  readonly element: HTMLElement
  readonly code: () => string
  readonly setCode: (code: string) => void
}

/** The options of an editor. */
export interface CodeEditorOptions {
  readonly label: string
  readonly code: string
  /** The code above the program. */
  readonly before: string
  readonly onRun: () => void
  readonly onChange: () => void
  /** Receives the state of the types, as text to show. */
  readonly onTypes: (status: string) => void
}

const kinds: Readonly<Record<string, string>> = {
  class: "class",
  const: "constant",
  function: "function",
  interface: "interface",
  keyword: "keyword",
  let: "variable",
  method: "method",
  module: "namespace",
  property: "property",
  string: "text",
  type: "type",
  var: "variable"
}

const typesStatus = (errors: number): string =>
  errors === 0 ? "no type errors" : `${errors} type ${errors === 1 ? "error" : "errors"}`

/** A check follows a change of the code, and this. */
const startTypes = StateEffect.define<null>()

const hasTypesStarted = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(startTypes)))

const missing = "types could not be loaded: no connection"

/** Makes an editor. */
export const makeCodeEditor = ({ before, code, label, onChange, onRun, onTypes }: CodeEditorOptions): CodeEditor => {
  let usesTypes = false
  const sourcesOf = (state: EditorState) => ({ before, code: state.doc.toString() })

  const check = async (view: EditorView): Promise<ReadonlyArray<Diagnostic>> => {
    if (!usesTypes) return []
    const found = await askTypes("problems", sourcesOf(view.state))
    if (found === undefined) {
      onTypes(missing)
      return []
    }
    const problems = found ?? []
    onTypes(typesStatus(problems.filter(({ severity }) => severity === "error").length))
    const end = view.state.doc.length
    return problems.map(({ from, message, severity, to }) => ({
      from: Math.min(from, end),
      to: Math.min(Math.max(to, from), end),
      message,
      severity
    }))
  }

  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w$]*/)
    const from = word?.from ?? context.pos
    const previous = context.state.sliceDoc(Math.max(0, from - 1), from)
    if (!context.explicit && from === context.pos && !/[."']/.test(previous)) return null
    const sources = sourcesOf(context.state)
    const found = await askTypes("completions", sources, context.pos)
    if (found === undefined || found === null || found.length === 0) return null
    return {
      from,
      validFor: /^[\w$]*$/,
      options: found.map((each, index) => ({
        label: each.label,
        type: kinds[each.kind] ?? "variable",
        boost: -Math.min(99, index / 4),
        info: async () => {
          const text = await askTypes("details", sources, context.pos, each.label)
          return textElement(text ?? "", "")
        }
      }))
    }
  }

  const textElement = (type: string, documentation: string): HTMLElement => {
    const element = document.createElement("div")
    element.className = "type-info"
    for (const [tag, text] of [["code", type] as const, ["p", documentation] as const]) {
      if (text !== "") element.append(Object.assign(document.createElement(tag), { textContent: text }))
    }
    return element
  }

  const hover = hoverTooltip(async (view, position) => {
    if (!usesTypes) return null
    const found = await askTypes("typeAt", sourcesOf(view.state), position)
    if (!found || found.from < 0) return null
    return { pos: found.from, end: found.to, create: () => ({ dom: textElement(found.text, found.documentation) }) }
  })

  const view = new EditorView({
    state: EditorState.create({
      doc: code,
      extensions: [
        // Before the key map of the editor, which has a line break there.
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              onRun()
              return true
            }
          }
        ]),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [complete] }),
        javascript({ typescript: true }),
        syntaxHighlighting(classHighlighter),
        linter(check, { delay: 300, needsRefresh: hasTypesStarted }),
        hover,
        // Not tab: it leaves the editor.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.domEventHandlers({
          focus: (_event, focused) => {
            if (usesTypes) return
            usesTypes = true
            onTypes("loading types …")
            focused.dispatch({ effects: startTypes.of(null) })
          }
        }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) onChange()
        })
      ]
    })
  })
  return {
    element: view.dom,
    code: () => view.state.doc.toString(),
    setCode: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }
}
