import { z } from "zod";

export const repositoryPlatform = z.enum(["github", "gitlab", "gitea"]);
export type RepositoryPlatform = z.infer<typeof repositoryPlatform>;

/** Where a repository is, read from an address as people copy it. */
export interface RepositoryAddress {
  /** The server's origin, such as https://git.example.com. */
  origin: string;
  /** Folder of the server on its host, such as /gitlab; usually empty. */
  base: string;
  /** owner/name, or more levels where groups are nested. */
  path: string;
  /** Without parameters and ending; the same for every way to write it. */
  href: string;
}

/** user@host:path, as in `git clone`. */
const scpForm = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/;
const sshForm = /^ssh:\/\/(?:[\w.-]+@)?([\w.-]+)(?::\d+)?\/(.+)$/;
const segmentForm = /^[\w.+~-]+$/;

/** Pages of a repository on Gitea, which follow its name. */
const giteaPages = new Set(
  `actions activity branches commit commits issues media packages projects pulls raw releases
  settings src tags wiki`.split(/\s+/),
);

/** Which parts of an address name the folder of the server, and the repository. */
const selects: Record<
  RepositoryPlatform,
  (segments: string[]) => { base: string[]; path: string[] }
> = {
  github: (segments) => ({ base: [], path: segments.slice(0, 2) }),
  /** Groups are nested; whether the first is a folder of the server can't be seen. */
  gitlab: (segments) => {
    const end = segments.indexOf("-");
    return { base: [], path: end < 0 ? segments : segments.slice(0, end) };
  },
  gitea: (segments) => {
    const page = segments.findIndex((name, n) => n >= 2 && giteaPages.has(name));
    const own = page < 0 ? segments : segments.slice(0, page);
    return { base: own.slice(0, -2), path: own.slice(-2) };
  },
};

/** What is meant if only owner/name is typed. */
const homes: Partial<Record<RepositoryPlatform, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
};

/** null if it isn't the address of a repository. */
export function readRepositoryAddress(
  platform: RepositoryPlatform,
  typed: string,
): RepositoryAddress | null {
  const url = toUrl(typed.trim(), homes[platform]);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const { base, path } = selects[platform](segments);
  const last = path.at(-1)?.replace(/\.git$/, "");
  if (path.length < 2 || !last) return null;
  const names = [...path.slice(0, -1), last];
  const isUsable = [...base, ...names].every(
    (name) => segmentForm.test(name) && !/^\.+$/.test(name),
  );
  if (!isUsable) return null;
  const folder = base.map((segment) => `/${segment}`).join("");
  const own = names.join("/");
  return {
    origin: url.origin,
    base: folder,
    path: own,
    href: `${url.origin}${folder}/${own}`,
  };
}

function toUrl(typed: string, home: string | undefined): URL | null {
  const [, host, path] = scpForm.exec(typed) ?? sshForm.exec(typed) ?? [];
  if (host !== undefined) return parse(`https://${host}/${path}`);
  if (/^[a-z]+:\/\//i.test(typed)) return parse(typed);
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?\//.test(typed)) return parse(`https://${typed}`);
  return home === undefined ? null : parse(`${home}/${typed}`);
}

function parse(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.hostname === "www.github.com") url.hostname = "github.com";
  // Where a token must never be sent in clear text, however the address was typed.
  if (/^(github\.com|gitlab\.com|.+\.ghe\.com)$/.test(url.hostname) && url.protocol === "http:") {
    url.protocol = "https:";
    url.port = "";
  }
  return url;
}
