// Links of a package's README for a registry, which shows it without the repository around it.
import { posix } from "node:path"

const image = /\.(?:svg|png)$/

/**
 * Makes links that leave the folder of a package absolute, from the address of the repository.
 *
 * @param {string} readme
 * @param {string} folder such as `apps/cli`
 * @param {string} repository such as `https://github.com/acme/signalbox` or `git+https://github.com/acme/signalbox.git`
 */
export const withAbsoluteLinks = (readme, folder, repository) => {
  const base = repository.replace(/^git\+/, "").replace(/\.git$/, "")
  return readme.replace(/\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)/g, (link, path, anchor = "") => {
    const target = posix.join(folder, path)
    if (target.startsWith(`${folder}/`)) return link
    return `](${base}/${image.test(target) ? "raw" : "blob"}/HEAD/${target}${anchor})`
  })
}
