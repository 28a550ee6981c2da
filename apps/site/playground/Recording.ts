/**
 * The recorded session of the terminal UI, one screen at a time. The class of a part of the image names its screens.
 */

const screensOf = (part: Element): ReadonlyArray<number> => {
  const name = [...part.classList].find((each) => /^f\d/.test(each)) ?? ""
  return name.slice(1).split("-").map(Number)
}

/** Shows the image of a picture in the page, where its parts can be switched; returns a function that moves. */
export const openRecording = async (picture: HTMLElement): Promise<(by: number) => void> => {
  const image = picture.querySelector("img")
  const text = await (await fetch(image?.src ?? "")).text()
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
  const parts = [...svg.querySelectorAll<SVGElement>("g[class]")].map((part) => ({ part, screens: screensOf(part) }))
  const count = Math.max(...parts.flatMap(({ screens }) => screens)) + 1
  svg.querySelector("style")?.remove()
  picture.replaceChildren(svg)
  let shown = 0
  return (by) => {
    shown = (shown + by + count) % count
    for (const { part, screens } of parts) {
      part.setAttribute("visibility", screens.includes(shown) ? "visible" : "hidden")
    }
  }
}
