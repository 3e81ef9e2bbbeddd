import type { FaultWire } from "@carrel/contracts";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useImportMcpServers } from "../api/mcp-servers.ts";
import { Lines } from "./mcp-server-dialog.tsx";

/** Adds the servers of another client's configuration file. */
export function McpImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("mcp");
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const add = useImportMcpServers();
  const { data } = add;
  return (
    <Dialog open onClose={onClose} title={t("importTitle")} description={t("importText")}>
      {data ? (
        <>
          <p>{t("imported", { count: data.added.length })}</p>
          {data.skipped.length > 0 && (
            <Notice kind="warn">
              <p>
                <b>{t("notImported")}</b>
              </p>
              <ul>
                {data.skipped.map((skipped) => (
                  <li key={skipped.name}>
                    <b>{skipped.name}</b>: <Reason fault={skipped.fault} />
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <DialogFooter>
            <Button variant="primary" onClick={onClose}>
              {t("close")}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <form
          className="grid grid-cols-1 gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!add.isPending) add.mutate(text);
          }}
        >
          <div>
            <Button onClick={() => input.current?.click()}>{t("choose")}</Button>
            <FileInput
              ref={input}
              label={t("choose")}
              accept=".json,application/json"
              onFiles={([file]) => void file?.text().then(setText)}
            />
          </div>
          <Lines label={t("file")} help="" value={text} rows={8} onChange={setText} />
          {add.error && (
            <Notice kind="bad">
              <p>{add.error.message}</p>
            </Notice>
          )}
          <DialogFooter>
            <Button variant="quiet" onClick={onClose}>
              {t("cancel")}
            </Button>
            <Button type="submit" variant="primary" disabled={add.isPending || text.trim() === ""}>
              {t(add.isPending ? "importing" : "import")}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}

function Reason({ fault }: { fault: FaultWire }) {
  return <>{useFaultText(fault, "")}</>;
}
