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

/** Fields of another feature that are saved along with the page. */
export interface FormPart {
  fields: ReactNode;
  changes: number;
  faults: number;
  /** Returns how to undo it. */
  save: () => Promise<() => Promise<unknown>>;
  discard: () => void;
}

/**
 * Appearance: what saves itself (`children`), the instance's branding, and its welcome messages.
 * `preview` renders messages as in a chat.
 */
export function AppearancePage({
  label,
  branding,
  preview,
  children,
}: {
  label: string;
  branding: FormPart;
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
  const isChanged = typed !== null && !isSame(typed, saved);
  const save = async () => {
    const undos: (() => Promise<unknown>)[] = [];
    if (branding.changes > 0) undos.push(await branding.save());
    if (isChanged) {
      await saveMessages.mutateAsync(messagesOf(rows));
      setTyped(null);
      undos.push(() => saveMessages.mutateAsync(saved));
    }
    return () => Promise.all(undos.map((undo) => undo()));
  };
  return (
    <SettingsForm
      label={label}
      done={t("appearanceSaved")}
      changes={branding.changes + (isChanged ? 1 : 0)}
      faults={branding.faults + rows.filter((row) => row.text.trim() === "").length}
      onSave={save}
      onDiscard={() => {
        setTyped(null);
        branding.discard();
      }}
    >
      {children}
      {branding.fields}
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
