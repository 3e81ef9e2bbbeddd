import { useEffect, useState } from "preact/hooks";
import { listWorkspaces, revokeKey, type Workspace } from "../carrel/api.ts";
import {
  forgetConnection,
  keepChoice,
  permissionOf,
  readChoice,
  type Connection,
} from "../carrel/connection.ts";
import { textOf, word } from "../carrel/failure.ts";
import { clearSave, request, takeSave, type LastSave, type Request } from "../last-save.ts";
import type { OpenTab } from "./active-tab.ts";

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
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value="">{word("libraryOnly")}</option>
    </select>
  </div>
);

interface Props {
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
export function SaveForm({ connection, tab, onDisconnect }: Props) {
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
      {tab && <p class="page">{tab.title || tab.url}</p>}
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
