import type { ConnectionRunWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, LockKeyhole, TriangleAlert, Users } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button, buttonStyles, IconButton } from "../../../components/ui/button.tsx";
import { ClosedReason } from "../../../components/ui/closed-door.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { formatAgo, formatBytes, formatNumber, joinFacts } from "../../../lib/format.ts";
import { timeLeft } from "../../../lib/time-left.ts";
import { useRunAction } from "../api/connection-actions.ts";
import {
  connectionQuery,
  connectorsQuery,
  type ConnectionDetails,
  type ItemState,
} from "../api/connections.ts";
import { addressOfSource, tellsReaders } from "../state/draft.ts";
import { useMayOpen } from "../state/owner.ts";
import { foldUnchanged, isOpen, readRate, secondsLeft } from "../state/run-figures.ts";
import { RunState, useRunWords } from "./run-state.tsx";
import { actionIcons, runActionsOf, useSourceMenu } from "./source-actions.tsx";
import { SourceItems } from "./source-items.tsx";
import {
  AllSources,
  LoadingSources,
  SourceBody,
  SourceLink,
  FailedSources,
  SourceHead,
  type ShownSource,
  SourceFact,
} from "./source-page-parts.tsx";
import { SourceSync } from "./source-sync.tsx";
import { NoDocuments } from "./sources-list.tsx";

/** A source with its latest import, which it follows while it runs. */
export function SourceView({ slug, id }: { slug: string; id: string }) {
  const { data, error, refetch } = useQuery(connectionQuery(slug, id));
  if (error && data === undefined)
    return (
      <SourceBody className="grid content-start gap-4">
        <AllSources slug={slug} />
        <FailedSources error={error} retry={() => void refetch()} />
      </SourceBody>
    );
  if (data === undefined) return <LoadingSources />;
  return <Details slug={slug} {...data} />;
}

function Details({ slug, connection, runs }: { slug: string } & ConnectionDetails) {
  const { t } = useTranslation("connections");
  const [state, setState] = useState<ItemState | null>(null);
  const connector = useQuery(connectorsQuery).data?.find(({ id }) => id === connection.connector);
  const { run, documents } = connection;
  /** It ended without finding anything, so there is nothing to count or list. */
  const isEmpty = run !== null && !isOpen(run) && run.found === 0;
  return (
    <SourceBody>
      <div className="mx-auto grid max-w-[960px] grid-cols-1 gap-6">
        <Head slug={slug} connection={connection} connector={connector} />
        {!connection.mayChange && <ClosedReason door="sourceOfOther" />}
        {run !== null && !(isEmpty && run.state === "failed") && (
          <section className="grid grid-cols-1 gap-4 rounded-md border border-line bg-raised p-4">
            <Progress run={run} />
            {!isEmpty && <RunFigures run={run} state={state} onState={setState} />}
          </section>
        )}
        {run !== null && (
          <RunNotice run={run}>
            {connection.mayChange && (
              <SourceLink
                slug={slug}
                rest={`${connection.id}/edit`}
                className={buttonStyles({ size: "sm" })}
              >
                {t("action.edit")}
              </SourceLink>
            )}
          </RunNotice>
        )}
        {documents === 0 && run !== null && !isOpen(run) && run.state !== "failed" && (
          <Notice kind="warn">
            <p>
              <b>{t("noDocuments")}</b>
            </p>
            <p>
              <NoDocuments slug={slug} connection={connection} />
            </p>
          </Notice>
        )}
        <div className="divide-y divide-subtle rounded-md border border-line empty:hidden">
          <SourcePermissions slug={slug} connection={connection} connector={connector} />
          <SourceSync slug={slug} connection={connection} connector={connector} />
        </div>
        {run !== null && !isEmpty && (
          <SourceItems slug={slug} connectionId={connection.id} run={run} state={state} />
        )}
        {runs.length > 1 && <History runs={runs.slice(1)} />}
      </div>
    </SourceBody>
  );
}

