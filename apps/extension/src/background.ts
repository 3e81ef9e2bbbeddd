import { listWorkspaces, saveText } from "./carrel/api.ts";
import {
  appOf,
  forgetPending,
  keepChoice,
  keepConnection,
  keepPending,
  originOf,
  parseConnection,
  permissionOf,
  readChoice,
  readConnection,
  readPending,
} from "./carrel/connection.ts";
import { Failure, textOf, word } from "./carrel/failure.ts";
import { showSave, type Reply, type Request } from "./last-save.ts";
import { readTab, type What } from "./tab-text.ts";

/**
 * Saves the tab's page in the chosen workspace and returns its title. The icon shows the progress.
 */
async function save(tabId: number, what: What, frameId?: number): Promise<string> {
  try {
    const connection = await readConnection();
    if (!connection) throw new Failure("failedNotConnected");
    const text = await readTab(tabId, what, frameId);
    const { title } = text.metadata;
    await showSave({ state: "running", text: word("saving", title) });
    await saveText(connection, (await chosenWorkspace()) ?? null, text);
    await showSave({ state: "done", text: word("saved", title) });
    return title;
  } catch (error) {
    await showSave({ state: "failed", text: textOf(error) });
    throw error;
  }
}

/** The chosen workspace; the first one until the user has chosen. */
async function chosenWorkspace(): Promise<number | null | undefined> {
  const chosen = await readChoice();
  const connection = await readConnection();
  if (chosen !== undefined || !connection) return chosen;
  return (await listWorkspaces(connection))[0]?.id;
}

/** Saves the page, then starts a thread in the workspace, which answers from it. */
async function ask(tab: number): Promise<void> {
  const title = await save(tab, "page");
  const connection = (await readConnection())!;
  const id = await chosenWorkspace();
  const workspace = (await listWorkspaces(connection)).find((one) => one.id === id);
  const question = encodeURIComponent(word("askQuestion", title));
  const path = workspace
    ? `/workspace/${encodeURIComponent(workspace.slug)}/new?ask=${question}`
    : "/";
  await chrome.tabs.create({ url: `${appOf(connection)}${path}` });
}

async function finishConnection(): Promise<void> {
  const pending = await readPending();
  // The popup and the browser both report the user's consent; the first report has already been
  // handled.
  if (!pending) return;
  if (!(await chrome.permissions.contains(permissionOf(pending)))) return;
  const workspaces = await listWorkspaces(pending);
  await keepConnection(pending);
  await keepChoice(workspaces[0]?.id ?? null);
  await forgetPending();
  await chrome.action.setBadgeText({ text: "" });
}

let connecting: Promise<void> | undefined;
const connect = (): Promise<void> =>
  (connecting ??= finishConnection().finally(() => {
    connecting = undefined;
  }));

/** A page may only offer a connection to its own origin. The user still has to agree to it. */
async function takeOffer(text: string, from: string | undefined): Promise<void> {
  const connection = parseConnection(text);
  if (originOf(connection) !== from || (await readConnection())) return;
  await keepPending(connection);
  await chrome.action.setBadgeText({ text: "1" });
}

function answer(message: Request, sender: chrome.runtime.MessageSender): Promise<unknown> {
  if (message.type === "offer") return takeOffer(message.connection, sender.origin);
  if (message.type === "connect") return connect();
  return message.type === "ask" ? ask(message.tabId) : save(message.tabId, message.what);
}

chrome.runtime.onMessage.addListener((message: Request, sender, reply: (reply: Reply) => void) => {
  answer(message, sender).then(
    () => reply({ error: null }),
    (error: unknown) => reply({ error: textOf(error) }),
  );
  return true; // the reply comes later
});

chrome.permissions.onAdded.addListener(() => {
  // The popup, if still open, shows the error; otherwise the form is there when it opens again.
  connect().catch(() => undefined);
});

async function createMenu(): Promise<void> {
  await chrome.contextMenus.removeAll();
  const entries = [
    { id: "page", title: word("menuSavePage"), contexts: ["page"] },
    { id: "ask", title: word("askPage"), contexts: ["page"] },
    { id: "selection", title: word("menuSaveSelection"), contexts: ["selection"] },
  ] satisfies chrome.contextMenus.CreateProperties[];
  for (const entry of entries) chrome.contextMenus.create(entry);
}

chrome.runtime.onInstalled.addListener(() => void createMenu());
// The browser keeps the menu, even in a language that it no longer speaks.
chrome.runtime.onStartup.addListener(() => void createMenu());

chrome.contextMenus.onClicked.addListener(({ menuItemId, frameId }, tab) => {
  if (tab?.id === undefined) return;
  const done: Promise<unknown> =
    menuItemId === "ask"
      ? ask(tab.id)
      : save(tab.id, menuItemId === "selection" ? "selection" : "page", frameId);
  done.catch(() => undefined); // save() has shown it
});
