// A package as a registry shows it, made from the address of the repository: the links of its metadata, and those of
// its README, which appears without the repository around it.
import { posix } from "node:path"

const image = /\.(?:svg|png)$/

const addressOf = (repository) => repository.replace(/^git\+/, "").replace(/\.git$/, "")

/**
 * The links in the metadata of a package.
 *
 * @param {string} folder such as `apps/cli`
 * @param {string} repository such as `https://github.com/acme/signalbox` or `git+https://github.com/acme/signalbox.git`
 */
export const metadataLinks = (folder, repository) => ({
  repository: { type: "git", url: repository, directory: folder },
  homepage: `${addressOf(repository)}/tree/HEAD/${folder}#readme`,
  bugs: `${addressOf(repository)}/issues`
})

/**
 * Makes links that leave the folder of a package absolute, from the address of the repository.
 *
 * @param {string} readme
 * @param {string} folder such as `apps/cli`
 * @param {string} repository such as `https://github.com/acme/signalbox` or `git+https://github.com/acme/signalbox.git`
 */
export const withAbsoluteLinks = (readme, folder, repository) => {
  const base = addressOf(repository)
  return readme.replace(/\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)/g, (link, path, anchor = "") => {
    const target = posix.join(folder, path)
    if (target.startsWith(`${folder}/`)) return link
    return `](${base}/${image.test(target) ? "raw" : "blob"}/HEAD/${target}${anchor})`
  })
}
