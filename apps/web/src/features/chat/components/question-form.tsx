import type { FormQuestion, RunStep } from "@carrel/contracts";
import { CircleHelp } from "lucide-react";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input, Textarea } from "../../../components/ui/field.tsx";
import { cn } from "../../../lib/cn.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { toast } from "../../../lib/toast.ts";
import { answer, type StepAddress } from "../api/steps.ts";
import {
  answerOf,
  changeEntry,
  entryOf,
  useEntries,
  type FormEntry,
} from "../state/form-answers.ts";
import { useSecondsLeft } from "../state/seconds-left.ts";
import { SafeText } from "./safe-text.tsx";
import { TimeLeft } from "./time-left.tsx";

/** Questions that an agent needs answered before it continues; all are optional. */
export function QuestionForm({
  id,
  form,
  address,
}: {
  id: string;
  form: NonNullable<RunStep["form"]>;
  address: StepAddress;
}) {
  const { t } = useTranslation("steps");
  const box = useRef<HTMLFormElement>(null);
  const [isSent, setSent] = useState(false);
  const entries = useEntries(id);
  const seconds = useSecondsLeft(form.expiresAt);
  const isOver = seconds <= 0;
  const answers = form.questions.map((question, index) =>
    answerOf(question, entryOf(entries, index)),
  );
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      box.current?.focus({ preventScroll: true });
  }, []);
  const send = async (given: typeof answers): Promise<void> => {
    if (isSent) return;
    setSent(true);
    try {
      if (!(await answer(address, given))) toast.info(t("approval.late"));
    } catch (error) {
      setSent(false);
      toast.error(t("form.failed", { message: errorMessage(error) }));
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const empty = answers.indexOf(null);
    const { activeElement } = document;
    // Enter in a field goes to the next question without an answer before it sends them.
    if (
      empty !== -1 &&
      activeElement instanceof HTMLInputElement &&
      activeElement.type !== "submit"
    ) {
      const next = box.current?.querySelector<HTMLElement>(
        `[data-question-index="${empty}"] :is(input, textarea)`,
      );
      if (next && next !== activeElement) return next.focus();
    }
    if (answers.some((each) => each !== null)) void send(answers);
  };
  return (
    <form
      ref={box}
      noValidate
      tabIndex={-1}
      aria-label={t("form.label")}
      className="my-1.5 grid animate-appear grid-cols-1 gap-4 rounded-md border border-accent-line bg-raised p-3 outline-offset-2 motion-reduce:animate-none"
      data-form
      onSubmit={submit}
      // Elsewhere Esc stops the answer.
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        (document.activeElement as HTMLElement | null)?.blur();
      }}
    >
      {form.questions.map((question, index) => (
        <Question
          key={index}
          question={question}
          index={index}
          entry={entryOf(entries, index)}
          isDisabled={isOver || isSent}
          onChange={(change) => changeEntry(id, index, change)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2 max-md:grid max-md:grid-cols-2 max-md:[&>button]:min-h-11">
        <Button
          type="submit"
          size="sm"
          variant="primary"
          disabled={isOver || isSent || answers.every((each) => each === null)}
        >
          {t("form.send")}
        </Button>
        <Button
          size="sm"
          variant="quiet"
          disabled={isOver || isSent}
          onClick={() => void send(form.questions.map(() => null))}
        >
          {t("form.skip")}
        </Button>
        <span className="ms-auto text-xs text-fg-3 tabular-nums max-md:col-span-2 max-md:ms-0 max-md:text-center">
          {isOver ? t("form.expired") : <TimeLeft seconds={seconds} />}
        </span>
      </div>
    </form>
  );
}

function Question({
  question,
  index,
  entry,
  isDisabled,
  onChange,
}: {
  question: FormQuestion;
  index: number;
  entry: FormEntry;
  isDisabled: boolean;
  onChange: (change: Partial<FormEntry>) => void;
}) {
  const { t } = useTranslation("steps");
  const id = useId();
  const title = (
    <span className="flex gap-2 font-medium wrap-anywhere" dir="auto">
      {index === 0 && (
        <CircleHelp className="mt-0.5 size-4 flex-none text-accent" aria-hidden="true" />
      )}
      <span className={index === 0 ? undefined : "ps-6 max-md:ps-0"}>
        <SafeText text={question.question} />
      </span>
    </span>
  );
  if (question.kind === "input") {
    const field = {
      id,
      disabled: isDisabled,
      value: entry.text,
      placeholder: question.placeholder,
      dir: "auto" as const,
      autoComplete: "off",
    };
    return (
      <div className="grid grid-cols-1 gap-2" data-question-index={index}>
        <label htmlFor={id}>{title}</label>
        <div className="ps-6 max-md:ps-0">
          {question.inputType === "textarea" ? (
            <Textarea
              {...field}
              rows={3}
              maxLength={10_000}
              onChange={({ target }) => onChange({ text: target.value })}
            />
          ) : (
            <Input
              {...field}
              type={question.inputType}
              maxLength={10_000}
              onChange={({ target }) => onChange({ text: target.value })}
            />
          )}
        </div>
      </div>
    );
  }
  const { options, optionDescriptions, multiSelect, allowOther } = question;
  const type = multiSelect ? "checkbox" : "radio";
  const pick = (option: string, isChosen: boolean): void =>
    onChange(
      multiSelect
        ? {
            chosen: isChosen
              ? [...entry.chosen, option]
              : entry.chosen.filter((each) => each !== option),
          }
        : { chosen: [option], other: null },
    );
  return (
    <fieldset
      className="grid min-w-0 grid-cols-1 gap-1"
      data-question-index={index}
      disabled={isDisabled}
    >
      <legend className="mb-1.5">
        {title}
        {multiSelect && (
          <span className="ps-6 text-xs font-normal text-fg-3 max-md:ps-0">
            {t("form.several")}
          </span>
        )}
      </legend>
      {options.map((option, place) => (
        <label key={place} className={choiceRow}>
          <input
            type={type}
            name={id}
            className={choiceMark}
            checked={entry.chosen.includes(option)}
            onChange={({ target }) => pick(option, target.checked)}
          />
          <span className="min-w-0 wrap-anywhere" dir="auto">
            <SafeText text={option} />
            {optionDescriptions[place] && (
              <span className="block text-xs text-fg-3">
                <SafeText text={optionDescriptions[place]} />
              </span>
            )}
          </span>
        </label>
      ))}
      {allowOther && (
        <div className={cn(choiceRow, "items-center has-[input[type=text]]:py-0.5")}>
          <label className="flex items-center gap-2.5 self-stretch">
            <input
              type={type}
              name={id}
              className={cn(choiceMark, "mt-0")}
              checked={entry.other !== null}
              onChange={({ target }) =>
                onChange({
                  other: target.checked ? (entry.other ?? "") : null,
                  ...(multiSelect ? {} : { chosen: [] }),
                })
              }
            />
            {t("form.other")}
          </label>
          {entry.other !== null && (
            <Input
              className="h-8 min-w-0 flex-1 max-md:h-11"
              aria-label={t("form.otherText")}
              placeholder={t("form.otherText")}
              maxLength={1_000}
              type="text"
              dir="auto"
              autoFocus
              value={entry.other}
              onChange={({ target }) => onChange({ other: target.value })}
            />
          )}
        </div>
      )}
    </fieldset>
  );
}

const choiceRow =
  "ms-4 flex min-h-8 items-start gap-2.5 rounded-sm px-2 py-1.5 hover:bg-hover has-checked:bg-accent-subtle max-md:-ms-2 max-md:min-h-11 max-md:py-2.5";
const choiceMark = "mt-0.5 size-4 flex-none accent-(--accent-solid)";
