import { useEffect, useState } from "preact/hooks";
import { listWorkspaces, revokeKey, type Workspace } from "../carrel/api.ts";
import {
  forgetPending,
  keepPending,
  originOf,
  parseConnection,
  permissionOf,
  readConnection,
  readPending,
  type Connection,
  forgetConnection,
  keepChoice,
  readChoice,
} from "../carrel/connection.ts";
import { Failure, textOf, word } from "../carrel/failure.ts";
import { request, clearSave, takeSave, type LastSave, type Request } from "../last-save.ts";

const Mark = () => (
  <svg class="mark" viewBox="1.5 2 20 20" aria-hidden="true">
    <path d="M16 5.2H9.2A4.8 4.8 0 0 0 4.4 10v4a4.8 4.8 0 0 0 4.8 4.8H16" />
    <circle cx="15.9" cy="12" r="2.7" />
  </svg>
);

export function Popup() {
  const [state, setState] = useState<{ connection: Connection | null; tab: OpenTab | null }>();
  // What failed when disconnecting.
  const [notice, setNotice] = useState<string | null>(null);
  const read = async (): Promise<void> => {
    const [connection, tab] = await Promise.all([readConnection(), activeTab()]);
    setState({ connection, tab });
  };
  useEffect(() => void read(), []);
  if (!state) return null;
  const { connection, tab } = state;
  return (
    <>
      <header>
        <Mark />
        <h1>{word("name")}</h1>
        {connection && (
          <p class="address" title={word("connectedTo", originOf(connection))}>
            {new URL(connection.api).host}
          </p>
        )}
      </header>
      <main>
        {connection ? (
          <SaveForm
            connection={connection}
            tab={tab}
            onDisconnect={(failure) => {
              setNotice(failure);
              void read();
            }}
          />
        ) : (
          <ConnectForm
            tab={tab}
            notice={notice}
            onConnect={() => {
              setNotice(null);
              void read();
            }}
          />
        )}
      </main>
    </>
  );
}

interface Props {
  tab: OpenTab | null;
  notice: string | null;
  onConnect: () => void;
}

/** Asks for the connection string, and for access to the instance it names. */
function ConnectForm({ tab, notice, onConnect }: Props) {
  const [text, setText] = useState("");
  const [offeredBy, setOfferedBy] = useState<string | null>(null);
  const [error, setError] = useState(notice);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const fill = async (): Promise<void> => {
      const pending = await readPending();
      if (!pending) return;
      setText(`${pending.api}|${pending.key}`);
      setOfferedBy(originOf(pending));
    };
    const onChange = (_changes: unknown, area: string) => {
      if (area === "session") void fill();
    };
    void fill();
    awaitOffer(tab).catch(() => undefined); // pasting still works
    chrome.storage.onChanged.addListener(onChange);
    return () => chrome.storage.onChanged.removeListener(onChange);
  }, [tab]);

  const connect = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const connection = parseConnection(text);
      const kept = keepPending(connection);
      // First in the handler: the browser asks the user only right after a click.
      const allowed = await chrome.permissions.request(permissionOf(connection));
      await kept;
      if (!allowed) {
        await forgetPending();
        throw new Failure("failedPermission", originOf(connection));
      }
      const reply = await request({ type: "connect" });
      if (reply.error !== null) setError(reply.error);
      else onConnect();
    } catch (failure) {
      setError(textOf(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void connect();
      }}
    >
      <p id="hint">{offeredBy ? word("connectReceived", offeredBy) : word("connectHint")}</p>
      <label for="connection">{word("connectionString")}</label>
      <input
        id="connection"
        class="mono"
        value={text}
        required
        autofocus
        autocomplete="off"
        spellcheck={false}
        dir="ltr"
        placeholder="https://carrel.example.com/api|brx-…"
        aria-describedby="hint"
        aria-invalid={error !== null}
        aria-errormessage="failure"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p id="failure" class="failure" role="alert">
        {error}
      </p>
      <button type="submit" class="primary" disabled={busy}>
        {busy ? word("connecting") : word("connect")}
      </button>
    </form>
  );
}

/**
 * Runs in the page, so it refers to nothing outside the function. Passes on a connection string
 * that the page posts.
 */
function relayOffer(): void {
  const state = globalThis as { carrelRelay?: boolean };
  if (state.carrelRelay) return;
  state.carrelRelay = true;
  addEventListener("message", ({ source, origin, data }: MessageEvent) => {
    if (source !== window || origin !== location.origin) return;
    if (data?.type !== "NEW_BROWSER_EXTENSION_CONNECTION" || typeof data.apiKey !== "string")
      return;
    void chrome.runtime.sendMessage({ type: "offer", connection: data.apiKey });
  });
}