function Head({ slug, connection, connector }: ShownSource) {
  const { t } = useTranslation("connections");
  const { menuOf, dialog } = useSourceMenu(slug);
  const act = useRunAction(slug);
  const { id, name, documents, mayChange, run } = connection;
  const address = addressOfSource(connector, connection.settings);
  return (
    <header className="grid grid-cols-1 gap-3">
      <AllSources slug={slug} />
      <SourceHead
        connector={connection.connector}
        name={name}
        facts={joinFacts([
          connector?.label ?? connection.connector,
          address === name ? null : address,
          t("documents", { count: documents }),
        ])}
      >
        <div className="flex flex-none items-center gap-2 max-md:w-full max-md:[&>button:not([data-slot])]:flex-1">
          {mayChange &&
            runActionsOf(connection).map((action, n) => {
              const Icon = actionIcons[action];
              return (
                <Button
                  key={action}
                  variant={n === 0 && !isOpen(run) ? "primary" : "outline"}
                  disabled={act.isPending}
                  onClick={() => act.mutate({ connectionId: id, action })}
                >
                  <Icon className="size-3.5 stroke-2" aria-hidden="true" />
                  {t(action === "start" && run === null ? "action.startFirst" : `action.${action}`)}
                </Button>
              );
            })}
          <Menu
            trigger={
              <IconButton className="max-md:size-10" label={t("menuOf", { name })}>
                <Ellipsis />
              </IconButton>
            }
            items={menuOf(connection, true)}
          />
        </div>
      </SourceHead>
      {dialog}
    </header>
  );
}

/** How far an import is, how fast it goes and how long it will take. */
function Progress({ run }: { run: ConnectionRunWire }) {
  const { t } = useTranslation("connections");
  const rate = readRate(run);
  const left = secondsLeft(run, rate);
  const open = isOpen(run);
  const facts = [
    open
      ? t(run.startedAt === null ? "queuedAgo" : "startedAgo", {
          when: formatAgo(run.startedAt ?? run.createdAt),
        })
      : run.endedAt !== null && t("endedAgo", { when: formatAgo(run.endedAt) }),
    run.bytes > 0 && t("size", { text: formatBytes(run.bytes) }),
    run.removed > 0 && t("removedCount", { count: run.removed }),
    rate !== null &&
      (rate >= 1
        ? t("rate", { text: formatNumber(rate, rate < 10 ? 1 : 0) })
        : t("rateMinute", { text: formatNumber(rate * 60) })),
    left !== null && timeLeft(left),
    run.state === "running" && run.found > 0 && !run.isListed && t("stillListing"),
  ].filter(Boolean);
  return (
    <div className="grid gap-1.5">
      <RunState run={run} large />
      <p className="flex flex-wrap justify-between gap-x-4 text-xs text-fg-3 tabular-nums">
        <span>{joinFacts(facts)}</span>
        {open && run.state !== "paused" && <span>{t("closing")}</span>}
      </p>
    </div>
  );
}

/** Why an import failed, or ended before the source did. */
function RunNotice({
  run: { state, fault, endedAt },
  children,
}: {
  run: ConnectionRunWire;
  /** What may help if it failed. */
  children: ReactNode;
}) {
  const { t } = useTranslation("connections");
  if (fault === null) return null;
  const failed = state === "failed";
  return (
    <Notice kind={failed ? "bad" : "info"} action={failed && children}>
      <p>
        <b>{t(failed ? "failedTitle" : "limitTitle")}</b>
      </p>
      <p>
        <FaultText fault={fault} fallback={t("unknownReason")} />
      </p>
      {failed && endedAt !== null && (
        <p className="text-xs">{t("endedAgo", { when: formatAgo(endedAt) })}</p>
      )}
    </Notice>
  );
}

