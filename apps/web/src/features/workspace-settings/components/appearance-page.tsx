import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import "../../../styles/workspace-settings.css";
import "../texts.ts";
import { welcomeQuery, type WelcomeMessage } from "../../../lib/welcome-messages.ts";
import { useSaveWelcomeMessages } from "../api/welcome.ts";
import { isSame, messagesOf, rowsOf, type WelcomeRow } from "../state/welcome-rows.ts";
import { SettingsForm } from "./settings-form.tsx";
import { WelcomeMessages } from "./welcome-messages.tsx";

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
      <section aria-labelledby="welcome-title">
        <div>
          <h2 id="welcome-title">{t("welcome.title")}</h2>
          <p className="t2 wss-words">{t("welcome.help")}</p>
        </div>
        {query.error ? (
          <Notice
            kind="bad"
            action={
              <button type="button" className="btn sm" onClick={() => void query.refetch()}>
                {t("retry")}
              </button>
            }
          >
            <p>
              <b>{t("welcome.loadFailed")}</b>
            </p>
            <p>{query.error.message}</p>
          </Notice>
        ) : query.isPending ? (
          <span className="skel" aria-label={t("loading")} />
        ) : (
          <WelcomeMessages rows={rows} onChange={setTyped} />
        )}
      </section>
      {shown.length > 0 && (
        <section aria-labelledby="welcome-preview">
          <h2 id="welcome-preview">{t("welcome.preview")}</h2>
          <div className="welcome-preview">{preview(messagesOf(shown))}</div>
        </section>
      )}
    </SettingsForm>
  );
}
