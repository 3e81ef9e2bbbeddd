import type { SavedText } from "./carrel/api.ts";
import { Failure, word } from "./carrel/failure.ts";

/** What to read from a tab: the whole page, or what is selected in it. */
export type What = "page" | "selection";

async function run<T>(
  target: chrome.scripting.InjectionTarget,
  func: () => T,
): Promise<Awaited<T> | undefined> {
  const [first] = await chrome.scripting.executeScript({ target, func });
  return first?.result;
}

/** Runs in the page, so it refers to nothing outside the function. */
const selected = () => ({
  text: String(getSelection() ?? "").trim(),
  title: document.title.trim(),
  url: location.href,
});

/** Reads the page or its selection. `frameId`: the frame whose menu was used. */
export async function readTab(tabId: number, what: What, frameId = 0): Promise<SavedText> {
  const text = await (
    what === "page" ? readPage({ tabId }) : readSelection({ tabId, frameIds: [frameId] })
  ).catch(() => undefined); // the browser allows no script there
  if (!text) throw new Failure("failedPage");
  if (text.textContent === "")
    throw new Failure(what === "page" ? "failedNoText" : "failedSelection");
  return text;
}

async function readPage(target: chrome.scripting.InjectionTarget): Promise<SavedText | undefined> {
  await chrome.scripting.executeScript({ target, files: ["read-page.js"] });
  return run(target, () => (globalThis as unknown as { readPage: () => SavedText }).readPage());
}

async function readSelection(
  target: chrome.scripting.InjectionTarget,
): Promise<SavedText | undefined> {
  const found = await run(target, selected);
  return (
    found && {
      textContent: found.text,
      metadata: { title: word("selectionTitle", found.title || found.url), url: found.url },
    }
  );
}
