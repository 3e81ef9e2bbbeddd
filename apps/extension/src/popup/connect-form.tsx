import { useEffect, useState } from "preact/hooks";
import {
  forgetPending,
  keepPending,
  originOf,
  parseConnection,
  permissionOf,
  readPending,
} from "../carrel/connection.ts";
import { Failure, textOf } from "../carrel/failure.ts";
import { request } from "../messages.ts";
import { word } from "../words.ts";
import type { OpenTab } from "./active-tab.ts";
import { awaitOffer } from "./await-offer.ts";

interface Props {
  tab: OpenTab | null;
  notice: string | null;
  onConnect: () => void;
}

/** Asks for the connection string, and for access to the instance it names. */
export function ConnectForm({ tab, notice, onConnect }: Props) {
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
      // Not awaited before: the browser only asks the user right after a click.
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
