import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { formatAgo, joinFacts } from "../../../lib/format.ts";
import { queryClient, useSubmission } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import { versionQuery, versionsQuery } from "../api/flows.ts";
import { contentOf } from "../state/content.ts";
import { useScope } from "./builder-context.ts";
import { FlowOutline } from "./flow-outline.tsx";
import { Panel } from "./panel.tsx";

/** Saved versions, which can be looked at and restored. */
export function VersionsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  return (
    <Panel title={t("version.title")} closeLabel={t("version.close")} onClose={onClose}>
      {builder.flowId === null ? (
        <p className="text-fg-3">{t("version.none")}</p>
      ) : (
        <Versions flowId={builder.flowId} />
      )}
    </Panel>
  );
}

function Versions({ flowId }: { flowId: string }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const query = useQuery(versionsQuery(flowId));
  const [viewed, setViewed] = useState<number | null>(null);
  const restore = useSubmission(async (version: number) => {
    const content = contentOf(await queryClient.fetchQuery(versionQuery(flowId, version)));
    // Undo brings back what was in the builder.
    builder.edit(() => content);
    if (await builder.save(content)) toast.success(t("version.restored", { version }));
  });
  if (query.error)
    return (
      <FailedQuery error={query.error} retryLabel={t("retry")} retry={() => void query.refetch()} />
    );
  if (!query.data)
    return (
      <div className="grid gap-4" role="status" aria-busy="true" aria-label={t("loading")}>
        <Skeleton style={{ inlineSize: "60%" }} />
        <Skeleton style={{ inlineSize: "45%" }} />
      </div>
    );
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-fg-2">{t("version.help")}</p>
      {restore.error && (
        <Notice kind="bad">
          <p>{restore.error.message}</p>
        </Notice>
      )}
      <ol className="grid grid-cols-1">
        {query.data.map(({ version, name, savedAt, stepCount }, index) => (
          <li key={version} className="grid grid-cols-1 border-b border-subtle py-2.5 first:pt-0">
            <div className="flex items-center gap-2">
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  {t("version.name", { version })}
                  {index === 0 && <Badge>{t("version.current")}</Badge>}
                </p>
                <p className="truncate text-xs text-fg-3">
                  {joinFacts([name, t("list.blocks", { count: stepCount }), formatAgo(savedAt)])}
                </p>
              </div>
              <Button
                size="sm"
                variant="quiet"
                aria-expanded={viewed === version}
                aria-label={t("version.look", { version })}
                onClick={() => setViewed(viewed === version ? null : version)}
              >
                {t("version.view")}
              </Button>
              {index > 0 && (
                <Button
                  size="sm"
                  disabled={restore.busy}
                  aria-label={t("version.restoreOf", { version })}
                  onClick={() => restore.submit(version)}
                >
                  {t("version.restore")}
                </Button>
              )}
            </div>
            {viewed === version && (
              <div className="pt-3">
                <Version flowId={flowId} version={version} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Version({ flowId, version }: { flowId: string; version: number }) {
  const { t } = useTranslation("flows");
  const query = useQuery(versionQuery(flowId, version));
  if (query.error)
    return (
      <FailedQuery error={query.error} retryLabel={t("retry")} retry={() => void query.refetch()} />
    );
  return query.data ? (
    <FlowOutline content={query.data} />
  ) : (
    <div role="status" aria-busy="true" aria-label={t("loading")}>
      <Skeleton style={{ inlineSize: "60%" }} />
    </div>
  );
}
