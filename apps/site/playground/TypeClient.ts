/**
 * The type service of the page, which loads when an editor first gets the focus. All editors share it.
 */
import type { TypeService } from "./TypeService.ts"
import type { TypeAnswer, TypeQuestion } from "./TypeWorker.ts"

let worker: Worker | undefined
let questions = 0
const waiting = new Map<number, (answer: TypeAnswer) => void>()

const failAll = (): void => {
  worker = undefined
  for (const [id, resolve] of waiting) resolve({ id })
  waiting.clear()
}

const start = (): Worker => {
  const started = new Worker("/playground/types.js", { type: "module" })
  started.addEventListener("message", ({ data }: MessageEvent<TypeAnswer>) => {
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  })
  started.addEventListener("error", failAll)
  return started
}

/** Asks the service; `undefined` if it cannot be loaded, and `null` if it knows nothing. */
export const askTypes = async <Name extends keyof TypeService>(
  name: Name,
  ...values: Parameters<TypeService[Name]>
): Promise<ReturnType<TypeService[Name]> | null | undefined> => {
  worker ??= start()
  questions += 1
  const question: TypeQuestion = { id: questions, name, values }
  const answer = await new Promise<TypeAnswer>((resolve) => {
    waiting.set(question.id, resolve)
    worker?.postMessage(question, [])
  })
  // The worker calls the function of this name.
  return answer.value as ReturnType<TypeService[Name]> | null | undefined
}
