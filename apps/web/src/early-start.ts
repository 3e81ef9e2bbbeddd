/**
 * Inlined into index.html by the build, so that it runs before the first paint and before any other
 * script arrives: sets the theme and the language, shows the shell, preloads the page's code, and sends the page's
 * first requests. Only small modules without libraries may be imported here.
 */
import {
  checkToken,
  getSetup,
  listDocumentCounts,
  listMarkedThreads,
  listTurns,
  listWorkspaces,
  refreshUser,
  type Operation,
} from "@carrel/contracts";
import { directionOf, languageTag, sourceLanguage } from "@carrel/contracts/languages";
import { readLanguage } from "./lib/active-language.ts";
import { readTheme } from "./lib/active-theme.ts";
import { addressOf } from "./lib/address.ts";
import { languageFile } from "./lib/language-files.ts";
import { keys, needsCheck, readStored, readToken } from "./lib/session-storage.ts";

/** Filled in by the build: files that pages need in addition to the entry, by path pattern. */
declare const routeFiles: readonly (readonly [pattern: string, files: readonly string[]])[];

const root = document.documentElement;
const path = location.pathname;
const token = readToken();

root.dataset.theme = readTheme();
const language = readLanguage();
root.lang = languageTag(language);
root.dir = directionOf(language);
// The gateway sets data-auth="none" if the instance requires no sign-in. Otherwise a browser
// without a session is about to show the sign-in page.
const signedIn =
  token !== null || readStored(keys.timestamp) !== null || root.dataset.auth === "none";
const inFrame = signedIn && /^\/(workspace\/.+|settings(\/.*)?)?$/.test(path);
if (inFrame) {
  root.dataset.shell = "";
  if (readStored(keys.sidebar) === "hidden") root.dataset.sidebar = "hidden";
  if (readStored(keys.logo) !== null) root.dataset.logo = "custom";
}

function preload(attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement("link"), attributes));
}
for (const [pattern, files] of routeFiles)
  if (new RegExp(pattern).test(path))
    for (const href of files) preload({ rel: "modulepreload", href });
if (language !== sourceLanguage)
  preload({
    rel: "preload",
    as: "fetch",
    crossOrigin: "anonymous",
    href: languageFile(language, "common"),
  });

const replies = new Map<string, Promise<Response>>();
globalThis.carrelEarly = { token, replies };
function send(operation: Operation, input: Record<string, unknown> = {}): void {
  const { url } = addressOf(operation, input);
  const reply = fetch(url, {
    headers: {
      Accept: "application/json",
      "X-Language": root.lang,
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
  });
  reply.catch(() => undefined); // failures are handled where the reply is used
  replies.set(url, reply);
}

/** Empty if malformed; the router then shows its "not found" page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

if (inFrame) {
  if (needsCheck()) {
    send(getSetup);
    if (token !== null) {
      send(checkToken);
      if (readStored(keys.user) !== null) send(refreshUser);
    }
  }
  const [, area, slug, page, thread] = path.split("/").map(decoded);
  if (area !== "settings") {
    send(listWorkspaces);
    send(listDocumentCounts);
  }
  if (area === "workspace" && slug) {
    send(listMarkedThreads, { slug });
    if (page === undefined || page === "" || (page === "t" && thread))
      send(listTurns, { slug, ...(thread ? { thread } : {}), limit: 50 });
  }
}
