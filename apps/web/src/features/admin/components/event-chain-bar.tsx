import { Check, ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber, formatTime } from "../../../lib/format.ts";
import { useVerifyEvents, type EventLogState, type EventVerification } from "../api/events.ts";
import { EventChainDialog } from "./event-chain-dialog.tsx";

/** Faults that have a text; others show the server's reason. */
const faults = [
  "changed",
  "missing",
  "order",
  "link",
  "anchor",
  "anchor-missing",
  "anchor-order",
  "checkpoint",
  "signature",
  "key",
  "tail",
  "unchained",
  "outside-anchor",
] as const;

/** Whether the log is intact: its last anchor, and its verification on request. */
export function EventChainBar({ state }: { state: EventLogState }) {
  const { t } = useTranslation("admin");
  const [open, setOpen] = useState(false);
  const verify = useVerifyEvents();
  const { lastAnchor } = state;
  const Icon = verify.data?.verified === false ? ShieldAlert : ShieldCheck;
  return (
    <div className="grid flex-none grid-cols-1 gap-3 border-t border-subtle px-6 py-3 max-md:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-md:[&>button]:flex-1">
        <span className="flex min-w-0 items-center gap-2 text-xs text-fg-2 max-md:w-full">
          <Icon className="size-4 flex-none text-fg-3" aria-hidden="true" />
          {lastAnchor === null
            ? t("events.noAnchor")
            : t(lastAnchor.sequence === 0 ? "events.anchoredEmpty" : "events.anchored", {
                time: formatTime(Date.parse(lastAnchor.signedAt)),
                entry: formatNumber(lastAnchor.sequence),
              })}
        </span>
        <span className="flex-1 max-md:hidden" />
        <Button size="sm" onClick={() => setOpen(true)}>
          {t("events.chainOpen")}
        </Button>
        <Button size="sm" disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? t("events.verifying") : t("events.verify")}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {verify.data?.verified === true && <Verified verification={verify.data} />}
      </div>
      {verify.data?.fault && <Fault fault={verify.data.fault} />}
      {open && <EventChainDialog state={state} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Verified({
  verification: { events, first, last, anchors },
}: {
  verification: EventVerification;
}) {
  const { t } = useTranslation("admin");
  return (
    <p className="flex items-center gap-1.5 text-xs text-success">
      <Check className="size-3.5 flex-none stroke-2" aria-hidden="true" />
      {t("events.verified", {
        count: events,
        number: formatNumber(events),
        first: formatNumber(first?.sequence ?? 0),
        last: formatNumber(last?.sequence ?? 0),
        anchors: t("events.anchors", { count: anchors, number: formatNumber(anchors) }),
      })}
    </p>
  );
}

function Fault({ fault }: { fault: NonNullable<EventVerification["fault"]> }) {
  const { t } = useTranslation("admin");
  const code = faults.find((each) => each === fault.code);
  return (
    <Notice kind="bad">
      <p>
        <b>{t("events.notVerified")}</b>
      </p>
      <p>
        {code === undefined
          ? fault.reason
          : t(`events.fault.${code}`, { entry: formatNumber(fault.sequence ?? 0) })}
      </p>
    </Notice>
  );
}
