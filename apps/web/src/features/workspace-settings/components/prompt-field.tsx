import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { defaultPromptQuery } from "../api/prompt.ts";
import { PromptVariables } from "./prompt-variables.tsx";
import { TextArea } from "./text-area.tsx";

const PromptHistoryDialog = lazy(() => import("./prompt-history-dialog.tsx"));

/** The system prompt, its history, and variables to insert at the cursor. */
export function PromptField({
  slug,
  value,
  problem,
  onChange,
}: {
  slug: string;
  value: string;
  problem: string | undefined;
  onChange: (prompt: string) => void;
}) {
  const { t } = useTranslation("workspace");
  const area = useRef<HTMLTextAreaElement>(null);
  const [history, setHistory] = useState(false);
  const standard = useQuery(defaultPromptQuery).data?.defaultSystemPrompt;
  return (
    <>
      <TextArea
        ref={area}
        label={t("promptLabel")}
        rows={8}
        dir="auto"
        value={value}
        placeholder={standard}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
        help={value.trim() === "" ? t("promptEmpty") : undefined}
        extra={
          <Button variant="quiet" size="sm" onClick={() => setHistory(true)}>
            <History className="size-3.5 stroke-2" aria-hidden="true" />
            {t("earlierPrompts")}
          </Button>
        }
      />
      <PromptVariables area={area} value={value} onChange={onChange} />
      {history && (
        <Suspense>
          <PromptHistoryDialog
            slug={slug}
            onRestore={(prompt) => {
              onChange(prompt);
              setHistory(false);
            }}
            onClose={() => setHistory(false)}
          />
        </Suspense>
      )}
    </>
  );
}
