import { useEffect, useState } from "preact/hooks";
import {
  forgetPending,
  keepPending,
  originOf,
  parseConnection,
  permissionOf,
  readConnection,
  readPending,
  type Connection,
} from "../carrel/connection.ts";
import { Failure, textOf, word } from "../carrel/failure.ts";
import { request } from "../last-save.ts";
import { activeTab, type OpenTab } from "./active-tab.ts";
import { SaveForm } from "./save-form.tsx";

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
