import { memoryLimits as limits, type MemoryWire } from "@carrel/contracts";
import { Globe, MessagesSquare, Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FieldError, Textarea } from "../../../components/ui/field.tsx";
import { formatAgo, formatNumber, shortenName } from "../../../lib/format.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import type { MemoryScope } from "../api/memories.ts";

/** Shows the character count from this length on. */
const nearlyFull = limits.characters - 100;

/**
 * Edits a memory. Enter saves; the server's refusal is shown below, and what was typed is kept.
 * `onSave` throws with the text to show.
 */
function MemoryEditor({
  initial,
  label,
  action,
  onSave,
  onCancel,
}: {
  initial: string;
  label: string;
  action: string;
  onSave: (content: string) => Promise<void>;
  onCancel: () => void;
}) {
  const { t } = useTranslation("memories");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  const { submit, busy, error, clearError } = useSubmission(onSave);
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const content = text.trim();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || content === "") return;
    if (content === initial) return onCancel();
    submit(content, { onError: () => field.current?.focus() });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) save(event);
  };
  return (
    <form className="grid gap-2 pb-2" onSubmit={save}>
      <Textarea
        ref={field}
        className="max-h-60 min-h-15 field-sizing-content"
        invalid={error !== null}
        rows={2}
        dir="auto"
        maxLength={limits.characters}
        aria-label={label}
        placeholder={t("hint")}
        value={text}
        readOnly={busy}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        onChange={(event) => {
          setText(event.target.value);
          clearError();
        }}
        onKeyDown={onKeyDown}
      />
      {error && (
        <FieldError id={id} role="alert">
          {error.message}
        </FieldError>
      )}
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums">
          {text.length >= nearlyFull &&
            t("characters", { count: text.length, max: formatNumber(limits.characters) })}
        </span>
        <Button variant="quiet" size="sm" className="max-md:h-10" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button
          type="submit"
          variant="primary"
          size="sm"
          className="max-md:h-10"
          disabled={busy || content === ""}
        >
          {busy ? t("saving") : action}
        </Button>
      </div>
    </form>
  );
}

/** The memory being written: a new one of this scope, or an existing one. */
export type Editing = { scope: MemoryScope } | { id: number } | null;
export interface MemoryHandlers {
  edit: (editing: Editing) => void;
  add: (scope: MemoryScope, content: string) => Promise<void>;
  change: (memory: MemoryWire, content: string) => Promise<void>;
  move: (memory: MemoryWire) => void;
  remove: (memory: MemoryWire) => void;
}

/** How many characters of a memory its buttons' accessible names contain. */
const named = 40;

/** Memories of one scope, their number and limit, and a field to add one. */
export function MemorySection({
  scope,
  name,
  memories,
  editing,
  busy,
  handlers,
}: {
  scope: MemoryScope;
  /** Name of the workspace. */
  name: string;
  memories: MemoryWire[];
  editing: Editing;
  busy: number | null;
  handlers: MemoryHandlers;
}) {
  const { t } = useTranslation("memories");
  const heading = useId();
  const limit = limits[scope];
  const isFull = memories.length >= limit;
  const isAdding = editing !== null && "scope" in editing && editing.scope === scope;
  const row = (memory: MemoryWire) => {
    const text = shortenName(memory.content, named);
    if (editing !== null && "id" in editing && editing.id === memory.id)
      return (
        <MemoryEditor
          initial={memory.content}
          label={t("editing")}
          action={t("save")}
          onSave={(content) => handlers.change(memory, content)}
          onCancel={() => handlers.edit(null)}
        />
      );
    return (
      <>
        <p className="pe-1 wrap-anywhere whitespace-pre-wrap" dir="auto">
          {memory.content}
        </p>
        <div className="flex items-center gap-0.5">
          <span className="min-w-0 flex-1 text-xs text-fg-3">
            {memory.lastUsedAt === null
              ? t("unused")
              : t("used", { when: formatAgo(memory.lastUsedAt) })}
          </span>
          <IconButton
            className="max-md:h-10 max-md:w-11"
            data-act="edit"
            label={t("edit", { text })}
            disabled={busy === memory.id}
            onClick={() => handlers.edit({ id: memory.id })}
          >
            <Pencil className="size-3.5 stroke-2" />
          </IconButton>
          <IconButton
            className="max-md:h-10 max-md:w-11"
            data-act="move"
            label={scope === "global" ? t("demote", { text, name }) : t("promote", { text })}
            disabled={busy === memory.id}
            onClick={() => handlers.move(memory)}
          >
            {scope === "global" ? (
              <MessagesSquare className="size-3.5 stroke-2" />
            ) : (
              <Globe className="size-3.5 stroke-2" />
            )}
          </IconButton>
          <IconButton
            className="max-md:h-10 max-md:w-11"
            data-act="remove"
            label={t("remove", { text })}
            disabled={busy === memory.id}
            onClick={() => handlers.remove(memory)}
          >
            <Trash2 className="size-3.5 stroke-2" />
          </IconButton>
        </div>
      </>
    );
  };
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby={heading} data-scope={scope}>
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 font-semibold wrap-anywhere" id={heading}>
          {scope === "global" ? t("global") : t("workspace", { name })}
        </h3>
        <span className="flex-none text-xs text-fg-3 tabular-nums">
          {t("count", { count: memories.length, max: limit })}
        </span>
      </div>
      <p className="text-xs text-fg-3">
        {scope === "global" ? t("globalHelp") : t("workspaceHelp")}
      </p>
      {memories.length > 0 && (
        <ul className="divide-y divide-subtle rounded-md border border-line bg-surface">
          {memories.map((memory) => (
            <li
              className="grid gap-0.5 pt-3 pr-2 pb-1 pl-3"
              key={memory.id}
              data-memory={memory.id}
            >
              {row(memory)}
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <MemoryEditor
          initial=""
          label={t("writing")}
          action={t("add")}
          onSave={(content) => handlers.add(scope, content)}
          onCancel={() => handlers.edit(null)}
        />
      ) : isFull ? (
        <p className="text-xs text-fg-3">{t("full", { max: limit })}</p>
      ) : (
        <div>
          <Button
            size="sm"
            className="max-md:h-10"
            data-add
            aria-label={scope === "global" ? t("addGlobal") : t("addWorkspace", { name })}
            onClick={() => handlers.edit({ scope })}
          >
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t("addMemory")}
          </Button>
        </div>
      )}
    </section>
  );
}
