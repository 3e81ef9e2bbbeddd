import { useSuspenseQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { defaultPromptQuery, useSaveDefaultPrompt } from "../api/prompt.ts";
import "../texts.ts";
import { PromptVariables } from "./prompt-variables.tsx";
import { SettingsForm, TextArea } from "./settings-form.tsx";

/** The server's limit (contracts, setDefaultSystemPrompt). */
const maxLength = 50_000;

/** The system prompt of workspaces without their own: the built-in one or the instance's. */
export function DefaultPromptPage() {
  const { t } = useTranslation("workspace");
  const words = { loading: t("loading"), failed: t("standardFailed"), retry: t("retry") };
  return (
    <PageBoundary words={words}>
      <DefaultPromptForm />
    </PageBoundary>
  );
}

function DefaultPromptForm() {
  const { t } = useTranslation("workspace");
  const { data } = useSuspenseQuery(defaultPromptQuery);
  const savePrompt = useSaveDefaultPrompt();
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const { defaultSystemPrompt: saved, saneDefaultSystemPrompt: builtIn } = data;
  const value = typed ?? saved;
  const isBuiltIn = value.trim() === "" || value.trim() === builtIn.trim();
  const fault =
    value.length > maxLength ? t("standardLong", { max: formatNumber(maxLength) }) : undefined;
  const save = async () => {
    await savePrompt.mutateAsync(isBuiltIn ? "" : value);
    setTyped(null);
    return () => savePrompt.mutateAsync(saved.trim() === builtIn.trim() ? "" : saved);
  };
  return (
    <SettingsForm
      label={t("standard")}
      done={t("standardSaved")}
      changes={value === saved ? 0 : 1}
      faults={fault ? 1 : 0}
      onSave={save}
      onDiscard={() => setTyped(null)}
    >
      <section className="grid grid-cols-1 gap-4" aria-label={t("standard")}>
        <TextArea
          ref={area}
          label={t("promptLabel")}
          rows={12}
          dir="auto"
          value={value}
          placeholder={builtIn}
          problem={fault}
          onChange={(event) => setTyped(event.target.value)}
          help={
            value.trim() === ""
              ? t("standardEmpty")
              : isBuiltIn
                ? t("standardBuiltIn")
                : t("standardOwn")
          }
          extra={
            value !== builtIn && (
              <Button
                variant="quiet"
                size="sm"
                onClick={() => {
                  setTyped(builtIn);
                  area.current?.focus();
                }}
              >
                <RotateCcw className="size-3.5 stroke-2" aria-hidden="true" />
                {t("standardReset")}
              </Button>
            )
          }
        />
        <PromptVariables area={area} value={value} onChange={setTyped} />
      </section>
    </SettingsForm>
  );
}
