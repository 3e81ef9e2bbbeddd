import { useQuery } from "@tanstack/react-query";
import { Eye, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import "../../../components/live-sync/texts.ts";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { intervalWords, isInTrouble, watchWords } from "../../../lib/sync-words.ts";
import { useSyncNow, useWatchSource, watchesQuery } from "../../../lib/watches.ts";
import { SourceHook } from "./source-hook.tsx";
import { SourceFact, type ShownSource } from "./source-page-parts.tsx";

/** Whether a whole source is watched for changes; nothing while live sync is off. */
export function SourceSync({ slug, connection, connector }: ShownSource) {
  const { t } = useTranslation("live-sync");
  const { data } = useQuery(watchesQuery(slug));
  const watching = useWatchSource();
  const sync = useSyncNow();
  const [isOpen, setOpen] = useState(false);
  if (!data?.enabled) return null;
  const watch = data.watches.find(
    ({ document, connectionId }) => document === null && connectionId === connection.id,
  );
  const inTrouble = watch !== undefined && isInTrouble(watch);
  return (
    <>
      <SourceFact
        icon={inTrouble ? TriangleAlert : Eye}
        tone={inTrouble ? "warning" : watch ? "accent" : "neutral"}
        title={t("source.title")}
        buttons={
          connection.mayChange &&
          (watch ? (
            <>
              {watch.state === "waiting" && (
                <Button
                  disabled={sync.isPending}
                  onClick={() => sync.mutate({ slug, watchId: watch.id })}
                >
                  {t("syncNow")}
                </Button>
              )}
              <Button onClick={() => setOpen(true)}>{t("settings")}</Button>
            </>
          ) : (
            <Button
              disabled={watching.isPending}
              onClick={() => watching.mutate({ slug, connectionId: connection.id, watched: true })}
            >
              {t("source.watch")}
            </Button>
          ))
        }
      >
        <p>
          {watch
            ? `${watchWords(watch)} · ${t("source.every", { text: intervalWords(watch.intervalSeconds) })}`
            : t("source.off")}
        </p>
      </SourceFact>
      {watch && connector && (
        <SourceHook
          slug={slug}
          connectionId={connection.id}
          connector={connector}
          hasHook={watch.hasHook}
          mayChange={connection.mayChange}
        />
      )}
      {isOpen && watch && (
        <WatchDialog
          slug={slug}
          watch={watch}
          defaultInterval={data.defaultIntervalSeconds}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
