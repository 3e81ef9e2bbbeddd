import { useSuspenseQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Field, FieldHelp, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { sentenceSpace } from "../../../lib/format.ts";
import { keys, readStored } from "../../../lib/session-storage.ts";
import { surveyQuery, useSendSurvey, type SurveyAnswers } from "../state/steps.ts";
import { StepPage } from "./onboarding-frame.tsx";

const useCases = ["job", "personal", "other"] as const;

/** Asks who uses Carrel and for what. Nothing is sent unless Send is pressed. */
export function SurveyStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("onboarding");
  const { data } = useSuspenseQuery(surveyQuery);
  const send = useSendSurvey();
  const id = useId();
  const [wasSent] = useState(() => readStored(keys.questionnaire) !== null);
  const [answers, setAnswers] = useState<SurveyAnswers>({
    email: "",
    useCase: "other",
    comment: "",
  });
  const [problem, setProblem] = useState<string | null>(null);
  const change = (part: Partial<SurveyAnswers>): void => {
    setAnswers({ ...answers, ...part });
    if (part.email !== undefined) setProblem(null);
  };
  const page = { title: t("survey.title"), sentence: t("survey.sentence") };
  const onward = (
    <Button variant="primary" onClick={onDone}>
      {t("continue")}
      <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
    </Button>
  );
  if (wasSent || send.isSuccess)
    return (
      <StepPage {...page} back="data-handling" footer={onward}>
        <div role="status">
          <Notice kind="info">
            <p>
              <b>{t("survey.thanks")}</b>
              {sentenceSpace()}
              {t("survey.thanksText")}
            </p>
          </Notice>
        </div>
      </StepPage>
    );
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (send.isPending) return;
    const email = answers.email.trim();
    // The browser validates the address.
    const { validity } = event.currentTarget.elements.namedItem("email") as HTMLInputElement;
    if (email === "") return setProblem(t("survey.emailMissing"));
    if (!validity.valid) return setProblem(t("survey.emailInvalid"));
    send.mutate({ ...answers, email, comment: answers.comment.trim() });
  };
  return (
    <StepPage
      {...page}
      back="data-handling"
      footer={
        <>
          <Button variant="quiet" onClick={onDone}>
            {t("survey.skip")}
          </Button>
          <Button type="submit" form="survey" variant="primary" disabled={send.isPending}>
            {send.isPending ? t("survey.sending") : t("survey.send")}
          </Button>
        </>
      }
    >
      <form id="survey" className="grid grid-cols-1 gap-6" onSubmit={onSubmit} noValidate>
        <TextField
          label={t("survey.email")}
          type="email"
          name="email"
          autoComplete="email"
          required
          maxLength={320}
          dir="ltr"
          help={t("survey.emailHelp")}
          problem={problem}
          value={answers.email}
          onChange={(event) => change({ email: event.target.value })}
        />
        <div className="grid gap-2">
          <h2 className="font-medium">{t("survey.useCase")}</h2>
          <ChoiceCards
            name="use-case"
            label={t("survey.useCase")}
            value={answers.useCase}
            options={useCases.map((value) => ({ value, label: t(`survey.${value}`) }))}
            onChange={(useCase) => change({ useCase })}
          />
        </div>
        <Field>
          <FieldLabel htmlFor={`${id}-comment`}>
            <span>
              {t("survey.comment")} <span className="font-regular text-fg-3">{t("optional")}</span>
            </span>
          </FieldLabel>
          <Textarea
            id={`${id}-comment`}
            rows={3}
            maxLength={5_000}
            dir="auto"
            aria-describedby={`${id}-help`}
            value={answers.comment}
            onChange={(event) => change({ comment: event.target.value })}
          />
          <FieldHelp id={`${id}-help`}>{t("survey.commentHelp")}</FieldHelp>
        </Field>
        {data.address !== null && (
          <p className="text-xs text-fg-3">
            {t("survey.destination", { host: new URL(data.address).host })}
          </p>
        )}
        {send.error && (
          <Notice kind="bad">
            <p>{t("survey.failed", { message: send.error.message })}</p>
          </Notice>
        )}
      </form>
    </StepPage>
  );
}
