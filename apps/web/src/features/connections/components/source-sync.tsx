import type { ConnectionWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Eye, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import "../../../components/live-sync/texts.ts";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { intervalWords, isInTrouble, watchWords } from "../../../lib/sync-words.ts";
import { useSyncNow, useWatchSource, watchesQuery } from "../../../lib/watches.ts";

/** Whether a whole source is watched for changes; nothing while live sync is off. */
export function SourceSync({ slug, connection }: { slug: string; connection: ConnectionWire }) {
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
  const Icon = inTrouble ? TriangleAlert : Eye;
  return (
    <section className="flex items-center gap-3 rounded-md border border-line px-4 py-3 max-md:flex-wrap">
      <Icon
        className={
          inTrouble
            ? "size-4 flex-none text-warning"
            : watch
              ? "size-4 flex-none text-accent"
              : "size-4 flex-none text-fg-3"
        }
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-28px)]">
        <h3 className="font-medium">{t("source.title")}</h3>
        <p className="text-fg-2">
          {watch
            ? `${watchWords(watch)} · ${t("source.every", { text: intervalWords(watch.intervalSeconds) })}`
            : t("source.off")}
        </p>
      </div>
      {connection.mayChange &&
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
        ))}
      {isOpen && watch && (
        <WatchDialog
          slug={slug}
          watch={watch}
          defaultInterval={data.defaultIntervalSeconds}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}