function History({ runs }: { runs: ConnectionRunWire[] }) {
  const { t } = useTranslation("connections");
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-semibold">{t("history")}</h3>
      <ul className="rounded-md border border-line">
        {foldUnchanged(runs).map(([run, ...before]) =>
          before.length === 0 ? (
            <PastRun key={run!.id} run={run!} />
          ) : (
            <li key={run!.id} className={pastRun}>
              <span className="text-fg-3 md:col-span-2">
                {t("historyUnchanged", { count: before.length + 1 })}
              </span>
              <span className="text-fg-3">
                {t("historyLast", { when: formatAgo(run!.endedAt ?? run!.createdAt) })}
              </span>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

const pastRun =
  "grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto] gap-x-4 gap-y-0.5 border-subtle px-4 py-2 text-xs text-fg-2 tabular-nums not-first:border-t max-md:grid-cols-[minmax(0,1fr)_auto]";

function PastRun({ run }: { run: ConnectionRunWire }) {
  const { t } = useTranslation("connections");
  const words = useRunWords(run);
  return (
    <li className={pastRun}>
      <span>{words}</span>
      <span className="text-fg-3 max-md:col-span-2 max-md:row-start-2">
        {run.fault === null ? (
          joinFacts([
            t("historyItem", {
              fetched: formatNumber(run.fetched),
              unchanged: formatNumber(run.unchanged),
              skipped: formatNumber(run.skipped),
              failed: formatNumber(run.failed),
            }),
            run.removed > 0 && t("removedCount", { count: run.removed }),
          ])
        ) : (
          <FaultText fault={run.fault} fallback={t("unknownReason")} />
        )}
      </span>
      <span className="text-fg-3">{formatAgo(run.endedAt ?? run.createdAt)}</span>
    </li>
  );
}

/** Who may see a source's documents; nothing for sources that don't tell. */
function SourcePermissions({ slug, connection, connector }: ShownSource) {
  const { t } = useTranslation("connections");
  const mayOpen = useMayOpen(connection);
  if (connector === undefined || !tellsReaders(connector, connection)) return null;
  const { id, mayChange, mirrorPermissions, matchAccounts, accessCheckedAt } = connection;
  const fault = mirrorPermissions ? connection.accessFault : null;
  const name = connector.label;
  return (
    <SourceFact
      icon={fault ? TriangleAlert : mirrorPermissions ? LockKeyhole : Users}
      tone={fault ? "warning" : mirrorPermissions ? "accent" : "neutral"}
      title={t("permissions.title")}
      buttons={
        mayChange && (
          <SourceLink slug={slug} rest={`${id}/edit`} className={buttonStyles({})}>
            {t("permissions.change")}
          </SourceLink>
        )
      }
    >
      <p>
        {mirrorPermissions
          ? t(matchAccounts ? "permissions.onAccounts" : "permissions.on", { name })
          : t("permissions.off")}{" "}
        {mirrorPermissions &&
          (accessCheckedAt === null
            ? t("permissions.unchecked")
            : t("permissions.checked", { when: formatAgo(accessCheckedAt) }))}
      </p>
      {fault && (
        <p className="text-warning">
          {t("permissions.checkFailed")} <FaultText fault={fault} fallback={t("unknownReason")} />
        </p>
      )}
      {mayChange && !mayOpen && <p className="text-xs text-fg-3">{t("permissions.ownerOnly")}</p>}
    </SourceFact>
  );
}

const states = ["fetched", "unchanged", "skipped", "failed"] as const;

/** How many items became what; each number lists its items below. */
function RunFigures({
  run,
  state,
  onState,
}: {
  run: ConnectionRunWire;
  /** The listed items; null: all. */
  state: ItemState | null;
  onState: (state: ItemState | null) => void;
}) {
  const { t } = useTranslation("connections");
  const figures = [
    { of: null, label: t("figure.found"), count: run.found },
    ...states.map((of) => ({ of, label: t(`figure.${of}`), count: run[of] })),
  ];
  return (
    <div
      className="grid grid-cols-5 gap-2 max-md:grid-cols-3"
      role="group"
      aria-label={t("figure.label")}
    >
      {figures.map(({ of, label, count }) => (
        <button
          key={label}
          type="button"
          className="grid gap-0.5 max-md:first:col-span-2 rounded-sm border border-line bg-surface px-3 py-2 text-start hover:border-strong hover:bg-hover aria-pressed:border-accent-solid aria-pressed:bg-accent-subtle"
          aria-pressed={of === state}
          onClick={() => onState(of)}
        >
          <span className="text-xs text-fg-2">{label}</span>
          <span
            className={
              of === "failed" && count > 0
                ? "text-lg/6 font-semibold text-danger tabular-nums"
                : "text-lg/6 font-semibold tabular-nums"
            }
          >
            {formatNumber(count)}
          </span>
        </button>
      ))}
    </div>
  );
}
