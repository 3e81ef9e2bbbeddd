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
        <pre
          className="max-h-96 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
          dir="ltr"
          tabIndex={0}
        >
          {query.data.length === 0
            ? t("logEmpty")
            : query.data.map(({ at, text }) => `${formatTime(Date.parse(at))}  ${text}`).join("\n")}
        </pre>
      )}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
