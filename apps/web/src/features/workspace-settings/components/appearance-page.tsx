import { setWelcomeMessages } from "@carrel/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Plus } from "lucide-react";
import { useDeferredValue, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FieldError, Textarea } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { call } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { welcomeQuery, type WelcomeMessage } from "../../../lib/welcome-messages.ts";
import { moved } from "../state/workspace-form.ts";
import "../texts.ts";
import { SettingsForm } from "./settings-form.tsx";
import { MessageCard } from "./suggested-messages.tsx";

/**
 * A message as shown and edited; the wire combines the user's and the assistant's text in one
 * entry.
 */
interface WelcomeRow {
  from: keyof WelcomeMessage;
  text: string;
}

/** Server limits (contracts, setWelcomeMessages). */
const maxRows = 100;
const maxRowLength = 10_000;

/** The non-empty halves of each entry, in the order an empty chat shows them. */
export const rowsOf = (messages: readonly WelcomeMessage[]): WelcomeRow[] =>
  messages
    .flatMap(({ user, response }) => [
      { from: "user" as const, text: user },
      { from: "response" as const, text: response },
    ])
    .filter((row) => row.text.trim() !== "");

/** One entry per row, trimmed. */
export const messagesOf = (rows: readonly WelcomeRow[]): WelcomeMessage[] =>
  rows.map(({ from, text }) => ({ user: "", response: "", [from]: text.trim() }));

/** Whether both look the same in a chat. */
export const isSame = (rows: readonly WelcomeRow[], saved: readonly WelcomeMessage[]): boolean =>
  JSON.stringify(rowsOf(messagesOf(rows))) === JSON.stringify(rowsOf(saved)) &&
  rows.every((row) => row.text.trim() !== "");

/** Replaces all welcome messages, including their order. */
const useSaveWelcomeMessages = () =>
  useMutation({
    mutationFn: async (messages: WelcomeMessage[]) => {
      try {
        await call(setWelcomeMessages, { messages });
      } catch (error) {
        const message = i18next.t("workspace:welcome.saveFailed", { message: errorMessage(error) });
        throw new Error(message, { cause: error });
      }
    },
    meta: { invalidates: [instanceKeys.welcomeMessages], errorToast: false },
  });

/** Fields of another feature that are saved along with the page. */
export interface FormPart {
  fields: ReactNode;
  changes: number;
  faults: number;
  /** Returns a function that undoes it. */
  save: () => Promise<() => Promise<unknown>>;
  discard: () => void;
}

/**
 * Appearance: parts that save themselves (`children`), the instance's branding, and its welcome
 * messages. `preview` renders messages as in a chat.
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

/**
 * Editable list of welcome messages: each shows its sender and can be changed, moved and removed;
 * focus stays on the control in use.
 */
function WelcomeMessages({
  rows,
  onChange,
}: {
  rows: WelcomeRow[];
  onChange: (rows: WelcomeRow[]) => void;
}) {
  const { t } = useTranslation("workspace");
  const list = useRef<HTMLDivElement>(null);
  const change = (next: WelcomeRow[], ...focus: string[]): void => {
    flushSync(() => onChange(next));
    for (const selector of focus) {
      const wanted = list.current?.querySelector<HTMLElement>(`${selector}:not(:disabled)`);
      if (wanted) return wanted.focus();
    }
  };
  const move = (index: number, step: -1 | 1): void => {
    const row = `[data-row="${index + step}"]`;
    change(
      moved(rows, index, step),
      `${row} [data-move="${step}"]`,
      `${row} [data-move="${-step}"]`,
    );
  };
  const remove = (index: number): void =>
    change(
      rows.toSpliced(index, 1),
      `[data-row="${Math.min(index, rows.length - 2)}"] [data-remove]`,
      "[data-add]",
    );
  const add = (from: WelcomeRow["from"]): void =>
    change([...rows, { from, text: "" }], `[data-row="${rows.length}"] textarea`);
  return (
    <div ref={list} className="grid gap-4">
      {rows.length === 0 ? (
        <p className="text-fg-3">{t("welcome.empty")}</p>
      ) : (
        <ol className="grid gap-3">
          {rows.map((row, index) => {
            const number = index + 1;
            const blank = row.text.trim() === "";
            return (
              <li key={index}>
                <MessageCard
                  index={index}
                  count={rows.length}
                  title={t(`welcome.from.${row.from}`)}
                  onMove={(step) => move(index, step)}
                  onRemove={() => remove(index)}
                >
                  <Textarea
                    className={
                      row.from === "user"
                        ? "field-sizing-content max-h-80 min-h-[38px]"
                        : "field-sizing-content max-h-80 min-h-14"
                    }
                    invalid={blank}
                    rows={row.from === "user" ? 1 : 3}
                    dir="auto"
                    maxLength={maxRowLength}
                    value={row.text}
                    aria-label={t("bodyOf", { number })}
                    placeholder={t(`welcome.hint.${row.from}`)}
                    aria-invalid={blank || undefined}
                    aria-describedby={blank ? `welcome-blank-${index}` : undefined}
                    onChange={(event) =>
                      onChange(rows.with(index, { ...row, text: event.target.value }))
                    }
                  />
                  {blank && (
                    <FieldError id={`welcome-blank-${index}`}>{t("fault.welcome")}</FieldError>
                  )}
                </MessageCard>
              </li>
            );
          })}
        </ol>
      )}
      <div className="flex items-center gap-2 flex-wrap">
        {(["response", "user"] as const).map((from) => (
          <Button key={from} data-add disabled={rows.length >= maxRows} onClick={() => add(from)}>
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t(`welcome.add.${from}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
