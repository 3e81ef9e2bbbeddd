import type { McpServerWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatTime } from "../../../lib/format.ts";
import { mcpLogQuery } from "../api/mcp-servers.ts";

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
