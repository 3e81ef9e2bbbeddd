import { ArrowRight } from "lucide-react";
import { useEffect, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { DataHandling } from "../../../components/provider/data-handling.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import "../../../lib/settings-texts.ts";
import { toast } from "../../../lib/toast.ts";
import { useFinishOnboarding } from "../api/onboarding.ts";
import type { Step } from "../state/steps.ts";
import { StepPage } from "./onboarding-frame.tsx";

/** Time to read that it worked (specification 1, section 4). */
const leaveMs = 1_000;

/** Names the first workspace, which completes the wizard. */
export function WorkspaceStep({ onDone, back }: { onDone: () => void; back: Step }) {
  const { t } = useTranslation("onboarding");
  const [name, setName] = useState("");
  const finish = useFinishOnboarding();
  const isDone = finish.isSuccess;
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(onDone, leaveMs);
    return () => clearTimeout(timer);
  }, [isDone, onDone]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "" || finish.isPending || isDone) return;
    finish.mutate(
      { name: name.trim() },
      // It says where the app is going, so it ends once the app is there.
      { onSuccess: () => toast.brief(t("workspace.created"), leaveMs) },
    );
  };
  return (
    <StepPage
      title={t("workspace.title")}
      sentence={t("workspace.sentence")}
      back={back}
      focusesHeading={false}
      footer={
        <Button
          type="submit"
          form="workspace"
          variant="primary"
          disabled={name.trim() === "" || finish.isPending || isDone}
        >
          {finish.isPending ? t("workspace.creating") : t("workspace.action")}
        </Button>
      }
    >
      <form id="workspace" onSubmit={onSubmit} noValidate>
        <TextField
          label={t("workspace.name")}
          height="lg"
          maxLength={255}
          autoFocus
          autoComplete="off"
          dir="auto"
          placeholder={t("workspace.placeholder")}
          problem={finish.error && t("workspace.failed", { message: finish.error.message })}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            if (finish.isError) finish.reset();
          }}
        />
      </form>
    </StepPage>
  );
}

/** A summary of what was chosen and where data goes. */
export function DataStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation("onboarding");
  return (
    <StepPage
      title={t("data.title")}
      sentence={t("data.sentence")}
      back="user-setup"
      footer={
        <Button variant="primary" onClick={onDone}>
          {t("continue")}
          <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
        </Button>
      }
    >
      <DataHandling />
    </StepPage>
  );
}
