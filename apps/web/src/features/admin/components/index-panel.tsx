import type { IndexTarget, Out, getIndexState } from "@carrel/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { onChange } from "../../../lib/changes.ts";
import {
  formatAgo,
  formatNumber,
  formatPercent,
  joinFacts,
  sentenceSpace,
} from "../../../lib/format.ts";
import { shortModelName } from "../../../lib/model-name.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";
import { timeLeft } from "../../../lib/time-left.ts";
import { toast } from "../../../lib/toast.ts";
import {
  indexKeys,
  indexStateQuery,
  storeOf,
  useChangeIndex,
  type IndexAction,
} from "../api/index-state.ts";

/** "Arabic, German and other languages"; `other` stands for the code `und`. */
function listLanguages(codes: readonly string[], other: string): string {
  const { lang } = document.documentElement;
  const names = new Intl.DisplayNames([lang], { type: "language" });
  const known = codes.filter((code) => code !== "und").map((code) => names.of(code) ?? code);
  return new Intl.ListFormat(lang).format(known.length < codes.length ? [...known, other] : known);
}

const modelKey = "EmbeddingModelPref";

/** Languages that the active index's vectors don't cover, and a model that covers them. */
function LanguageNotice({
  state: { active, vectorsWork, languagesWithoutVectors, multilingualModel },
}: {
  state: Out<typeof getIndexState>;
}) {
  const { t } = useTranslation("settings");
  const locked = useQuery(providersQuery).data?.locked ?? [];
  const settings = useSaveSettings();
  if (!active || languagesWithoutVectors.length === 0) return null;
  const languages = listLanguages(languagesWithoutVectors, t("index.otherLanguages"));
  const offered = locked.includes(modelKey) ? null : multilingualModel;
  const model = offered && shortModelName(offered.model);
  return (
    <Notice
      kind={vectorsWork === false ? "warn" : "info"}
      action={
        offered && (
          <Button
            size="sm"
            disabled={settings.isPending}
            onClick={() =>
              settings.mutate(
                { EmbeddingEngine: "native", [modelKey]: offered.model },
                {
                  onSuccess: () => toast.success(t("saved.embedding")),
                  onError: ({ message }) => toast.error(t("saveFailed.embedding", { message })),
                },
              )
            }
          >
            {t("index.useModel", { model })}
          </Button>
        )
      }
    >
      <p>
        {vectorsWork === false ? (
          <>
            <b>{t("index.vectorsUseless")}</b>
            {sentenceSpace()}
            {t("index.vectorsUselessHelp", { languages })}
          </>
        ) : (
          <>
            <b>{t("index.languagesWithout", { languages })}</b>
            {sentenceSpace()}
            {t("index.languagesWithoutHelp", { model: shortModelName(active.model) })}
          </>
        )}
      </p>
      {offered && <p>{t("index.multilingual", { model, size: offered.size })}</p>}
    </Notice>
  );
}

const panel = "grid flex-none gap-3 border-b border-subtle bg-surface px-6 py-4 max-md:px-4";

