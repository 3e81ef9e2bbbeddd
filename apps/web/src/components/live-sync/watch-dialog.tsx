import { maxSyncFailures, type SyncRunWire, type WatchWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatAgo } from "../../lib/format.ts";
import { intervalsWith, intervalWords, nextWords } from "../../lib/sync-words.ts";
import { syncRunsQuery, useSyncNow, useWatchAnything, useUpdateWatch } from "../../lib/watches.ts";
import { FaultText } from "../fault-text.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { FailedQuery, Notice } from "../ui/notice.tsx";
import { SelectField } from "../ui/text-field.tsx";
import "./texts.ts";

/** When something is synced, how that went, and how often it happens. Changes apply at once. */
export function WatchDialog({
  slug,
  watch,
  defaultInterval,
  onClose,
}: {
  /** A workspace that contains it. */
  slug: string;
  watch: WatchWire;
  /** In seconds. */
  defaultInterval: number;
  onClose: () => void;
}) {
  const { t } = useTranslation("live-sync");
  const update = useUpdateWatch();
  const sync = useSyncNow();
  const setWatched = useWatchAnything();
  const { id, title, state, intervalSeconds, whenGone, fault } = watch;
  const isSource = watch.document === null;
  return (
    <Dialog open onClose={onClose} title={t("dialog.title", { name: title })}>
      {state === "stopped" && (
        <Notice kind="bad">
          <p>
            <b>{t("dialog.stoppedTitle", { count: maxSyncFailures })}</b>
          </p>
          <p>{t("dialog.stoppedText")}</p>
        </Notice>
      )}
      {fault && (
        <Notice kind="warn">
          <FaultText fault={fault} fallback="" />
        </Notice>
      )}
      {watch.isMissing && <Notice kind="warn">{t("dialog.missing")}</Notice>}
      <dl className="grid grid-cols-3 gap-3 max-md:grid-cols-2">
        <Fact label={t("dialog.next")}>
          {state === "syncing"
            ? t("state.syncing")
            : (nextWords(watch.nextSyncAt) ?? t("dialog.none"))}
        </Fact>
        <Fact label={t("dialog.last")}>
          {watch.lastSyncedAt === null ? t("dialog.never") : formatAgo(watch.lastSyncedAt)}
        </Fact>
        <Fact label={t("dialog.changed")}>
          {watch.lastChangedAt === null ? t("dialog.never") : formatAgo(watch.lastChangedAt)}
        </Fact>
      </dl>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <SelectField
          label={t("dialog.interval")}
          value={String(intervalSeconds)}
          onChange={(value) => update.mutate({ slug, watchId: id, intervalSeconds: Number(value) })}
        >
          {intervalsWith(intervalSeconds, defaultInterval).map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === defaultInterval
                ? t("interval.default", { text: intervalWords(seconds) })
                : intervalWords(seconds)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t(isSource ? "dialog.goneSource" : "dialog.gone")}
          value={whenGone}
          onChange={(value) =>
            update.mutate({ slug, watchId: id, whenGone: value === "keep" ? "keep" : "remove" })
          }
        >
          <option value="remove">{t(isSource ? "dialog.removeSource" : "dialog.remove")}</option>
          <option value="keep">{t(isSource ? "dialog.keepSource" : "dialog.keep")}</option>
        </SelectField>
      </div>
      <History slug={slug} watchId={id} />
      <DialogFooter>
        <Button
          variant="quiet"
          className="md:me-auto"
          onClick={() => {
            setWatched(slug, watch, false);
            onClose();
          }}
        >
          {t("unwatch")}
        </Button>
        {state === "stopped" ? (
          <Button onClick={() => setWatched(slug, watch, true)}>{t("watchAgain")}</Button>
        ) : (
          <Button
            disabled={sync.isPending || state !== "waiting"}
            onClick={() => sync.mutate({ slug, watchId: id })}
          >
            <RefreshCw className="size-3.5 stroke-2" aria-hidden="true" />
            {t("syncNow")}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {t("dialog.close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-fg-3">{label}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
);

function History({ slug, watchId }: { slug: string; watchId: number }) {
  const { t } = useTranslation("live-sync");
  const { data, error, refetch } = useQuery(syncRunsQuery(slug, watchId));
  return (
    <section className="grid grid-cols-1 gap-1.5">
      <h3 className="font-medium">{t("dialog.history")}</h3>
      {error && (
        <FailedQuery
          title={t("dialog.historyFailed")}
          retryLabel={t("dialog.retry")}
          error={error}
          retry={() => void refetch()}
        />
      )}
      {data?.length === 0 && <p className="text-fg-3">{t("dialog.noHistory")}</p>}
      {data && data.length > 0 && (
        <ul
          className="max-h-48 overflow-auto rounded-md border border-line scrollbar-thin"
          tabIndex={0}
        >
          {data.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Run({ run: { status, change, fault, startedAt } }: { run: SyncRunWire }) {
  const { t } = useTranslation("live-sync");
  return (
    <li className="flex gap-3 border-subtle px-3 py-1.5 text-xs not-first:border-t">
      <span className="min-w-0 flex-1">
        <span className={status === "failed" ? "text-danger" : "text-fg-1"}>
          {status === "success" && change !== null ? t(`change.${change}`) : t(`status.${status}`)}
        </span>
        {fault && (
          <span className="block text-fg-2">
            <FaultText fault={fault} fallback="" />
          </span>
        )}
      </span>
      <span className="flex-none text-fg-3 tabular-nums">{formatAgo(startedAt)}</span>
    </li>
  );
}