/**
 * On Carrel's page for extension keys: receives the connection string as the page creates it
 * (wire-contract 10). Only there, and only once the user has opened the popup, so that the
 * extension doesn't need access to every page.
 */
async function awaitOffer(tab: OpenTab | null): Promise<void> {
  if (!tab || !/^https?:.*\/settings\/browser-extension\/?([?#]|$)/.test(tab.url)) return;
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: relayOffer });
}

interface FieldProps {
  workspaces: Workspace[];
  /** Null: only the library. */
  chosen: number | null;
  onChoose: (id: number | null) => void;
}

const WorkspaceField = ({ workspaces, chosen, onChoose }: FieldProps) => (
  <div class="field">
    <label for="workspace">{word("workspace")}</label>
    <select
      id="workspace"
      value={chosen ?? ""}
      onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
    >
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id} dir="auto">
          {name}
        </option>
      ))}
      <option value="">{word("libraryOnly")}</option>
    </select>
  </div>
);

interface FormProps {
  connection: Connection;
  tab: OpenTab | null;
  /** `failure`: what to tell the user about it. */
  onDisconnect: (failure: string | null) => void;
}

const failed = (text: string): LastSave => ({ state: "failed", text });

/** Deletes the key; if Carrel can't be reached, still forgets it here. */
async function disconnect(connection: Connection): Promise<string | null> {
  const failure = await revokeKey(connection).then(
    () => null,
    () => word("failedDisconnect"),
  );
  await Promise.all([forgetConnection(), clearSave()]);
  await chrome.permissions.remove(permissionOf(connection)).catch(() => undefined); // required by policy
  return failure;
}

/** Saves the page behind the popup in the chosen workspace. */
function SaveForm({ connection, tab, onDisconnect }: FormProps) {
  const [workspaces, setWorkspaces] = useState<Workspace[] | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [status, setStatus] = useState<LastSave | null>(null);
  const [busy, setBusy] = useState(false);

  const load = async (): Promise<void> => {
    try {
      const [all, choice, last] = await Promise.all([
        listWorkspaces(connection),
        readChoice(),
        takeSave(),
      ]);
      const kept = choice === null || all.some(({ id }) => id === choice);
      choose(kept ? (choice ?? null) : (all[0]?.id ?? null));
      setWorkspaces(all);
      setStatus(last);
    } catch (error) {
      setStatus(failed(textOf(error)));
    }
  };
  useEffect(() => void load(), [connection]);

  const choose = (id: number | null): void => {
    setChosen(id);
    void keepChoice(id);
  };
  const run = async (message: Request): Promise<void> => {
    setBusy(true);
    setStatus({ state: "running", text: word("saving", tab?.title ?? "") });
    // The service worker continues when the popup closes.
    const { error } = await request(message).catch((cause: unknown) => ({ error: textOf(cause) }));
    const last = await takeSave();
    setStatus(error === null ? last : failed(error));
    setBusy(false);
  };
  const ready = workspaces !== null && tab !== null && !busy;

  return (
    <>
      {workspaces ? (
        <WorkspaceField workspaces={workspaces} chosen={chosen} onChoose={choose} />
      ) : (
        status?.state !== "failed" && <p>{word("loading")}</p>
      )}
      {tab && (
        <p class="page" dir="auto">
          {tab.title || tab.url}
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!ready}
          onClick={() => void run({ type: "save", tabId: tab!.id, what: "page" })}
        >
          {word("savePage")}
        </button>
        <button
          type="button"
          disabled={!ready}
          onClick={() => void run({ type: "save", tabId: tab!.id, what: "selection" })}
        >
          {word("saveSelection")}
        </button>
        <button
          type="button"
          disabled={!ready || chosen === null}
          onClick={() => void run({ type: "ask", tabId: tab!.id })}
        >
          {word("askPage")}
        </button>
      </div>
      <p class="status" role="status">
        {status?.state !== "failed" && status?.text}
      </p>
      <p class="failure" role="alert">
        {status?.state === "failed" && status.text}
      </p>
      <footer>
        {workspaces === null && status?.state === "failed" && (
          <button type="button" class="quiet" onClick={() => void load()}>
            {word("retry")}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          disabled={busy}
          onClick={() => void disconnect(connection).then(onDisconnect)}
        >
          {word("disconnect")}
        </button>
      </footer>
    </>
  );
}

/** The tab behind the popup. */
interface OpenTab {
  id: number;
  title: string;
  /** Available because the user opened the popup in this tab. */
  url: string;
}

async function activeTab(): Promise<OpenTab | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id === undefined ? null : { id: tab.id, title: tab.title ?? "", url: tab.url ?? "" };
}
