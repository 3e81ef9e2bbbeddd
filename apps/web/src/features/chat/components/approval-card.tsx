import type { ApprovalDecision, ApprovalRequest, RunStep } from "@carrel/contracts";
import { ShieldAlert, ShieldQuestion } from "lucide-react";
import { Suspense, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { errorMessage } from "../../../lib/fault.ts";
import { formatNumber } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { toast } from "../../../lib/toast.ts";
import { decide, type StepAddress } from "../api/steps.ts";
import { hostForms, hostIn } from "../state/safe-text.ts";
import { useSecondsLeft } from "../state/seconds-left.ts";
import { sayStep, verbOf } from "../state/step-words.ts";
import { SafeText, TextBox } from "./safe-text.tsx";
import { TimeLeft } from "./time-left.tsx";

const ScheduleWords = lazyPart(() => import("./schedule-words.tsx"));

/**
 * How long the buttons are disabled after the card appears (ms): a click or a key meant for what was
 * there before must not approve anything.
 */
const restingMs = 500;

/** Asks whether a tool may do something, and shows everything that it would send or change. */
export function ApprovalCard({
  step,
  approval,
  address,
}: {
  step: RunStep;
  approval: ApprovalRequest;
  address: StepAddress;
}) {
  const { t } = useTranslation("steps");
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const [isResting, setResting] = useState(true);
  const [sent, setSent] = useState<ApprovalDecision | null>(null);
  const seconds = useSecondsLeft(approval.expiresAt);
  const isOver = seconds <= 0;
  useEffect(() => {
    // Only if nothing has the focus, such as after the previous card's button has gone.
    if (document.activeElement === null || document.activeElement === document.body)
      card.current?.focus({ preventScroll: true });
    const timer = setTimeout(() => setResting(false), restingMs);
    return () => clearTimeout(timer);
  }, []);
  const choose = async (decision: ApprovalDecision): Promise<void> => {
    setSent(decision);
    try {
      if (!(await decide(address, decision))) toast.info(t("approval.late"));
    } catch (error) {
      setSent(null);
      toast.error(t("approval.failed", { message: errorMessage(error) }));
    }
  };
  const Icon = approval.reason === "untrusted" ? ShieldAlert : ShieldQuestion;
  const button = (decision: ApprovalDecision, label: string, isFirst = false, help?: string) => (
    <Button
      size="sm"
      variant={isFirst ? "primary" : "outline"}
      disabled={isResting || isOver || sent !== null}
      title={help}
      onClick={() => void choose(decision)}
    >
      {label}
    </Button>
  );
  return (
    <div
      ref={card}
      role="group"
      tabIndex={-1}
      aria-label={t("approval.label", { action: sayStep(t, step, "do") })}
      aria-describedby={id}
      className="my-1.5 animate-appear rounded-md border border-warning-line bg-raised outline-offset-2 motion-reduce:animate-none"
      data-approval
      // A key that is held down, from a field or another button, presses nothing here.
      onKeyDown={(event: KeyboardEvent) => {
        if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
      }}
    >
      <div className="flex gap-2.5 rounded-t-[inherit] border-b border-warning-line bg-warning-subtle px-3 py-2.5">
        <Icon className="mt-0.5 size-4 flex-none text-warning" aria-hidden="true" />
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">
            {verbOf(t, step, "do")}
            {step.object !== null && (
              <bdi className="ms-1.5 font-normal text-fg-2">
                <SafeText text={step.object} />
              </bdi>
            )}
          </p>
          <p id={id} className="text-fg-2">
            {t(`approval.reason.${approval.reason}`)}
          </p>
        </div>
      </div>
      {(approval.destination !== null || approval.details.length > 0) && (
        <dl className="grid grid-cols-1 gap-2.5 px-3 pt-3">
          {approval.destination !== null && (
            <div className="grid grid-cols-1 gap-0.5">
              <dt className="text-xs text-fg-3">{t("approval.destination")}</dt>
              <dd className="min-w-0">
                <Address value={approval.destination} />
              </dd>
            </div>
          )}
          {approval.details.map(({ label: name, value }, index) => {
            const label = labelOf(step, name);
            return (
              <div key={index} className="grid grid-cols-1 gap-0.5">
                <dt className="text-xs text-fg-3 wrap-anywhere">
                  <SafeText text={label} />
                </dt>
                <dd className="min-w-0">
                  {hostIn(value) === null ? (
                    <Value label={label} value={value} />
                  ) : (
                    <Address value={value} />
                  )}
                  {step.tool === "create-scheduled-job" && name === "schedule" && (
                    <Suspense fallback={<p className="mt-1">{"\u00a0"}</p>}>
                      <ScheduleWords written={value} />
                    </Suspense>
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      <div className="flex flex-wrap items-center gap-2 p-3 max-md:grid max-md:grid-cols-2 max-md:[&>button]:min-h-11 max-md:[&>button]:px-1">
        {button("once", t("approval.once"), true)}
        {button("run", t("approval.run"), false, t("approval.runHelp"))}
        {approval.canBeLasting &&
          button("always", t("approval.always"), false, t("approval.alwaysHelp"))}
        {button("denied", t("approval.deny"))}
        <span className="ms-auto text-xs text-fg-3 tabular-nums max-md:col-span-2 max-md:ms-0 max-md:text-center">
          {isOver ? t("approval.expired") : <TimeLeft seconds={seconds} />}
        </span>
      </div>
    </div>
  );
}

/** Names of our own tools' parameters as words: `dateFrom`, `date_from` → "Date from". */
function labelOf({ skill }: RunStep, name: string): string {
  if (skill.startsWith("mcp:") || !/^[a-z][A-Za-z0-9_]*$/.test(name)) return name;
  const words = name.replace(/_+|(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Longer values say how long they are, because they may not fit their box. */
const longValue = 400;

function Value({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation("steps");
  const lines = value.split("\n").length;
  return (
    <>
      <TextBox label={label} text={value} className="max-h-48 max-md:max-h-48" />
      {(value.length > longValue || lines > 8) && (
        <p className="mt-0.5 text-2xs text-fg-3 tabular-nums">
          {t("approval.size", {
            characters: formatNumber(value.length),
            lines: formatNumber(lines),
          })}
        </p>
      )}
    </>
  );
}

/** An address in the order of its characters, with both forms of a host that has other letters. */
function Address({ value }: { value: string }) {
  const { t } = useTranslation("steps");
  const host = hostIn(value);
  const forms = host === null ? null : hostForms(host);
  return (
    <>
      <bdo
        dir="ltr"
        className="block max-h-48 overflow-auto rounded-sm border border-subtle bg-sunken px-2.5 py-1.5 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap"
        // Scrollable by keyboard.
        tabIndex={value.length > longValue ? 0 : undefined}
      >
        <SafeText text={value} />
      </bdo>
      {forms && (
        <div className="mt-1 grid grid-cols-1 gap-0.5 text-xs text-warning">
          <p>{t("approval.lookalike")}</p>
          <p className="font-mono wrap-anywhere" dir="ltr">
            {t("approval.asAscii", { host: forms.ascii })}
          </p>
          {forms.unicode !== host && (
            <p className="font-mono wrap-anywhere" dir="ltr">
              {t("approval.asUnicode", { host: forms.unicode })}
            </p>
          )}
        </div>
      )}
    </>
  );
}
