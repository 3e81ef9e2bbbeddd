import { Check, ShieldAlert, ShieldCheck } from "lucide-react";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldHelp, FieldLabel, Select } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatDays } from "../../../lib/format-usage.ts";
import { formatNumber, formatTime } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  useKeepEvents,
  useVerifyEvents,
  type EventLogState,
  type EventVerification,
} from "../api/events.ts";

const usualDays = [30, 90, 180, 365, 730, 1_825, 3_650];

/** The keys that sign the log, where it starts, and how long entries are kept. */
function EventChainDialog({ state, onClose }: { state: EventLogState; onClose: () => void }) {
  const { t } = useTranslation("admin");
  const id = useId();
  const [days, setDays] = useState(state.retentionDays);
  const keep = useKeepEvents();
  const { checkpoint, lastAnchor, keys } = state;
  const choices = [
    ...new Set([...usualDays, ...(state.retentionDays === null ? [] : [state.retentionDays])]),
  ].sort((one, other) => one - other);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (keep.isPending) return;
    keep.mutate(days, {
      onSuccess: () => {
        toast.success(t("events.kept"));
        onClose();
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("events.chainTitle")}
      description={t("events.chainText")}
      className="w-[min(620px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-5" onSubmit={submit}>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm max-md:grid-cols-1 max-md:gap-y-0.5">
          <Fact name={t("events.newest")}>
            {t("events.entryNumber", { entry: formatNumber(state.sequence) })}
          </Fact>
          <Fact name={t("events.lastAnchor")}>
            {lastAnchor === null
              ? t("events.noAnchor")
              : t("events.anchoredAt", {
                  time: formatTime(Date.parse(lastAnchor.signedAt)),
                  entry: formatNumber(lastAnchor.sequence),
                })}
          </Fact>
          <Fact name={t("events.beginning")}>
            {checkpoint === null
              ? t("events.complete")
              : t(`events.removed.${checkpoint.reason}`, {
                  entry: formatNumber(checkpoint.sequence),
                  time: formatTime(Date.parse(checkpoint.signedAt)),
                })}
          </Fact>
          {keys.toReversed().map(({ fingerprint, publicKey }, index) => (
            <Fact key={fingerprint} name={t(index === 0 ? "events.publicKey" : "events.formerKey")}>
              <KeyText text={publicKey} />
              <span className="mt-1 block text-xs text-fg-3">{t("events.fingerprint")}</span>
              <KeyText text={fingerprint} />
            </Fact>
          ))}
        </dl>
        <Field>
          <FieldLabel htmlFor={id}>{t("events.retention")}</FieldLabel>
          <Select
            id={id}
            value={days ?? ""}
            aria-describedby={`${id}-help`}
            onChange={({ target }) => {
              setDays(target.value === "" ? null : Number(target.value));
              keep.reset();
            }}
          >
            <option value="">{t("events.keepAll")}</option>
            {choices.map((count) => (
              <option key={count} value={count}>
                {t("events.keepDays", { count, number: formatNumber(count) })}
              </option>
            ))}
          </Select>
          <FieldHelp id={`${id}-help`}>{t("events.retentionHelp")}</FieldHelp>
        </Field>
        {keep.error && (
          <Notice kind="bad">
            <p>{keep.error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={keep.isPending || days === state.retentionDays}
          >
            {keep.isPending ? t("saving") : t("users.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3 max-md:text-xs">{name}</dt>
    <dd className="min-w-0 wrap-anywhere max-md:mb-2">{children}</dd>
  </>
);

const KeyText = ({ text }: { text: string }) => (
  <span className="flex items-start gap-1">
    <code className="min-w-0 flex-1 font-mono text-xs/5 break-all" dir="ltr">
      {text}
    </code>
    <CopyButton text={() => text} className="-my-1" />
  </span>
);

/** Faults with a text of their own; others show the server's reason. */
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
  "outside-key",
] as const;

/** Whether the log is intact: its last anchor, and verification on request. */
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
      {verify.data?.fault && (
        <Fault fault={verify.data.fault} unknownAnchors={verify.data.unknownAnchors} />
      )}
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

function Fault({
  fault,
  unknownAnchors: { count, days },
}: {
  fault: NonNullable<EventVerification["fault"]>;
  unknownAnchors: EventVerification["unknownAnchors"];
}) {
  const { t } = useTranslation("admin");
  const code = faults.find((each) => each === fault.code);
  return (
    <Notice kind="bad">
      <p>
        <b>{t("events.notVerified")}</b>
      </p>
      {code !== "outside-key" && (
        <p>
          {code === undefined
            ? fault.reason
            : t(`events.fault.${code}`, { entry: formatNumber(fault.sequence ?? 0) })}
        </p>
      )}
      {count > 0 && (
        <p>
          {t("events.unknownAnchors", {
            count,
            number: formatNumber(count),
            days: formatDays(days[0]!, days.at(-1)!),
          })}
        </p>
      )}
    </Notice>
  );
}
