/** Ink and React, in a chunk of their own: the first frame is drawn before it is loaded. */
import { type Instance, render } from "ink"
import { Component, type ReactNode } from "react"
import { App, type AppProps } from "../app/App.tsx"

interface Props {
  readonly onCrash: (error: unknown) => void
  readonly children: ReactNode
}

/** Draws nothing more after an error of drawing, and reports it. Ink would draw the error with all that it quotes. */
class CrashBoundary extends Component<Props, { readonly hasCrashed: boolean }> {
  override readonly state = { hasCrashed: false }

  static getDerivedStateFromError() {
    return { hasCrashed: true }
  }

  override componentDidCatch(error: unknown): void {
    // React is still at work on this frame, and a report leaves the screen.
    setImmediate(() => this.props.onCrash(error))
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? undefined : this.props.children
  }
}

/** Draws the screens until they are left. */
export const draw = (app: AppProps, onCrash: Props["onCrash"], onRender?: () => void): Instance =>
  render(
    <CrashBoundary onCrash={onCrash}>
      <App {...app} />
    </CrashBoundary>,
    {
      alternateScreen: !app.screenReader,
      incrementalRendering: true,
      maxFps: 60,
      exitOnCtrlC: false,
      interactive: true,
      isScreenReaderEnabled: app.screenReader,
      ...(onRender === undefined ? {} : { onRender })
    }
  )
