import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import "../texts.ts";
import { welcomeQuery, type WelcomeMessage } from "../../../lib/welcome-messages.ts";
import { useSaveWelcomeMessages } from "../api/welcome.ts";
import { isSame, messagesOf, rowsOf, type WelcomeRow } from "../state/welcome-rows.ts";
import { SettingsForm } from "./settings-form.tsx";
import { WelcomeMessages } from "./welcome-messages.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";

/**
 * This browser's appearance (`children`, which saves itself) and the instance's welcome messages.
 * `preview` renders messages as in a chat.
 */
export function AppearancePage({
  label,
  preview,
  children,
}: {
  label: string;
  preview: (messages: WelcomeMessage[]) => ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation("workspace");
  const query = useQuery(welcomeQuery);
  const saveMessages = useSaveWelcomeMessages();
  const [typed, setTyped] = useState<WelcomeRow[] | null>(null);
  const saved = query.data ?? [];
  const rows = typed ?? rowsOf(saved);
  const shown = useDeferredValue(rows).filter((row) => row.text.trim() !== "");
  const save = async (): Promise<void> => {
    await saveMessages.mutateAsync(messagesOf(rows));
    setTyped(null);
  };
  return (
    <SettingsForm
      label={label}
      done={t("welcome.saved")}
      changes={typed === null || isSame(typed, saved) ? 0 : 1}
      faults={rows.filter((row) => row.text.trim() === "").length}
      onSave={save}
      onDiscard={() => setTyped(null)}
    >
      {children}
      <FormSection
        title={t("welcome.title")}
        help={<span className="block max-w-[64ch]">{t("welcome.help")}</span>}
      >
        {query.error ? (
          <FailedQuery
            title={t("welcome.loadFailed")}
            retryLabel={t("retry")}
            error={query.error}
            retry={() => void query.refetch()}
          />
        ) : query.isPending ? (
          <Skeleton aria-label={t("loading")} />
        ) : (
          <WelcomeMessages rows={rows} onChange={setTyped} />
        )}
      </FormSection>
      {shown.length > 0 && (
        <FormSection title={t("welcome.preview")}>
          <div className="rounded-md border border-dashed border-strong p-4 wrap-anywhere *:m-0">
            {preview(messagesOf(shown))}
          </div>
        </FormSection>
      )}
    </SettingsForm>
  );
}
