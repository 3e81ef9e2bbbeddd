import type { FaultWire, McpServerWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { Notice, FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatTime } from "../../../lib/format.ts";
import { useImportMcpServers, mcpLogQuery } from "../api/mcp-servers.ts";
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

/** The last lines of a server's output. */
export function McpLogDialog({ server, onClose }: { server: McpServerWire; onClose: () => void }) {
  const { t } = useTranslation("mcp");
  const query = useQuery(mcpLogQuery(server.id));
  return (
    <Dialog
      open
      onClose={onClose}
      className="w-[min(720px,100vw-24px)]"
      title={t("logTitle", { name: server.name })}
      description={t("logText")}
    >
      {query.error && (
        <FailedQuery
          title={t("logFailed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {query.isPending && (
        <div className="grid gap-3" role="status" aria-busy="true" aria-label={t("loading")}>
          <Skeleton />
          <Skeleton />
        </div>
      )}
      {query.data && (
        <div
          // The latest lines are at the end.
          ref={(box) => box?.scrollTo(0, box.scrollHeight)}
          className="max-h-96 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          role="group"
          aria-label={t("menu.log")}
          dir="ltr"
          tabIndex={0}
        >
          {query.data.length === 0 && t("logEmpty")}
          {query.data.map(({ at, text }, index) => (
            <p key={index} className="flex gap-3 max-md:block">
              <time className="flex-none text-fg-3" dateTime={at}>
                {formatTime(Date.parse(at))}
              </time>
              <span className="min-w-0 max-md:block">{text}</span>
            </p>
          ))}
        </div>
      )}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
