import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { lastDays } from "../../../lib/days.ts";
import { formatDay, formatKnownCost } from "../../../lib/format-usage.ts";
import { formatNumber } from "../../../lib/format.ts";
import {
  nameOfWidget,
  useAllowlistRequired,
  widgetUsageQuery,
  type Widget,
  type WidgetUse,
} from "../api/widgets.ts";

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** The script tag that shows the widget on a site; `server` is this instance's origin. */
export function scriptSnippet(
  { uuid, appearance }: Pick<Widget, "uuid" | "appearance">,
  server: string,
): string {
  const attributes = {
    embedId: uuid,
    baseApiUrl: `${server}/api/embed`,
    ...appearance,
  };
  return [
    "<script",
    ...Object.entries(attributes).map(([name, value]) => {
      const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `  data-${attribute}="${escaped(value)}"`;
    }),
    `  src="${server}/embed/carrel-widget.js"`,
    "></script>",
  ].join("\n");
}

const pageAddress = ({ uuid }: Pick<Widget, "uuid">, server: string): string =>
  `${server}/embed/${uuid}/chat`;

/** Shows the full-page chat inside a page. */
export const frameSnippet = (widget: Pick<Widget, "uuid">, server: string, title: string): string =>
  `<iframe src="${pageAddress(widget, server)}" title="${escaped(title)}" width="400" height="600" style="border: 0"></iframe>`;

/** Code to copy into a site: the script, the link or the frame. */
export function WidgetSnippetDialog({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation("widgets");
  const server = location.origin;
  const isListRequired = useAllowlistRequired();
  const hasNoSites =
    widget.allowlist_domains === null && (isListRequired || !widget.allow_any_origin);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("snippet.title", { name: nameOfWidget(widget) })}
      className="w-[min(640px,100vw-24px)]"
    >
      {(!widget.enabled || hasNoSites) && (
        <Notice kind="warn">
          <p>{t(widget.enabled ? "snippet.noSites" : "snippet.disabled")}</p>
        </Notice>
      )}
      <Snippet
        label={t("snippet.script")}
        help={t("snippet.scriptHelp")}
        text={scriptSnippet(widget, server)}
      />
      {widget.page_enabled ? (
        <>
          <Snippet label={t("snippet.link")} text={pageAddress(widget, server)} />
          <Snippet
            label={t("snippet.frame")}
            text={frameSnippet(widget, server, nameOfWidget(widget))}
          />
        </>
      ) : (
        <p className="text-fg-3">{t("snippet.pageOff")}</p>
      )}
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("snippet.close")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Snippet({ label, help, text }: { label: string; help?: string; text: string }) {
  const id = useId();
  return (
    <div className="grid grid-cols-1 gap-1.5" role="group" aria-labelledby={id}>
      <div className="flex items-end justify-between gap-2">
        <div>
          <h3 id={id} className="font-medium">
            {label}
          </h3>
          {help && <p className="text-xs text-fg-3">{help}</p>}
        </div>
        <CopyButton words size="sm" text={() => text} />
      </div>
      <pre
        className="rounded-sm border border-line bg-sunken px-3 py-2 text-xs wrap-anywhere whitespace-pre-wrap"
        dir="ltr"
      >
        {text}
      </pre>
    </div>
  );
}

const periods = [7, 30, 90] as const;
const figures = ["chats", "visitors", "tokens", "cost"] as const;

/** Visitors' questions by day, and the cost of the answers. */
export function WidgetUsageDialog({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation("widgets");
  const [days, setDays] = useState(30);
  const usage = useQuery(widgetUsageQuery(widget.id, lastDays(days)));
  return (
    <Dialog
      open
      onClose={onClose}
      className="w-[min(680px,100vw-24px)]"
      title={t("usage.title", { name: nameOfWidget(widget) })}
      description={t("usage.text")}
    >
      <div>
        <Segmented
          label={t("usage.period")}
          value={String(days)}
          options={periods.map((each) => ({
            value: String(each),
            label: t("usage.days", { count: each }),
          }))}
          onChange={(chosen) => setDays(Number(chosen))}
        />
      </div>
      {usage.error && (
        <FailedQuery
          title={t("usage.loadFailed")}
          retryLabel={t("usage.retry")}
          error={usage.error}
          retry={() => void usage.refetch()}
        />
      )}
      {usage.isPending && (
        <div className="grid gap-3" role="status" aria-busy="true" aria-label={t("usage.loading")}>
          <Skeleton />
          <Skeleton />
        </div>
      )}
      {usage.data && (
        <>
          <Totals use={usage.data.totals} />
          {usage.data.days.length === 0 ? (
            <p className="py-4 text-center text-fg-3">{t("usage.empty")}</p>
          ) : (
            <Days days={usage.data.days.toReversed()} />
          )}
        </>
      )}
      <DialogFooter>
        <Link
          to="/settings/usage"
          search={{ widgetId: widget.id, ...lastDays(days) }}
          className={buttonStyles({ variant: "quiet" })}
        >
          {t("usage.details")}
        </Link>
        <Button onClick={onClose}>{t("usage.close")}</Button>
      </DialogFooter>
    </Dialog>
  );
}

function useFigures(): (use: WidgetUse) => Record<(typeof figures)[number], string> {
  const { t } = useTranslation("widgets");
  return (use) => ({
    chats: formatNumber(use.chats),
    visitors: formatNumber(use.visitors),
    tokens: formatNumber(use.inputTokens + use.outputTokens),
    cost: formatKnownCost(use) ?? t("usage.unknown"),
  });
}

function Totals({ use }: { use: WidgetUse }) {
  const { t } = useTranslation("widgets");
  const shown = useFigures()(use);
  return (
    <dl className="grid grid-cols-4 gap-3 max-md:grid-cols-2">
      {figures.map((name) => (
        <div key={name} className="min-w-0 rounded-md border border-line bg-raised px-4 py-3">
          <dt className="text-xs text-fg-3">{t(`usage.${name}`)}</dt>
          <dd className="truncate text-xl font-semibold tracking-tight tabular-nums">
            {shown[name]}
          </dd>
          {name === "cost" && use.unpriced > 0 && formatKnownCost(use) !== null && (
            <dd className="text-xs text-fg-3">{t("usage.unpriced", { count: use.unpriced })}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Days({ days }: { days: (WidgetUse & { day: string })[] }) {
  const { t } = useTranslation("widgets");
  const show = useFigures();
  return (
    <div
      className="max-h-[320px] overflow-auto rounded-md border border-line whitespace-nowrap"
      tabIndex={0}
    >
      <table
        className="w-full text-start tabular-nums max-md:text-xs"
        aria-label={t("usage.byDay")}
      >
        <thead className="sticky top-0 z-1 bg-overlay text-xs text-fg-3">
          <tr>
            <th className="px-3 py-2 text-start font-normal">{t("usage.day")}</th>
            {figures.map((name) => (
              <th key={name} className="px-3 py-2 text-end font-normal max-md:px-1.5">
                {t(`usage.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((each) => (
            <tr key={each.day} className="border-t border-subtle">
              <th scope="row" className="px-3 py-2 text-start font-normal">
                {formatDay(each.day)}
              </th>
              {figures.map((name) => (
                <td key={name} className="px-3 py-2 text-end max-md:px-1.5">
                  {show(each)[name]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
