import { longestStepText, type RunStep } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { stepQuery, type StepAddress } from "../api/steps.ts";
import { findPassages, type ResultPassage } from "../state/step-result.ts";
import { SafeText, TextBox } from "./safe-text.tsx";

/** A text this long may have been cut: the server cuts at whole characters, so a few units earlier. */
const cutFrom = longestStepText - 100;

/** JSON with line breaks and indentation; other text unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // cut off, or as a model wrote it
  }
}

/** The parameters of a call by name, if they can be shown one by one; long texts as they are. */
function parametersOf(input: string): [name: string, value: string][] | null {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value);
    return entries.every(([, each]) => typeof each !== "object")
      ? entries.map(([name, each]) => [name, String(each)])
      : null;
  } catch {
    return null;
  }
}

const copyOf = (passages: readonly ResultPassage[]): string =>
  passages.map(({ title, text }) => (title === null ? text : `${title}\n\n${text}`)).join("\n\n");

/** What a step was called with and what came out; rendered only while it is open. */
export function StepDetail({
  id,
  step,
  address,
  onRetry,
}: {
  id: string;
  step: RunStep;
  address: StepAddress | null;
  /** null while the answer is being written, or if its steps aren't kept. */
  onRetry: (() => void) | null;
}) {
  const { t } = useTranslation("steps");
  const [isWhole, setWhole] = useState(false);
  const isCut = step.input.length >= cutFrom || (step.result?.length ?? 0) >= cutFrom;
  const whole = useQuery({
    ...stepQuery(address ?? { id: "", step: step.id }, step.state),
    enabled: isWhole && address !== null,
  });
  const input = whole.data?.input ?? step.input;
  const result = whole.data ? whole.data.result : step.result;
  const parameters = parametersOf(input);
  const passages = result === null ? null : findPassages(step, result);
  return (
    <div
      id={id}
      className="my-1 ms-2 grid grid-cols-1 gap-2.5 border-s-2 border-line ps-3.5 pb-1 text-sm"
    >
      <Outcome step={step} />
      {input !== "{}" && (
        <Section title={t("input")} copied={prettyJson(input)}>
          {parameters === null ? (
            <TextBox label={t("input")} text={prettyJson(input)} />
          ) : (
            <dl className="grid grid-cols-1 gap-1.5">
              {parameters.map(([name, value]) => (
                <div key={name} className="grid grid-cols-1 gap-0.5">
                  <dt className="font-mono text-2xs text-fg-3">{name}</dt>
                  <dd className="min-w-0">
                    <TextBox label={name} text={value} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Section>
      )}
      {result !== null && (
        <Section title={t("result")} copied={passages === null ? result : copyOf(passages)}>
          {passages === null ? (
            <TextBox
              label={t("result")}
              text={result === "" ? t("resultNone") : prettyJson(result)}
            />
          ) : (
            <ol className="grid grid-cols-1 gap-2">
              {passages.map(({ number, title, text }) => (
                <li key={number} className="grid min-w-0 grid-cols-1 gap-0.5">
                  <p className="flex min-w-0 gap-1.5 text-xs">
                    <span className="flex-none text-fg-3 tabular-nums">{number}</span>
                    <b className="min-w-0 wrap-anywhere" dir="auto">
                      <SafeText text={title ?? t("passage")} />
                    </b>
                  </p>
                  <TextBox label={title ?? t("passage")} text={text} />
                </li>
              ))}
            </ol>
          )}
        </Section>
      )}
      {step.form?.answers && <Answers form={step.form} />}
      {isCut && address !== null && whole.data === undefined && (
        <div className="flex items-center gap-2">
          <Button
            size="sm"
            disabled={whole.isFetching}
            onClick={() => (isWhole ? void whole.refetch() : setWhole(true))}
          >
            {t("showAll")}
          </Button>
          {whole.isError && (
            <span className="text-danger" role="alert">
              {t("showAllFailed", { message: whole.error.message })}
            </span>
          )}
        </div>
      )}
      {onRetry && (
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Button size="sm" onClick={onRetry}>
            <RotateCcw className="size-3.5 stroke-2" aria-hidden="true" />
            {t("retry")}
          </Button>
          <span className="text-xs text-fg-3">{t("retryHelp")}</span>
        </div>
      )}
    </div>
  );
}

/** Why it came to nothing, or who allowed it. */
function Outcome({ step: { state, fault, approval } }: { step: RunStep }) {
  const { t } = useTranslation("steps");
  const decision = approval?.decision ?? null;
  if (state === "failed")
    return (
      <p className="text-danger">
        <FaultText fault={fault} fallback={t("failedUnknown")} />
      </p>
    );
  if (state === "denied") {
    if (decision === "timed-out") return <p>{t("stateHelp.timedOut")}</p>;
    if (decision === "denied") return <p>{t("stateHelp.denied")}</p>;
    // Nobody was asked: an admin forbids it, or nobody could be.
    return (
      <p>
        <FaultText fault={fault} fallback={t("stateHelp.refused")} />
      </p>
    );
  }
  if (state === "unknown" || state === "stopped") return <p>{t(`stateHelp.${state}`)}</p>;
  return decision === null ? null : (
    <p className="text-fg-3">{t(`approval.decided.${decision}`)}</p>
  );
}

function Section({
  title,
  copied,
  children,
}: {
  title: string;
  copied: string;
  children: ReactNode;
}) {
  return (
    <section className="grid min-w-0 grid-cols-1 gap-1">
      <h4 className="flex items-center gap-1 text-xs font-medium text-fg-3">
        {title}
        <CopyButton text={() => copied} className="size-6 [&_svg]:size-3.5" />
      </h4>
      {children}
    </section>
  );
}

function Answers({ form }: { form: NonNullable<RunStep["form"]> }) {
  const { t } = useTranslation("steps");
  return (
    <dl className="grid grid-cols-1 gap-1.5">
      {form.questions.map(({ question }, index) => {
        const answer = form.answers?.[index] ?? null;
        return (
          <div key={index}>
            <dt className="text-fg-3" dir="auto">
              {question}
            </dt>
            <dd className="wrap-anywhere whitespace-pre-line" dir="auto">
              {answer === null ? t("form.skipped") : [answer].flat().join("\n")}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
