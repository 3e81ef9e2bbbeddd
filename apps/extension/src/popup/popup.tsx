import { useEffect, useState } from "preact/hooks";
import { originOf, readConnection, type Connection } from "../carrel/connection.ts";
import { ConnectForm } from "./connect-form.tsx";
import { Mark } from "./mark.tsx";
import { SaveForm } from "./save-form.tsx";
import { activeTab, type OpenTab } from "./active-tab.ts";
import { word } from "../words.ts";

export function Popup() {
  const [state, setState] = useState<{ connection: Connection | null; tab: OpenTab | null }>();
  // What disconnecting couldn't do.
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