/** The active index, the build in progress, and the previous index to switch back to. */
export function IndexPanel() {
  const { t } = useTranslation("settings");
  const { data, error, refetch } = useQuery(indexStateQuery);
  const declared = useQuery(providersQuery).data?.providers;
  const client = useQueryClient();
  const change = useChangeIndex();
  const busy = change.isPending;
  const [asked, setAsked] = useState<IndexAction | null>(null);
  useEffect(
    () =>
      onChange((frame) => {
        // A build may have finished while disconnected.
        const missed = frame.type === "connected" || frame.type === "reconnected";
        if (missed || frame.type === "index.changed" || frame.type === "settings.changed")
          void client.invalidateQueries({ queryKey: indexKeys.state });
      }),
    [client],
  );
  if (error)
    return (
      <div className={panel}>
        <Notice
          kind="bad"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          }
        >
          <p>
            <b>{t("index.unknown")}</b> {error.message}
          </p>
        </Notice>
      </div>
    );
  // Nothing has been embedded yet.
  const isQuiet = !data?.active && !data?.building && !data?.wanted && !data?.previous;
  if (!data || (isQuiet && data.embedding.running + data.embedding.waiting === 0)) return null;
  const name = (target: IndexTarget): string =>
    t("index.target", { model: shortModelName(target.model), store: storeOf(target, declared) });
  const { active, building, wanted, previous } = data;
  const share = building
    ? building.chunksTotal > 0
      ? building.chunksDone / building.chunksTotal
      : building.documentsTotal > 0
        ? building.documentsDone / building.documentsTotal
        : 0
    : 0;
  const left = building?.secondsLeft ?? null;
  const question = asked === "stop" && !building ? "keep" : asked;
  return (
    <section className={panel} aria-label={t("index.label")}>
      {active && (
        <p className="text-fg-2">
          {t("index.active")} <b>{name(active)}</b>
          {sentenceSpace()}
          <span className="text-fg-3">
            {t("index.vectors", { count: data.vectors, number: formatNumber(data.vectors) })}
          </span>
        </p>
      )}
      <EmbeddingProgress embedding={data.embedding} rate={data.rate} />
      {active && <LanguageNotice state={data} />}
      {building && (
        <div className="grid max-w-[640px] gap-2">
          <div className="flex items-center gap-2">
            <p className="min-w-0 flex-1">
              <b>{t("index.building", { target: name(building.target) })}</b>
              {sentenceSpace()}
              <span className="text-fg-3">{active ? t("index.meanwhile") : null}</span>
            </p>
            <Button size="sm" disabled={busy} onClick={() => setAsked("stop")}>
              {t("index.stop")}
            </Button>
          </div>
          <ProgressBar
            value={share}
            label={t("index.building", { target: name(building.target) })}
          />
          <p className="text-fg-3 text-xs tabular-nums">
            {joinFacts([
              formatPercent(share),
              t("index.documents", {
                done: formatNumber(building.documentsDone),
                total: formatNumber(building.documentsTotal),
              }),
              left === null ? null : timeLeft(left),
            ])}
          </p>
          {building.fault && (
            <Notice kind={building.state === "failed" ? "bad" : "warn"}>
              <p>
                <b>{t(`index.state.${building.state}`)}</b>
                {sentenceSpace()}
                <FaultText fault={building.fault} fallback="" />
              </p>
            </Notice>
          )}
        </div>
      )}
      {wanted && !building && (
        <Notice
          kind="warn"
          action={
            active && (
              <Button size="sm" disabled={busy} onClick={() => setAsked("stop")}>
                {t("index.keep")}
              </Button>
            )
          }
        >
          <p>
            <b>{t("index.wanted", { target: name(wanted) })}</b>
            {sentenceSpace()}
            <FaultText fault={data.reason} fallback="" />
          </p>
        </Notice>
      )}
      {previous && !building && (
        <div className="flex items-center gap-2 flex-wrap">
          <p className="min-w-0 flex-1 text-fg-2">
            {t("index.previous", {
              target: name(previous.target),
              when: formatAgo(previous.since),
            })}
          </p>
          <Button size="sm" disabled={busy} onClick={() => setAsked("undo")}>
            {t("index.undo")}
          </Button>
          <Button variant="quiet" size="sm" disabled={busy} onClick={() => setAsked("drop")}>
            {t("index.drop")}
          </Button>
        </div>
      )}
      {asked && question && (
        <ConfirmDialog
          open
          title={t(`index.ask.${question}`)}
          text={t(`index.askText.${question}`)}
          action={t(`index.${question}`)}
          onClose={() => setAsked(null)}
          onConfirm={() =>
            change.mutateAsync(asked, {
              onSuccess: () => toast.success(t(`index.done.${asked}`)),
            })
          }
        />
      )}
    </section>
  );
}

/**
 * How many documents are embedded, how fast, and what the others wait for; hidden once all are
 * embedded.
 */
function EmbeddingProgress({
  embedding: { passagesDone, passagesTotal, running, waiting, reason },
  rate,
}: {
  embedding: Out<typeof getIndexState>["embedding"];
  /** Passages per second; null if unknown. */
  rate: number | null;
}) {
  const { t } = useTranslation("settings");
  if (running + waiting === 0) return null;
  const share = passagesTotal > 0 ? passagesDone / passagesTotal : 0;
  const count = t("index.embedded", {
    count: passagesTotal,
    done: formatNumber(passagesDone),
    total: formatNumber(passagesTotal),
  });
  return (
    <div className="grid max-w-[640px] gap-2">
      {running > 0 && (
        <>
          <p>
            <b>{t("index.embedding", { count: running, number: formatNumber(running) })}</b>
          </p>
          <ProgressBar value={share} label={count} />
          <p className="text-fg-3 text-xs tabular-nums">
            {joinFacts([
              formatPercent(share),
              count,
              rate !== null &&
                t("index.rate", {
                  count: Math.round(rate),
                  number: formatNumber(Math.round(rate)),
                }),
              rate !== null && timeLeft((passagesTotal - passagesDone) / rate),
            ])}
          </p>
        </>
      )}
      {waiting > 0 && (
        <Notice kind="warn">
          <p>
            <b>{t("index.waiting", { count: waiting, number: formatNumber(waiting) })}</b>
            {sentenceSpace()}
            <FaultText fault={reason} fallback="" />
          </p>
        </Notice>
      )}
    </div>
  );
}
