import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import "../../../styles/workspace-settings.css";
import "../texts.ts";
import { formatNumber } from "../../../lib/format.ts";
import { defaultPromptQuery, saveDefaultPrompt } from "../api/prompt.ts";
import { PromptVariables } from "./prompt-variables.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { TextArea } from "./text-area.tsx";

/** What the server takes of it (contracts, setDefaultSystemPrompt). */
const longest = 50_000;

/**
 * What the model is told in workspaces that have no prompt of their own: the built-in one, or the
 * instance's.
 */
export function DefaultPromptPage() {
  const { t } = useTranslation("workspace");
  const query = useQuery(defaultPromptQuery);
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  if (query.error)
    return (
      <div className="set-body">
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void query.refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>
            <b>{t("standardFailed")}</b>
          </p>
          <p>{query.error.message}</p>
        </Notice>
      </div>
    );
  if (!query.data)
    return (
      <div className="set-body grid content-start gap-4" aria-busy="true" aria-label={t("loading")}>
        {[40, 70, 55].map((width) => (
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  const { defaultSystemPrompt: saved, saneDefaultSystemPrompt: builtIn } = query.data;
  const value = typed ?? saved;
  const isBuiltIn = value.trim() === "" || value.trim() === builtIn.trim();
  const fault =
    value.length > longest ? t("standardLong", { most: formatNumber(longest) }) : undefined;
  const save = async (): Promise<void> => {
    await saveDefaultPrompt(isBuiltIn ? "" : value);
    setTyped(null);
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
      <section aria-label={t("standard")}>
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
              <button
                type="button"
                className="btn quiet sm"
                onClick={() => {
                  setTyped(builtIn);
                  area.current?.focus();
                }}
              >
                <RotateCcw className="i sm" aria-hidden="true" />
                {t("standardReset")}
              </button>
            )
          }
        />
        <PromptVariables area={area} value={value} onChange={setTyped} />
      </section>
    </SettingsForm>
  );
}
